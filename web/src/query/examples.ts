/** Queries over the main classes of a graph, which show how one is written. */

import type { ClassInfo, Profile } from "../api/types";
import { mainClasses } from "../graph/profile";
import { compact } from "./terms";

const MOST = 6;

/** Return by turns a list of what the things of a class have, and how many of them have each value. */
export function examplesOf(profile: Profile): { name: string; query: string }[] {
  const made = (one: ClassInfo, at: number) => {
    const out = one.relations.filter((relation) => relation.direction === "out").slice(0, 2);
    const [first] = out;
    const of = `?thing a ${compact(one.iri, profile.prefixes)} .`;
    const has = out.map(({ iri }, place) => `?thing ${compact(iri, profile.prefixes)} ?value${String(place + 1)} .`);
    if (first && at % 2)
      return {
        name: `${first.label}: ${one.label} (Σ)`,
        query: `SELECT ?value1 (COUNT(?thing) AS ?number)\nWHERE {\n  ${of}\n  ${has[0] ?? ""}\n}\nGROUP BY ?value1\nORDER BY DESC(?number)`,
      };
    const lines = [of, ...has.map((pattern) => `OPTIONAL { ${pattern} }`)];
    return {
      name: [one.label, ...out.map((relation) => relation.label)].join(", "),
      query: `SELECT *\nWHERE {\n  ${lines.join("\n  ")}\n}\nLIMIT 20`,
    };
  };
  return mainClasses(profile).slice(0, MOST).map(made);
}
