/** How sure an answer is, and why: words that were not used, names taken for others, doubts. */

import type { Answer } from "../api/types";
import { asPercent, t, type Key } from "../words";

const SURE = 0.8;
const GUESS = 0.5;

const SOURCES: Record<Exclude<Answer["source"], "graph">, Key> = {
  table: "fromTable",
  passages: "fromPassages",
  documents: "fromDocuments",
  model: "fromKnowledge",
};

/** Return the word for a confidence. */
export function certaintyOf(confidence: number): Key {
  return confidence >= SURE ? "sure" : confidence >= GUESS ? "likely" : "guess";
}

export function Certainty({ answer }: { answer: Answer }) {
  const level = certaintyOf(answer.confidence);
  // Answers of the paper's phases are ranked by their confidence only: they have a method, but no rung.
  const isRank = answer.method === "model" && answer.rung === null;
  const isClear = !answer.ignored.length && !answer.substituted.length && !answer.doubts.length;
  return (
    <details class={`certainty ${level}`}>
      <summary>
        <span class="unseen">{t("certainty")}: </span>
        <strong>{t(level)}</strong> {asPercent(answer.confidence)}
        {answer.source !== "graph" && <span> · {t(SOURCES[answer.source])}</span>}
        {answer.ignored.length > 0 && (
          <span>
            {" "}
            · {t("ignoredWords")}: {answer.ignored.join(", ")}
          </span>
        )}
        {answer.substituted.map((one) => (
          <span key={one.asked}> · {t("takenInstead", { asked: one.asked, taken: one.taken })}</span>
        ))}
      </summary>
      {answer.doubts.length > 0 && (
        <>
          <p>{t("doubts")}:</p>
          <ul>
            {answer.doubts.map((doubt) => (
              <li key={doubt.kind + doubt.text} dir="auto">
                {doubt.text}
              </li>
            ))}
          </ul>
        </>
      )}
      {isClear && <p>{t("nothingAgainst")}</p>}
      {isRank && <p class="quiet">{t("rankOnly")}</p>}
    </details>
  );
}
