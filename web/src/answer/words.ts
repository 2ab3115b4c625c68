/** What the words of a question became: what an answer leaves out, and what it takes for something else. */

import type { Answer, WordUse } from "../api/types";
import { t } from "../words";

/** Return what the words became; where it is not known of each, what names were taken for. */
export const usesOf = ({ words, links }: Answer): WordUse[] =>
  words.length
    ? words
    : Object.entries(links).map(([mention, { label }]) => ({ words: mention, kind: "name", became: label }));

/** Return the sentences on words that were not used, and on names that were taken for others. */
export function liberties(words: WordUse[]): string[] {
  const ignored = words.filter((one) => one.kind === "left_out").map((one) => one.words);
  const taken = words.filter((one) => one.kind === "instead");
  return [
    ...(ignored.length ? [`${t("ignoredWords")}: ${ignored.join(", ")}`] : []),
    ...taken.map((one) => t("takenInstead", { asked: one.words, taken: one.became })),
  ];
}
