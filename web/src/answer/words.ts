/** What the words of a question became: what an answer leaves out, and what it takes for something else. */

import type { WordUse } from "../api/types";
import { t } from "../words";

/** Return the sentences on words that were not used, and on names that were taken for others. */
export function liberties(words: WordUse[]): string[] {
  const ignored = words.filter((one) => one.kind === "left_out").map((one) => one.words);
  const taken = words.filter((one) => one.kind === "instead");
  return [
    ...(ignored.length ? [`${t("ignoredWords")}: ${ignored.join(", ")}`] : []),
    ...taken.map((one) => t("takenInstead", { asked: one.words, taken: one.became })),
  ];
}
