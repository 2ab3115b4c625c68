/** A query that can be changed and run again, under the guard; and be kept as the right one for a question. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Views } from "../answer/Views";
import { explainQuery, giveFeedback, Problem, runQuery } from "../api/client";
import type { ExplainedQuery, QueryResult, Turn } from "../api/types";
import { replaceTurn } from "../ask/dialogue";
import { Button, Plain } from "../page/Button";
import { FailureNote } from "../page/failure";
import { FigureTable } from "../page/FigureTable";
import { may } from "../page/server";
import { asNumber, asSeconds, t } from "../words";
import { remember } from "./history";
import { QueryEditor } from "./QueryEditor";
import { withPrefixes } from "./terms";

const MOST = 100; // matches up to which the server counts
const counted = (count: number | null) => (count === null ? "" : `${count === MOST ? "≥ " : ""}${asNumber(count)}`);

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
  const [explained, setExplained] = useState<ExplainedQuery | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [note, setNote] = useState("");
  const [running, setRunning] = useState<AbortController | null>(null);
  const stopping = useRef<AbortController | null>(null);
  useEffect(() => () => stopping.current?.abort(), []);

  const write = (changed: string) => {
    setText(changed);
    setExplained(null);
  };
  const rewrite = (changed: string) => {
    write(changed);
    setOpened(opened + 1);
  };
  const send = async (work: (signal: AbortSignal) => Promise<void>) => {
    if (!may("query") || stopping.current) return;
    const mine = new AbortController();
    stopping.current = mine;
    setRunning(mine);
    setFailure(null);
    setNote("");
    try {
      await work(mine.signal);
    } catch (error) {
      setResult(null);
      if (!mine.signal.aborted) setFailure(error);
    } finally {
      stopping.current = null;
      setRunning(null);
    }
  };
  const run = () =>
    send(async (signal) => {
      setResult(await runQuery(graph, text, signal));
      if (!turn) remember({ graph, query: text });
    });
  const explain = () => send(async (signal) => setExplained(await explainQuery(graph, text, signal)));
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
    <section class="query-panel" aria-label={t("query")}>
      <QueryEditor
        key={opened}
        text={text}
        graph={graph}
        prefixes={prefixes}
        onChange={write}
        fault={failure instanceof Problem ? failure.message : ""}
        onRun={() => void run()}
      />
      <p class="quiet">{may("query") ? t("editorHint") : t("notAllowedQuery")}</p>
      <div class="under">
        {running ? (
          <Button key="stop" look="stop" does={() => running.abort()}>
            {t("stop")}
          </Button>
        ) : (
          <Button key="run" look="primary" disabled={!may("query")} does={run}>
            {t("run")}
          </Button>
        )}
        <Button disabled={!may("query")} does={explain}>
          {t("explain")}
        </Button>
        <Button does={() => navigator.clipboard.writeText(text).then(() => setNote(t("copied")))}>{t("copy")}</Button>
        {text !== query && <Button does={() => rewrite(query)}>{t("reset")}</Button>}
        {turn && result && <Button does={keep}>{t("keepAsRight")}</Button>}
        <span role="status" class="quiet">
          {running ? t("working") : note || (result && asSeconds(result.seconds))}
        </span>
      </div>
      {failure !== null && <FailureNote failure={failure} />}
      {explained && (
        <>
          {explained.words && <p dir="auto">{`${t("understoodAs")}: ${explained.words}`}</p>}
          <FigureTable
            heads={[t("query"), t("alone"), t("without"), t("examples")]}
            rows={explained.rows.map((one) => [one.part, counted(one.alone), counted(one.without), one.values])}
          />
          <p>
            <Plain does={() => rewrite(explained.query)}>{t("format")}</Plain>
          </p>
        </>
      )}
      {result && result.boolean !== null && <p class="headline">{t(result.boolean ? "yes" : "no")}</p>}
      {result?.boolean === null && <Views table={result} graph={graph} caption={t("table")} isOpen />}
    </section>
  );
}
