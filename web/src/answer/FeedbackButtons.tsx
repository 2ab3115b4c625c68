/** Whether an answer was right; of a wrong one, what was wrong: a word that became something else, a lack, or one's own words. */

import { useState } from "preact/hooks";
import { giveFeedback, takeBackFeedback } from "../api/client";
import type { Turn } from "../api/types";
import { replaceTurn } from "../ask/dialogue";
import { FailureNote } from "../page/failure";
import { t } from "../words";
import { Readings } from "./Readings";
import { usesOf } from "./words";

const LONGEST = 1000; // letters of what one says

export function FeedbackButtons({ turn }: { turn: Turn }) {
  const [failure, setFailure] = useState<unknown>(null);
  const given = turn.feedback;
  const answer = turn.answer ?? turn.unknown?.guess;
  const isAnswer = turn.outcome === "answer";
  const became = (answer ? usesOf(answer) : []).map((one) => `${one.words} → ${one.became || t("leftOut")}`);
  const say = async (judged: Promise<Turn["feedback"]>) => {
    try {
      replaceTurn({ ...turn, feedback: await judged });
      setFailure(null);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <div class="feedback" role="group" aria-label={t("feedback")}>
      <span class="quiet">{t("feedback")}</span>
      {(["right", "wrong"] as const).map((verdict) => (
        <button
          key={verdict}
          type="button"
          aria-pressed={given?.verdict === verdict}
          onClick={() =>
            void say(given?.verdict === verdict ? takeBackFeedback(turn.id) : giveFeedback(turn.id, verdict))
          }
        >
          {t(verdict)}
        </button>
      ))}
      <span class="quiet" role="status">
        {given && `${t("thanks")} ${t(given.used ? "feedbackUsed" : "feedbackKept")}`}
      </span>
      {given?.verdict === "wrong" && given.comment === null && (
        <form
          class="wrong"
          onSubmit={(event) => {
            event.preventDefault();
            const said = new FormData(event.currentTarget).getAll("said").map(String);
            void say(giveFeedback(turn.id, "wrong", undefined, said.filter(Boolean).join("; ")));
          }}
        >
          <strong>{t("whatWrong")}</strong>
          {[...became, t("lacking")].map((one) => (
            <label key={one} dir="auto">
              <input type="checkbox" name="said" value={one} /> {one}
            </label>
          ))}
          <input name="said" dir="auto" aria-label={t("whatWrong")} maxLength={LONGEST} class="push" />
          <button>{t("save")}</button>
        </form>
      )}
      {given?.verdict === "wrong" && (
        <Readings title={t("didYouMean")} readings={(isAnswer && answer?.readings) || []} />
      )}
      {failure !== null && <FailureNote failure={failure} />}
    </div>
  );
}
