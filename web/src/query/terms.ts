/** How a term of the graph is written into a query. */

const LOCAL = /^[\p{L}\p{N}_%](?:[\p{L}\p{N}_%.-]*[\p{L}\p{N}_%-])?$/u;
const TERM = /<([^<>\s]+)>|([\p{L}\p{N}_-]*):([\p{L}\p{N}_%.-]*[\p{L}\p{N}_%-])/gu;

/** Return an IRI as a prefixed name, by the longest namespace that fits; in angle brackets if there is none. */
export function compact(iri: string, prefixes: Record<string, string>): string {
  const fitting = Object.entries(prefixes).filter(
    ([, namespace]) => iri.startsWith(namespace) && LOCAL.test(iri.slice(namespace.length)),
  );
  const [best] = fitting.sort(([, one], [, other]) => other.length - one.length);
  return best ? `${best[0]}:${iri.slice(best[1].length)}` : `<${iri}>`;
}

/** Return the IRI that stands at a place of a line, as it is or as a prefixed name, and from where to where. */
export function termAt(line: string, at: number, prefixes: Record<string, string>) {
  for (const { 0: text, 1: iri, 2: prefix = "", 3: local = "", index } of line.matchAll(TERM)) {
    const whole = iri ?? (prefix in prefixes ? `${prefixes[prefix] ?? ""}${local}` : "");
    if (whole && index <= at && at <= index + text.length) return { iri: whole, from: index, to: index + text.length };
  }
  return null;
}

/** Return where a text is that the server could not read, by what it says of it. */
export function placeOf(message: string, text: string): number | null {
  const [, line, column] = /line (\d+), column (\d+)/.exec(message)?.map(Number) ?? [];
  if (!line || !column) return null;
  return text.split("\n", line - 1).join("\n").length + Math.min(line - 1, 1) + column - 1;
}

/** Return a query with the PREFIX lines that it lacks for the prefixes that it uses. */
export function withPrefixes(query: string, prefixes: Record<string, string>): string {
  const missing = Object.entries(prefixes).filter(
    ([prefix]) =>
      new RegExp(`(?<![\\w<:/#.-])${prefix}:(?!//)`).test(query) &&
      !new RegExp(`PREFIX\\s+${prefix}:`, "i").test(query),
  );
  return missing.map(([prefix, namespace]) => `PREFIX ${prefix}: <${namespace}>\n`).join("") + query;
}

/** Tell whether a query is SPARQL and not SQL, which answers from tables have: only SPARQL has variables and groups. */
export const isSparql = (query: string): boolean => /[{?]/.test(query) || !/^\s*(WITH|SELECT)\b/i.test(query);

/** What stands in an editor before anything was written. */
export const EMPTY_QUERY = "SELECT ?thing ?class\nWHERE {\n  ?thing a ?class .\n}\nLIMIT 20";

export const KEYWORDS = (
  "SELECT ASK DISTINCT WHERE FILTER OPTIONAL UNION MINUS VALUES BIND GROUP ORDER BY HAVING LIMIT OFFSET ASC DESC AS " +
  "NOT EXISTS IN PREFIX COUNT SUM AVG MIN MAX SAMPLE GROUP_CONCAT STR LANG DATATYPE REGEX CONTAINS STRSTARTS YEAR MONTH " +
  "DAY NOW BOUND COALESCE IF ABS ROUND LCASE UCASE"
).split(" ");
