/** Which views fit a table: a chart, a map, a timeline. A view is offered where its data are there. */

import type { Row, Table, Thing, Value } from "../api/types";

export interface Chart {
  /** The column of the things or dates. */
  by: number;
  /** The column of the numbers. */
  number: number;
  kind: "bars" | "line";
  /** The unit that all numbers are written with; empty if there is none. */
  unit: string;
  points: { name: string; number: number; time: number | null }[];
}

export interface Place {
  name: string;
  iri: string | null;
  latitude: number;
  longitude: number;
}

export interface Moment {
  name: string;
  shown: string;
  time: number;
}

const MOST_BARS = 60;

export const SURE = 0.8;
export const GUESS = 0.5;

/** Return the word for a confidence. */
export const certaintyOf = (confidence: number): "sure" | "likely" | "guess" =>
  confidence >= SURE ? "sure" : confidence >= GUESS ? "likely" : "guess";

/** What people read of a value. */
export const shown = (value: Value): string => value.text ?? value.label;

const column = (rows: Row[], at: number): Value[] => rows.flatMap((row) => row[at] ?? []);

function columnsOf(table: Pick<Table, "variables" | "rows">, kinds: Value["kind"][]): number[] {
  return table.variables.flatMap((_, at) => {
    const values = column(table.rows, at);
    const fit = values.filter((value) => kinds.includes(value.kind));
    return values.length > 0 && fit.length >= 0.8 * values.length ? [at] : [];
  });
}

/** Return a number, or null where the text is none. */
export function numberOf(value: Value): number | null {
  const number = Number(value.value);
  return value.value.trim() !== "" && Number.isFinite(number) ? number : null;
}

/** Return the milliseconds of a date, of a year or of a year and month; also before the year 1. */
export function timeOf(value: Value): number | null {
  const found = /^([+-]?\d{1,6})(?:-(\d\d))?(?:-(\d\d))?(?:T(\d\d):(\d\d))?/.exec(value.value);
  if (!found) return null;
  const [, year, month, day, hour, minute] = found;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
  date.setUTCHours(Number(hour ?? 0), Number(minute ?? 0));
  const time = date.getTime();
  return Number.isNaN(time) ? null : time;
}

/** Return points with the greatest first, unless they are in order, which was asked for. */
function sorted(points: Chart["points"]): Chart["points"] {
  const rises = points.every((point, at) => at === 0 || point.number >= (points[at - 1]?.number ?? 0));
  return rises ? points : [...points].sort((one, other) => other.number - one.number);
}

/** Return the chart of a table: a number for each of several things or dates. */
export function chartOf(table: Pick<Table, "variables" | "rows">): Chart | null {
  const [number] = columnsOf(table, ["number"]);
  const [date] = columnsOf(table, ["date"]);
  const [thing] = columnsOf(table, ["entity", "place"]);
  const [text] = columnsOf(table, ["text"]);
  const by = thing ?? text ?? date;
  if (number === undefined || by === undefined || table.rows.length < 2) return null;
  const points = table.rows.flatMap((row) => {
    const [name, value] = [row[by], row[number]];
    const found = value ? numberOf(value) : null;
    return name && found !== null ? [{ name: shown(name), number: found, time: timeOf(name) }] : [];
  });
  const kind = by === date ? "line" : "bars";
  if (points.length < 2) return null;
  const units = new Set(column(table.rows, number).map((value) => (value.text ?? "").replace(/^[-−\d.,\s]+/, "")));
  const unit = units.size === 1 ? ([...units][0] ?? "") : "";
  return { by, number, kind, unit, points: kind === "bars" ? sorted(points).slice(0, MOST_BARS) : points };
}

const POINT = /^(?:<[^>]*>\s*)?POINT\s*(?:Z\s*)?\(\s*(-?[\d.]+)\s+(-?[\d.]+)/i;

/** Return the place of a WKT point, which names the longitude first. */
export function pointOf(value: Value): { latitude: number; longitude: number } | null {
  const found = POINT.exec(value.value);
  return found ? onEarth(Number(found[2]), Number(found[1])) : null;
}

function onEarth(latitude: number, longitude: number): { latitude: number; longitude: number } | null {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

/** Return the place of a thing on a map, where it has one. */
export function placeOf({ label, iri, coordinates }: Pick<Thing, "label" | "iri" | "coordinates">): Place | null {
  const point = coordinates && onEarth(coordinates.latitude, coordinates.longitude);
  return point && { name: label, iri, ...point };
}

const LATITUDE = /^(lat|latitude)$/i;
const LONGITUDE = /^(lon|long|lng|longitude)$/i;

/** Return the places of a table: points, pairs of columns, or things whose coordinates are known by their IRI. */
export function placesOf(
  table: Pick<Table, "variables" | "rows">,
  known: Map<string, Pick<Thing, "coordinates">> = new Map(),
): Place[] {
  const latitude = table.variables.findIndex((name) => LATITUDE.test(name));
  const longitude = table.variables.findIndex((name) => LONGITUDE.test(name));
  const places = new Map<string, Place>();
  for (const row of table.rows) {
    const values = row.flatMap((value) => value ?? []);
    const thing = values.find((value) => value.kind === "entity") ?? values.find((value) => !pointOf(value));
    const pair = [row[latitude], row[longitude]].map((value) => (value ? numberOf(value) : null));
    const place =
      pair[0] != null && pair[1] != null
        ? onEarth(pair[0], pair[1])
        : (values.map(pointOf).find((point) => point) ?? (thing && known.get(thing.value)?.coordinates));
    if (!place) continue;
    const name = thing ? shown(thing) : `${String(place.latitude)}, ${String(place.longitude)}`;
    places.set(name + JSON.stringify(place), { name, iri: thing?.type === "uri" ? thing.value : null, ...place });
  }
  return [...places.values()];
}

/** Return the dates of a table in order, each with what it belongs to. */
export function momentsOf(table: Pick<Table, "variables" | "rows">): Moment[] {
  const dates = columnsOf(table, ["date"]);
  const [thing] = columnsOf(table, ["entity", "place", "text"]);
  const found = table.rows.flatMap((row) =>
    dates.flatMap((at) => {
      const value = row[at];
      const time = value ? timeOf(value) : null;
      if (!value || time === null) return [];
      const whose = thing === undefined ? null : row[thing];
      const what = dates.length > 1 ? (table.variables[at] ?? "") : "";
      const name = [whose ? shown(whose) : "", what].filter(Boolean).join(" · ");
      return [{ name, shown: shown(value), time }];
    }),
  );
  return found.length < 2 ? [] : found.sort((one, other) => one.time - other.time);
}

/** Return the order of two values of a column: numbers and dates by size, names by the alphabet, nothing last. */
export function compared(one: Value | null, other: Value | null, language: string): number {
  if (!one || !other) return Number(!one) - Number(!other);
  const measure = one.kind === "number" ? numberOf : one.kind === "date" ? timeOf : () => null;
  const [size, otherSize] = [measure(one), one.kind === other.kind ? measure(other) : null];
  if (size !== null && otherSize !== null) return size - otherSize;
  return shown(one).localeCompare(shown(other), language, { numeric: true });
}
