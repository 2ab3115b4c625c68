/** The board: answers that are given again when it is opened and when their graph changes; or one, by its link. */

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Headline } from "../answer/AnswerView";
import { thingsIn, useThings } from "../answer/things";
import { Views } from "../answer/Views";
import { getPinned, putPin } from "../api/client";
import type { Pin, Pinned } from "../api/types";
import { FailureNote } from "../page/failure";
import { useLoaded, When } from "../page/loading";
import { asMoment, t } from "../words";
import { board, isPinned, refreshBoard } from "./board";
import { PinButton } from "./PinButton";

const LOOKS = 30_000; // milliseconds after which it is asked whether a graph has changed
const AGAIN = 10; // looks after which an answer is given again whose graph does not tell

let before: Promise<unknown> = Promise.resolve();

/** Have an answer given after those before it: the server runs one query of each who asks, and waiting takes its time. */
function inTurn(id: string): Promise<Pinned> {
  const given = before.then(() => getPinned(id));
  before = given.catch(() => undefined);
  return given;
}

export function BoardPage({ id }: { id: string }) {
  const [looks, setLooks] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const refresh = (done?: Promise<null>) => void refreshBoard(done).then(() => setFailure(null), setFailure);
  useEffect(() => {
    const timer = setInterval(() => {
      setLooks((known) => known + 1);
      if (!document.hidden) refresh();
    }, LOOKS);
    refresh();
    return () => clearInterval(timer);
  }, []);
  const pins = id ? [{ id, question: "", state: "" }] : board.value;
  return (
    <div class="column">
      <h1 class={id && "unseen"}>{t("board")}</h1>
      {failure !== null && <FailureNote failure={failure} />}
      {pins.length === 0 && <p>{t("aboutBoard", { pin: t("pin") })}</p>}
      <ul class="cards board">
        {pins.map((pin, at) => (
          <Card key={pin.id} of={pin} state={pin.state ?? Math.floor(looks / AGAIN)}>
            {at > 0 && (
              <button type="button" aria-label={`↑ ${pin.question}`} onClick={() => refresh(putPin(pin.id, at - 1))}>
                ↑
              </button>
            )}
          </Card>
        ))}
      </ul>
    </div>
  );
}

interface Given {
  of: Pick<Pin, "id" | "question">;
  /** With another one the answer is given again. */
  state: string | number;
  children: ComponentChildren;
}

function Card({ of: { id, question }, state, children }: Given) {
  const loaded = useLoaded(() => inTurn(id), [id, state]);
  return (
    <li class="card">
      <h2 dir="auto">{loaded.state === "there" ? loaded.value.question : question}</h2>
      <When loaded={loaded}>{(pin) => <Found of={pin} />}</When>
      {isPinned(id) && (
        <footer class="under">
          <PinButton id={id} />
          {children}
        </footer>
      )}
    </li>
  );
}

function Found({ of: { found, graph, question, query, at } }: { of: Pinned }) {
  const iris = useMemo(() => thingsIn(found), [found]);
  const things = useThings(graph, iris);
  const isList = found.variables.length < 2;
  const values = found.rows.flatMap(([value]) => value ?? []);
  return (
    <>
      {isList && <Headline answer={{ boolean: found.boolean, values, text: "" }} graph={graph} />}
      {found.rows.length > 0 && (
        <Views table={found} graph={graph} caption={question} things={things} isOpen={!isList} isDrawn />
      )}
      <details class="quiet">
        <summary>
          {t("query")} · <time dateTime={at}>{asMoment(at)}</time>
        </summary>
        <pre tabIndex={0}>{query}</pre>
      </details>
    </>
  );
}
