/** Queries over the main classes of a graph, which show how one is written. */

import type { ClassInfo, Profile } from "../api/types";
import { mainClasses } from "../graph/profile";
import { compact } from "./terms";

const MOST = 6;

export function examplesOf(profile: Profile): { name: string; query: string }[] {
  return mainClasses(profile)
    .slice(0, MOST)
    .map((one, at) => exampleOf(one, at, profile.prefixes));
}

/** Return by turns a list of what things have, the greatest of a number, and a count for each value. */
function exampleOf(of: ClassInfo, at: number, prefixes: Record<string, string>): { name: string; query: string } {
  const out = of.relations.filter((one) => one.direction === "out");
  const number = out.find((one) => one.kind === "numbers");
  const link = out.find((one) => one.kind === "entities");
  const has = (name: string, iri: string) => `  ?thing ${compact(iri, prefixes)} ?${name} .\n`;
  const is = `WHERE {\n  ?thing a ${compact(of.iri, prefixes)} .\n`;
  if (number && at % 3 === 1)
    return {
      name: `${of.label}: ${number.label} ↓`,
      query: `SELECT ?thing ?number\n${is}${has("number", number.iri)}}\nORDER BY DESC(?number)\nLIMIT 20`,
    };
  if (link && at % 3 === 2)
    return {
      name: `${link.label}: ${of.label} Σ`,
      query: `SELECT ?value (COUNT(?thing) AS ?number)\n${is}${has("value", link.iri)}}\nGROUP BY ?value\nORDER BY DESC(?number)`,
    };
  const shown = out.slice(0, 2);
  const wanted = shown.map(
    (one, place) => `  OPTIONAL { ?thing ${compact(one.iri, prefixes)} ?value${String(place + 1)} }\n`,
  );
  const names = shown.map((_, place) => ` ?value${String(place + 1)}`);
  return {
    name: [of.label, shown.map((one) => one.label).join(", ")].filter(Boolean).join(": "),
    query: `SELECT ?thing${names.join("")}\n${is}${wanted.join("")}}\nLIMIT 20`,
  };
}
