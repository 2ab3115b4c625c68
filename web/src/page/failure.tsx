/** What went wrong, in a sentence that a person can act on. */

import { Problem } from "../api/client";
import { asNumber, t } from "../words";
import { Plain } from "./Button";

export function FailureNote({ failure, onClose }: { failure: unknown; onClose?: () => void }) {
  const problem = failure instanceof Problem ? failure : null;
  const text = problem ? problem.message : failure instanceof TypeError ? t("lost") : String(failure);
  return (
    <div class="note failure" role="alert">
      <p>
        <strong>{problem?.details.title || t("failure")}</strong> {text !== problem?.details.title && text}
      </p>
      {problem?.details.errors?.map((one) => (
        <p key={one.where}>
          <code>{one.where}</code> {one.what}
        </p>
      ))}
      {problem?.retryAfter && <p>{t("retryIn", { n: asNumber(problem.retryAfter) })}</p>}
      {problem?.details.instance && <p class="quiet">{`${t("request")} ${problem.details.instance}`}</p>}
      {onClose && <Plain does={onClose}>{t("close")}</Plain>}
    </div>
  );
}
