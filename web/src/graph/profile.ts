/** What a graph is about, looked up once for each. */

import { getInstances, getProfile } from "../api/client";
import type { ClassInfo, Profile, Value } from "../api/types";

const KNOWN = 3; // things that stand for a class
const looked = new Map<string, Promise<unknown>>();

/** What could not be had is asked for again the next time. */
function once<T>(key: string, ask: () => Promise<T>): Promise<T> {
  const found = (looked.get(key) as Promise<T> | undefined) ?? ask();
  looked.set(key, found);
  found.catch(() => looked.delete(key));
  return found;
}

/** Return the profile of a graph, with questions in a language. */
export const profileOf = (graph: string, language: string): Promise<Profile> =>
  once(`${graph} ${language}`, () => getProfile(graph, language));

/** Return the best known things of a class. */
export const knownOf = (graph: string, iri: string): Promise<Value[]> =>
  once(`${graph} ${iri}`, async () => (await getInstances(graph, iri, KNOWN)).rows.flatMap(([thing]) => thing ?? []));

/** Return the classes that have none of the others below them; those of whose things something is said come first. */
export function mainClasses({ classes }: Pick<Profile, "classes">): ClassInfo[] {
  const above = new Set(classes.flatMap((one) => one.above));
  const mute = (one: ClassInfo) => Number(!one.relations.some((relation) => relation.direction === "out"));
  return classes
    .filter((one) => !one.statement && !above.has(one.label))
    .sort((one, other) => mute(one) - mute(other) || other.instances - one.instances);
}
