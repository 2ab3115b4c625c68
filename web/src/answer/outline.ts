/** The outline of the world's land (Natural Earth, 1:110 million), as the path of an SVG in degrees. */

import { feature } from "topojson-client";
import type { Topology } from "topojson-specification";
import land from "world-atlas/land-110m.json";

type Ring = [number, number][];
type Shapes = { features: { geometry: { coordinates: Ring[][] } }[] };

const topology = land as unknown as Topology;

/** Return the path of all land, with longitude to the right and latitude upwards. */
export function outline(): string {
  const { features } = feature(topology, topology.objects["land"] as never) as unknown as Shapes;
  const rings = features.flatMap((one) => one.geometry.coordinates.flat());
  return rings.flatMap(whole).map(path).join("");
}

const path = (ring: Ring): string => `M${ring.map(([x, y]) => `${x.toFixed(2)},${(-y).toFixed(2)}`).join("L")}Z`;

/**
 * Return a ring without the jump that it makes where it crosses 180°: it goes on beyond, and stands a second time on the
 * other side of the map. A ring around a pole is closed along the map's edge.
 */
function whole(ring: Ring): Ring[] {
  let shift = 0;
  let before = ring[0]?.[0] ?? 0;
  const going: Ring = ring.map(([x, y]) => {
    if (x - before > 180) shift -= 360;
    else if (before - x > 180) shift += 360;
    before = x;
    return [x + shift, y];
  });
  const [first, last] = [going[0], going.at(-1)];
  if (shift !== 0 && first && last) {
    const edge = last[1] < 0 ? -90 : 90;
    going.push([last[0], edge], [first[0], edge]);
  }
  const xs = going.map(([x]) => x);
  const moved = (by: number): Ring => going.map(([x, y]) => [x + by, y]);
  if (Math.max(...xs) > 180) return [going, moved(-360)];
  return Math.min(...xs) < -180 ? [going, moved(360)] : [going];
}
