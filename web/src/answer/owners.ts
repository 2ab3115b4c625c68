/** Numbers and dates with the things that they belong to, as far as the facts of the answer tell. */

import type { Answer, Row, Table } from "../api/types";
import { numberOf } from "./views";

/**
 * Return the table of an answer. Where it has one column, of numbers or dates, and the facts say of each what it belongs
 * to, the things stand before them, those of the greatest numbers first: "How long are the rivers?" has the rivers, too.
 */
export function withOwners(answer: Answer, heading: string): Table {
  const only = answer.variables.length === 1 && answer.rows.length > 1;
  if (!only || !answer.rows.every(([value]) => value?.kind === "number" || value?.kind === "date")) return answer;
  const predicates = new Set<string>();
  const rows = answer.rows.map(([value]) => {
    const facts = answer.facts.filter((fact) => fact.object.type === "literal" && fact.object.value === value?.value);
    for (const fact of facts) predicates.add(fact.predicate.value);
    const [fact] = facts;
    return fact && facts.length === 1 ? [fact.subject, value ?? null] : null;
  });
  const known = rows.filter((row) => row !== null);
  if (known.length < rows.length || predicates.size !== 1) return answer;
  const size = ([, value]: Row) => (value?.kind === "number" && numberOf(value)) || 0;
  known.sort((one, other) => size(other) - size(one));
  return { variables: [heading, ...answer.variables], rows: known, truncated: answer.truncated };
}
