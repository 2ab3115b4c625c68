/** The turns of a conversation, and the question box under them; at the start the graph and the box, and what can be asked. */

import { useEffect, useRef } from "preact/hooks";
import { TurnView } from "../answer/TurnView";
import { FailureNote } from "../page/failure";
import { route } from "../page/route";
import { graphInfo } from "../page/server";
import { t } from "../words";
import { NextQuestions } from "./Chips";
import { draft, failure, open, pending, resume, startAnew, turns, wasStopped } from "./dialogue";
import { Progress } from "./Progress";
import { QuestionBox } from "./QuestionBox";
import { Hero, Samples } from "./Samples";

export function AskPage() {
  const place = useRef<HTMLDivElement>(null);
  const here = route.value;

  useEffect(() => {
    if (here.at === "conversation" || here.at === "turn") void open(here.at, here.id);
    else if (here.at === "ask") {
      if (pending.value) return;
      startAnew();
      // A link from elsewhere fills the box only: whoever follows it decides whether to ask.
      if (here.question) draft.value = here.question;
      else void resume();
    }
  }, [here]);

  useEffect(() => {
    const turn = here.at === "conversation" && here.turn ? document.getElementById(`turn-${here.turn}`) : null;
    // An answer may be longer than the window: its beginning is what is wanted.
    (turn ?? place.current?.querySelector(":scope > .turn:last-of-type"))?.scrollIntoView({ block: "start" });
  }, [turns.value.length, pending.value?.asked.key]);

  const last = turns.value.at(-1);
  const isStart = turns.value.length === 0 && !pending.value && here.at !== "turn";
  return (
    <div class={isStart ? "ask start" : "ask"}>
      <div class="turns" ref={place}>
        {isStart ? <Hero /> : <h1 class="unseen">{graphInfo.value?.title}</h1>}
        {turns.value.map((turn) => (
          <TurnView key={turn.id} turn={turn} />
        ))}
        {!pending.value && last?.outcome === "answer" && <NextQuestions turn={last} />}
        {pending.value && <Progress of={pending.value} />}
        {wasStopped.value && (
          <p class="note" role="status">
            {t("stopped")}
          </p>
        )}
        {failure.value !== null && (
          <FailureNote
            failure={failure.value}
            onClose={() => {
              failure.value = null;
            }}
          />
        )}
      </div>
      <p class="unseen" role="status" dir="auto">
        {!pending.value && (last?.reply ?? "")}
      </p>
      <QuestionBox />
      {isStart && <Samples />}
    </div>
  );
}
