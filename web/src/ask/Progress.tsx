/** A question on its way: its phases as they happen. */

import { useEffect, useState } from "preact/hooks";
import type { Phase } from "../api/types";
import { asNumber, asSeconds, t } from "../words";
import { PHASE_NAMES, phaseName } from "../words/parts";
import type { Pending } from "./dialogue";

export function Progress({ of }: { of: Pending }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const last = of.steps.at(-1);
  const counts = new Map<Phase, number>();
  for (const step of of.steps) counts.set(step.phase, (counts.get(step.phase) ?? 0) + 1);
  return (
    <article class="turn pending" aria-busy="true">
      <h2 dir="auto">{of.asked.question}</h2>
      <p role="status">
        {of.state === "away"
          ? t("away")
          : of.state === "queued"
            ? t("queued", { n: of.ahead })
            : last
              ? phaseName(last.phase)
              : t("working")}
        {" … "}
      </p>
      <ol class="phases">
        {PHASE_NAMES.map((phase) => (
          <li key={phase} class={phase === last?.phase ? "now" : counts.has(phase) ? "done" : ""}>
            {phaseName(phase)} {counts.has(phase) && <span class="quiet">{asNumber(counts.get(phase) ?? 0)}</span>}
          </li>
        ))}
      </ol>
      <p class="quiet" aria-hidden="true">
        {asSeconds(Math.floor((now - of.begun) / 1000))}
      </p>
    </article>
  );
}
