/** Whether an answer was right. What was wrong can be corrected by its query, in the query editor. */

import { useState } from "preact/hooks";
import { giveFeedback, takeBackFeedback } from "../api/client";
import type { Turn } from "../api/types";
import { replaceTurn } from "../ask/dialogue";
import { FailureNote } from "../page/failure";
import { t } from "../words";

export function FeedbackButtons({ turn }: { turn: Turn }) {
  const [failure, setFailure] = useState<unknown>(null);
  const given = turn.feedback;
  const say = async (verdict: "right" | "wrong") => {
    try {
      const feedback =
        given?.verdict === verdict ? await takeBackFeedback(turn.id) : await giveFeedback(turn.id, verdict);
      replaceTurn({ ...turn, feedback });
      setFailure(null);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <div class="feedback" role="group" aria-label={t("feedback")}>
      <span class="quiet">{t("feedback")}</span>
      {(["right", "wrong"] as const).map((verdict) => (
        <button key={verdict} type="button" aria-pressed={given?.verdict === verdict} onClick={() => void say(verdict)}>
          {t(verdict)}
        </button>
      ))}
      <span class="quiet" role="status">
        {given && `${t("thanks")} ${t(given.used ? "feedbackUsed" : "feedbackKept")}`}
      </span>
      {failure !== null && <FailureNote failure={failure} />}
    </div>
  );
}
