/** How sure an answer is, and why: what its words became, names taken for others, doubts. */

import type { Answer } from "../api/types";
import { written } from "../page/route";
import { asPercent, t, type Key } from "../words";
import { certaintyOf, GUESS, SURE } from "./views";
import { liberties, usesOf } from "./words";

const SOURCES: Record<Exclude<Answer["source"], "graph">, Key> = {
  table: "fromTable",
  passages: "fromPassages",
  documents: "fromDocuments",
  model: "fromKnowledge",
};

export function Certainty({ answer, graph }: { answer: Answer; graph: string }) {
  const level = certaintyOf(answer.confidence);
  // Answers of the paper's phases are ranked by their confidence only: they have a method, but no rung.
  const isRank = answer.method === "model" && answer.rung === null;
  const freely = liberties(answer.words);
  const links = Object.entries(answer.links);
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
      <dl class="gloss">
        {usesOf(answer).map(({ words, kind, became }) => {
          const link = links.find(([name, { label }]) => words.includes(name) && became.includes(label))?.[1];
          return (
            <div key={words + became} class={kind} dir="auto">
              <dt>{words}</dt>
              <dd>
                {link ? <a href={written({ at: "graph", graph, iri: link.iri })}>{became}</a> : became || t("leftOut")}
              </dd>
            </div>
          );
        })}
      </dl>
      <p class="quiet">
        {isRank
          ? t("rankOnly")
          : t("numberMeans", {
              n: Math.round(100 * answer.confidence),
              sure: asPercent(SURE),
              likely: asPercent(GUESS),
            })}
      </p>
    </details>
  );
}
