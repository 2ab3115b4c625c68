/** The part of the world that a map shows. */

export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const WORLD: Frame = { x: -180, y: -84, width: 360, height: 144 };

const LEAST = 12; // degrees of longitude that a map shows at least

/** Return the frame around some places, with room at its sides, in the shape of the world's. */
export function frameAround(places: { latitude: number; longitude: number }[]): Frame {
  if (!places.length) return WORLD;
  const [xs, ys] = [places.map((place) => place.longitude), places.map((place) => -place.latitude)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const shape = WORLD.height / WORLD.width;
  const width = Math.min(WORLD.width, Math.max(LEAST, (right - left) * 1.4, ((bottom - top) * 1.4) / shape));
  const height = width * shape;
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
}
