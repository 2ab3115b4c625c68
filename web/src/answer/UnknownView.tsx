/** "I don't know": why, what is near, what would be known, and the best guess for whoever wants it. */

import type { Turn, Unknown } from "../api/types";
import { askQuestion, pending } from "../ask/dialogue";
import { profileOf } from "../graph/profile";
import { useLoaded, When } from "../page/loading";
import { asPercent, language, t } from "../words";
import { AnswerView } from "./AnswerView";
import { Readings } from "./Readings";
import { Citations } from "./Sentences";
import { liberties } from "./words";

const KNOWN = 3; // questions that would be known

export function UnknownView({ unknown, turn }: { unknown: Unknown; turn: Turn }) {
  const profile = useLoaded(() => profileOf(turn.graph, language.value), [turn.graph, language.value]);
  const question = turn.standalone || turn.question;
  const helpful =
    unknown.reasons.find((one) => one.near.length) ?? unknown.reasons.find((one) => one.kind === "relation");
  const reason = helpful ?? unknown.reasons[0];
  return (
    <div class="unknown">
      <p class="headline">{t("unknown")}</p>
      {reason && <p dir="auto">{reason.text}</p>}
      {reason && reason.near.length > 0 && (
        <ul class="chips" aria-label={t("names")}>
          {reason.near.map((name) => (
            <li key={name}>
              <button
                type="button"
                disabled={pending.value !== null}
                onClick={() => void askQuestion(reason.words ? question.replace(reason.words, () => name) : name)}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {liberties(unknown.words).map((text) => (
        <p key={text}>{text}</p>
      ))}
      <Readings title={t("didYouMean")} readings={unknown.readings} />
      <When loaded={profile}>
        {(found) => (
          <Readings
            title={t("samples")}
            readings={found.questions.slice(0, KNOWN).map((one) => ({ text: one.question }))}
          />
        )}
      </When>
      <Citations title={t("passages")} citations={unknown.passages} turn={turn.id} graph={turn.graph} />
      {unknown.guess && (
        <details class="guess">
          <summary>
            {t("guess")} ({asPercent(unknown.guess.confidence)})
          </summary>
          <AnswerView answer={unknown.guess} turn={turn} />
        </details>
      )}
    </div>
  );
}
