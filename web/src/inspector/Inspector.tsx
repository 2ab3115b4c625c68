/** How an answer came about: the facts, the steps, what they cost, and what others said. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { getTurn } from "../api/client";
import type { Answer, Trace, Turn } from "../api/types";
import { Choice } from "../page/Choice";
import { useLoaded, When } from "../page/loading";
import { asPercent, t } from "../words";
import { rungName } from "../words/parts";
import { Costs } from "./Costs";
import { FactGraph } from "./FactGraph";
import { Steps } from "./Steps";

type Part = "facts" | "steps" | "costs" | "otherRungs";

export function Inspector({ turn }: { turn: Turn }) {
  const answer = turn.answer ?? turn.unknown?.guess ?? null;
  const parts: Part[] = ["steps", "costs"];
  if (answer?.facts.length) parts.unshift("facts");
  if (answer?.below.length) parts.push("otherRungs");
  const [part, setPart] = useState<Part>(parts[0] ?? "steps");
  return (
    <section class="inspector" aria-label={t("howCome")}>
      <Choice label={t("howCome")} names={parts} chosen={part} onChoose={setPart} />
      {part === "facts" && answer && <FactGraph answer={answer} graph={turn.graph} />}
      {part === "steps" && <WithTrace turn={turn}>{(trace) => <Steps steps={trace.steps} />}</WithTrace>}
      {part === "costs" && <WithTrace turn={turn}>{(trace) => <Costs trace={trace} />}</WithTrace>}
      {part === "otherRungs" && answer && <Below below={answer.below} />}
    </section>
  );
}

function WithTrace({ turn, children }: { turn: Turn; children: (trace: Trace) => ComponentChildren }) {
  const loaded = useLoaded(() => getTurn(turn.id).then((found) => found.trace ?? turn.trace), [turn.id]);
  return <When loaded={loaded}>{(trace) => (trace ? children(trace) : <p class="quiet">{t("noSteps")}</p>)}</When>;
}

function Below({ below }: { below: Answer["below"] }) {
  return (
    <ul class="below">
      {below.map((one, at) => (
        <li key={at}>
          <strong>{one.rung ? rungName(one.rung) : ""}</strong> ({asPercent(one.confidence)}):{" "}
          <span dir="auto">{one.text || t("nothing")}</span>
          {one.query && <pre tabIndex={0}>{one.query}</pre>}
        </li>
      ))}
    </ul>
  );
}
