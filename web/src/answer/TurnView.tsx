/** A turn: the question, how it was understood, the answer, and all that can be asked about it. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Turn } from "../api/types";
import { askQuestion, pending } from "../ask/dialogue";
import { isPinned } from "../board/board";
import { PinButton } from "../board/PinButton";
import { Inspector } from "../inspector/Inspector";
import { written } from "../page/route";
import { may } from "../page/server";
import { QueryPanel } from "../query/QueryPanel";
import { EMPTY_QUERY } from "../query/terms";
import { asMoment, asSeconds, t } from "../words";
import { AnswerView } from "./AnswerView";
import { FeedbackButtons } from "./FeedbackButtons";
import { UnknownView } from "./UnknownView";

const NO_PREFIXES = {};

export function TurnView({ turn }: { turn: Turn }) {
  const [opened, setOpened] = useState<"query" | "inspector" | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.scrollIntoView({ block: "nearest" });
  }, [opened]);
  const answer = turn.answer ?? turn.unknown?.guess ?? null;
  // Where no query was found, one can be written: the next question like this is then answered by it.
  const canWrite = may("query");
  const isUnderstood = turn.standalone !== "" && turn.standalone !== turn.question && turn.kind !== "social";
  const toggle = (what: "query" | "inspector") => {
    setOpened(opened === what ? null : what);
  };
  const time = <time dateTime={turn.at}>{asMoment(turn.at)}</time>;
  return (
    <article class="turn" id={`turn-${turn.id}`} aria-label={turn.question}>
      <h2 dir="auto">{turn.question}</h2>
      {isUnderstood && (
        <p class="understood quiet">
          {t("understoodAs")}: <span dir="auto">{turn.standalone}</span>
        </p>
      )}
      <div class="answer">
        {turn.outcome === "answer" && turn.answer ? (
          <AnswerView answer={turn.answer} turn={turn} />
        ) : turn.outcome === "unknown" && turn.unknown ? (
          <UnknownView unknown={turn.unknown} turn={turn} />
        ) : (
          <p class="reply" dir="auto">
            {turn.options.length ? t("whichOne") : turn.reply}
          </p>
        )}
        {turn.options.length > 0 && (
          <ol class="options" aria-label={t("whichOne")}>
            {turn.options.map((option) => (
              <li key={option.label}>
                <button
                  type="button"
                  dir="auto"
                  disabled={pending.value !== null}
                  onClick={() => void askQuestion(turn.conversation ? option.label : option.question)}
                >
                  {option.label}
                </button>
              </li>
            ))}
          </ol>
        )}
      </div>
      <footer>
        <span class="quiet">
          {isPinned(turn.id) ? time : <a href={written({ at: "turn", id: turn.id })}>{time}</a>} ·{" "}
          {asSeconds(Math.ceil(10 * turn.seconds) / 10)}
        </span>
        {turn.outcome === "answer" && answer?.source === "graph" && answer.query && <PinButton id={turn.id} />}
        {(answer?.query || (canWrite && turn.outcome !== "said")) && (
          <button type="button" aria-expanded={opened === "query"} onClick={() => toggle("query")}>
            {t("query")}
          </button>
        )}
        {turn.outcome !== "said" && (
          <button type="button" aria-expanded={opened === "inspector"} onClick={() => toggle("inspector")}>
            {t("howCome")}
          </button>
        )}
        {turn.outcome !== "said" && <FeedbackButtons turn={turn} />}
      </footer>
      {opened && (
        <div ref={panel} class="opened">
          {opened === "query" && (
            <QueryPanel
              query={answer?.query ?? EMPTY_QUERY}
              graph={turn.graph}
              prefixes={answer?.prefixes ?? NO_PREFIXES}
              turn={turn}
            />
          )}
          {opened === "inspector" && <Inspector turn={turn} />}
        </div>
      )}
    </article>
  );
}
