/** The calls on the way to an answer, phase by phase; prompts and replies where the server gives them. */

import type { Phase, Step } from "../api/types";
import { asMoney, asNumber, asSeconds, t } from "../words";
import { phaseName, rungName } from "../words/parts";

const SERVICES = { model: "model", graph: "graph", index: "names", tables: "table", passages: "texts" } as const;
const GIST = 60; // letters of a reply that are read at a glance
const SLOW = 0.1; // seconds that are worth a word

export function Steps({ steps }: { steps: Step[] }) {
  if (!steps.length) return <p class="quiet">{t("noSteps")}</p>;
  const told = steps.filter((step) => step.request || step.reply || step.prompt || step.error);
  const isHidden = steps.some((step) => step.service === "model" && step.prompt === null);
  return (
    <div class="steps">
      {isHidden && <p class="quiet">{t("promptsHidden")}</p>}
      {runs(told).map(([phase, those]) => (
        <section key={those[0]?.number}>
          <h4>{phaseName(phase)}</h4>
          <ol start={those[0]?.number}>
            {those.map((step) => (
              <StepView key={step.number} step={step} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function StepView({ step }: { step: Step }) {
  const { usage } = step;
  return (
    <li class={step.error ? "failed" : ""}>
      <details>
        <summary>
          {t(SERVICES[step.service])}: {step.action.replaceAll("_", " ")}
          {step.reply && <span dir="auto"> → {step.reply.slice(0, GIST)}</span>}{" "}
          <span class="quiet">
            {step.seconds >= SLOW && asSeconds(step.seconds)}
            {step.rung && ` · ${rungName(step.rung)}`}
            {step.role && ` · ${step.role.replaceAll("_", " ")}`}
            {step.attempt > 1 && ` · ${t("attempt", { n: step.attempt })}`}
            {usage.calls + usage.cached > 0 &&
              ` · ${asNumber(usage.input_tokens)} → ${asNumber(usage.output_tokens)} · ${asMoney(usage.money)}`}
          </span>
          {step.error && <em class="warning"> {step.error}</em>}
        </summary>
        {step.prompt?.map((message, at) => (
          <Text key={at} title={`${t("prompt")}: ${message.role}`} text={message.content} />
        ))}
        <Text title={t("request")} text={step.request} />
        <Text title={t("reply")} text={step.reply} />
      </details>
    </li>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  if (!text) return null;
  return (
    <>
      <h5>{title}</h5>
      <pre tabIndex={0} dir="auto">
        {text}
      </pre>
    </>
  );
}

/** Return the steps in runs of the same phase, in order. */
function runs(steps: Step[]): [Phase, Step[]][] {
  const found: [Phase, Step[]][] = [];
  for (const step of steps) {
    const last = found.at(-1);
    if (last?.[0] === step.phase) last[1].push(step);
    else found.push([step.phase, [step]]);
  }
  return found;
}
