/** Questions that surely have an answer, to be asked by a click. */

import type { SureQuestion, Turn } from "../api/types";
import { getNextQuestions } from "../api/client";
import { useLoaded } from "../page/loading";
import { t } from "../words";
import { go, route } from "../page/route";
import { graph } from "../page/server";
import { askQuestion, startAnew } from "./dialogue";

/** Ask here; from elsewhere on the page in a new conversation. */
function ask(question: string): void {
  const isElsewhere = route.value.at === "graph";
  if (isElsewhere) startAnew();
  void askQuestion(question);
  if (isElsewhere) go({ at: "ask", graph: graph.value, question: "" });
}

export function Chips({ questions }: { questions: SureQuestion[] }) {
  return (
    <ul class="chips" aria-label={t("samples")}>
      {questions.map((one) => (
        <li key={one.question}>
          <button type="button" dir="auto" onClick={() => ask(one.question)}>
            {one.question}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** What an answer invites to ask; it comes after the answer, and where it cannot be had nothing is missed. */
export function NextQuestions({ turn }: { turn: Turn }) {
  const loaded = useLoaded(() => getNextQuestions(turn.id), [turn.id]);
  return loaded.state === "there" && loaded.value.length > 0 ? <Chips questions={loaded.value} /> : null;
}
