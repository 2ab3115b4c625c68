/** How sure an answer is, and why: what its words became, names taken for others, doubts. */

import type { Answer } from "../api/types";
import { asPercent, t, type Key } from "../words";
import { certaintyOf } from "./views";
import { liberties } from "./words";

const SOURCES: Record<Exclude<Answer["source"], "graph">, Key> = {
  table: "fromTable",
  passages: "fromPassages",
  documents: "fromDocuments",
  model: "fromKnowledge",
};

export function Certainty({ answer }: { answer: Answer }) {
  const level = certaintyOf(answer.confidence);
  // Answers of the paper's phases are ranked by their confidence only: they have a method, but no rung.
  const isRank = answer.method === "model" && answer.rung === null;
  const freely = liberties(answer.words);
  const isClear = !freely.length && !answer.doubts.length;
  return (
    <details class={`certainty ${level}`}>
      <summary>
        <span class="unseen">{t("certainty")}: </span>
        <strong>{t(level)}</strong> {asPercent(answer.confidence)}
        {answer.source !== "graph" && <span> · {t(SOURCES[answer.source])}</span>}
        {freely.map((text) => (
          <span key={text}> · {text}</span>
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
      {isClear && <p>{t(answer.words.length ? "everyWord" : "nothingAgainst")}</p>}
      <ul>
        {answer.words.map((one) => (
          <li key={one.words + one.became} dir="auto">
            {one.words} → {one.became ? <strong>{one.became}</strong> : t("leftOut")}
          </li>
        ))}
      </ul>
      {isRank && <p class="quiet">{t("rankOnly")}</p>}
    </details>
  );
}
