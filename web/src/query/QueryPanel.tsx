/** A query that can be changed and run again, under the guard; and be kept as the right one for a question. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Views } from "../answer/Views";
import { giveFeedback, runQuery } from "../api/client";
import type { QueryResult, Turn } from "../api/types";
import { replaceTurn } from "../ask/dialogue";
import { FailureNote } from "../page/failure";
import { may } from "../page/server";
import { asSeconds, t } from "../words";
import { remember } from "./history";
import { QueryEditor } from "./QueryEditor";
import { withPrefixes } from "./terms";

interface Given {
  query: string;
  graph: string;
  prefixes: Record<string, string>;
  /** The turn whose query it is. */
  turn?: Turn;
}

export function QueryPanel({ query, graph, prefixes, turn }: Given) {
  const [text, setText] = useState(query);
  const [opened, setOpened] = useState(0); // how often the editor was opened anew
  const [result, setResult] = useState<QueryResult | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [note, setNote] = useState("");
  const [running, setRunning] = useState<AbortController | null>(null);
  const stopping = useRef<AbortController | null>(null);
  useEffect(
    () => () => {
      stopping.current?.abort();
    },
    [],
  );

  const run = async () => {
    if (!may("query") || stopping.current) return;
    const mine = new AbortController();
    stopping.current = mine;
    setRunning(mine);
    setFailure(null);
    setNote("");
    try {
      setResult(await runQuery(graph, withPrefixes(text, prefixes), mine.signal));
      if (!turn) remember({ graph, query: text });
    } catch (error) {
      setResult(null);
      if (!mine.signal.aborted) setFailure(error);
    } finally {
      stopping.current = null;
      setRunning(null);
    }
  };
  const keep = async () => {
    if (!turn) return;
    try {
      const feedback = await giveFeedback(turn.id, "corrected", withPrefixes(text, prefixes));
      replaceTurn({ ...turn, feedback });
      setNote(`${t("thanks")} ${t(feedback.used ? "feedbackUsed" : "feedbackKept")}`);
    } catch (error) {
      setFailure(error);
    }
  };

  return (
    <section class="query-panel" aria-label={t("theQuery")}>
      <QueryEditor
        key={opened}
        text={text}
        graph={graph}
        prefixes={prefixes}
        onChange={setText}
        onRun={() => void run()}
      />
      <p class="quiet">{may("query") ? t("editorHint") : t("notAllowedQuery")}</p>
      <div class="under">
        {running ? (
          <button key="stop" type="button" class="stop" onClick={() => running.abort()}>
            {t("stop")}
          </button>
        ) : (
          <button key="run" type="button" class="primary" disabled={!may("query")} onClick={() => void run()}>
            {t("run")}
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            void navigator.clipboard.writeText(text).then(() => setNote(t("copied")));
          }}
        >
          {t("copy")}
        </button>
        {text !== query && (
          <button
            type="button"
            onClick={() => {
              setText(query);
              setOpened(opened + 1);
            }}
          >
            {t("reset")}
          </button>
        )}
        {turn && result && (
          <button type="button" onClick={() => void keep()}>
            {t("keepAsRight")}
          </button>
        )}
        <span role="status" class="quiet">
          {running ? t("working") : note || (result && t("ranIn", { n: asSeconds(result.seconds) }))}
        </span>
      </div>
      {failure !== null && <FailureNote failure={failure} />}
      {result && result.boolean !== null && <p class="headline">{t(result.boolean ? "yes" : "no")}</p>}
      {result?.boolean === null && <Views table={result} graph={graph} caption={t("theQuery")} isOpen />}
    </section>
  );
}
