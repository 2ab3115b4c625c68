/** An answer as a table, and as a chart, a map or a timeline where its values allow it; what they are says which comes first. */

import { useMemo, useState } from "preact/hooks";
import type { Table, Thing } from "../api/types";
import { Choice } from "../page/Choice";
import { t } from "../words";
import { ChartView } from "./ChartView";
import { ResultTable } from "./ResultTable";
import { Timeline } from "./Timeline";
import { chartOf, momentsOf, placesOf, type Moment, type Place } from "./views";
import { WorldMap } from "./WorldMap";

type Name = "table" | "chart" | "map" | "timeline";

interface Given {
  table: Table;
  graph: string;
  caption: string;
  things?: Map<string, Thing>;
  /** Whether the table is worth its room before anybody asks for it. */
  isOpen: boolean;
  /** Whether it is a chart at first, where there is one. */
  isDrawn?: boolean;
}

export function Views({ table, graph, caption, things, isOpen, isDrawn }: Given) {
  const chart = useMemo(() => chartOf(table), [table]);
  const moments = useMemo(() => momentsOf(table), [table]);
  const places = useMemo(() => placesOf(table, things), [table, things]);
  const names: Name[] = ["table"];
  if (chart) names.push("chart");
  if (places.length) names.push("map");
  if (moments.length) names.push("timeline");
  const [picked, setPicked] = useState<Name | null>(null);
  const fit = isDrawn && chart ? "chart" : fittest(table, places, chart ? [] : moments);
  const chosen = picked ?? fit ?? (isOpen ? "table" : null);

  return (
    <div class="views-of">
      {(names.length > 1 || !isOpen) && <Choice label={t("view")} names={names} chosen={chosen} onChoose={setPicked} />}
      {chosen === "table" && (
        <ResultTable table={table} graph={graph} caption={caption} bars={table.variables.length < 4 ? chart : null} />
      )}
      {chosen === "chart" && chart && (
        <ChartView
          chart={chart}
          titles={{
            by: named(table.variables[chart.by]),
            number: named(table.variables[chart.number]) + (chart.unit && ` (${chart.unit})`),
          }}
        />
      )}
      {chosen === "map" && <WorldMap places={places} graph={graph} />}
      {chosen === "timeline" && <Timeline moments={moments} />}
    </div>
  );
}

/** Return the view that shows more of places by themselves, or of dates of things, than a table does. */
function fittest({ variables, rows }: Table, places: Place[], moments: Moment[]): Name | null {
  if (variables.length === 1 && places.length > 1 && places.length === rows.length) return "map";
  return variables.length === 2 && moments.length === rows.length ? "timeline" : null;
}

/** What a query calls the answer is its things, which have no other name in it. */
const named = (variable = ""): string => (variable === "answer" ? t("things") : variable.replaceAll("_", " "));
