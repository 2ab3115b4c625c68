/** What a graph is about, looked up once for each. */

import { getProfile } from "../api/client";
import type { Profile } from "../api/types";

const looked = new Map<string, Promise<Profile>>();

/** Return the profile of a graph; one that could not be had is asked for again the next time. */
export function profileOf(graph: string): Promise<Profile> {
  const found = looked.get(graph) ?? getProfile(graph);
  looked.set(graph, found);
  found.catch(() => looked.delete(graph));
  return found;
}
