/** What the graph says of a thing, once and in groups. */

import type { Relation, Thing } from "../api/types";

/** Return what a thing has of itself, the things that it leads to, and those that lead to it and were not named yet. */
export function factsOf({ relations }: Pick<Thing, "relations">): Relation[][] {
  const out = relations.filter((one) => one.direction === "out");
  const said = new Set(out.flatMap((one) => one.values.map((value) => `${one.iri} ${value.value}`)));
  const into = relations.flatMap((one) => {
    if (one.direction === "out") return [];
    const values = one.values.filter((value) => !said.has(`${one.iri} ${value.value}`));
    return values.length ? [{ ...one, values, count: one.count - one.values.length + values.length }] : [];
  });
  const leads = (one: Relation) => one.values.some((value) => value.type === "uri");
  return [out.filter((one) => !leads(one)), out.filter(leads), into].filter((group) => group.length > 0);
}
