/** The part of the world that a map shows, and where its names stand. */

import type { Place } from "./views";

export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const WORLD: Frame = { x: -180, y: -84, width: 360, height: 144 };

const LEAST = 12; // degrees of longitude that a map of several places shows at least
const ALONE = 75; // and of one, so that there is something beside it that people know

/** Return the frame around some places, with room at its sides, in the shape of the world's. */
export function frameAround(places: { latitude: number; longitude: number }[]): Frame {
  if (!places.length) return WORLD;
  const [xs, ys] = [places.map((place) => place.longitude), places.map((place) => -place.latitude)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const shape = WORLD.height / WORLD.width;
  const width = Math.min(
    WORLD.width,
    Math.max(places.length > 1 ? LEAST : ALONE, (right - left) * 1.4, ((bottom - top) * 1.4) / shape),
  );
  const height = width * shape;
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
}

const LETTER = 0.6; // the width of a letter for its height

/** Return where the names of places begin, beside their marks; one that would cover another has no place. */
export function labelsOf(places: Place[], frame: Frame, size: number): (readonly [number, number] | null)[] {
  const taken: [number, number, number, number][] = places.map(({ longitude: x, latitude }) => {
    const half = size / 3;
    return [x - half, -latitude - half, x + half, -latitude + half];
  });
  return places.map(({ name, longitude: x, latitude }, at) => {
    const [y, width] = [-latitude, name.length * LETTER * size];
    const corners = [
      [x + 0.6 * size, y - size / 2],
      [x - 0.6 * size - width, y - size / 2],
      [x - width / 2, y - 1.6 * size],
      [x - width / 2, y + 0.6 * size],
    ] as const;
    const free = corners.find(
      ([left, top]) =>
        left >= frame.x &&
        left + width <= frame.x + frame.width &&
        !taken.some(
          (box, other) => other !== at && left < box[2] && left + width > box[0] && top < box[3] && top + size > box[1],
        ),
    );
    if (!free) return null;
    taken.push([free[0], free[1], free[0] + width, free[1] + size]);
    return [free[0], free[1] + 0.8 * size] as const;
  });
}
