/** The page: where one can go at the top, the conversations at the side, and what was chosen. */

import { useEffect, useState } from "preact/hooks";
import { AskPage } from "../ask/AskPage";
import { BoardPage } from "../board/BoardPage";
import { ConversationList } from "../conversations/ConversationList";
import { GraphPage } from "../graph/GraphPage";
import { QueryPage } from "../query/QueryPage";
import icon from "../icon.svg";
import { ReportsPage } from "../reports/ReportsPage";
import { t, type Key } from "../words";
import { FailureNote } from "./failure";
import { KeyGate } from "./KeyGate";
import { go, route, written, type Route } from "./route";
import { graph, graphs, hasReports, may, session } from "./server";
import { Settings } from "./Settings";

export function Page({ failure }: { failure: unknown }) {
  const here = route.value;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if ("graph" in here && here.graph && graphs.value.some((one) => one.name === here.graph)) graph.value = here.graph;
  }, [here]);

  if (failure !== null)
    return (
      <main class="gate">
        <FailureNote failure={failure} />
      </main>
    );
  if (!session.value) return <main class="gate" aria-busy="true" />;
  if (!may("ask")) return <KeyGate />;
  const isAsking = here.at === "ask" || here.at === "conversation" || here.at === "turn";
  return (
    <div class={isOpen ? "page side-open" : "page"}>
      <a
        class="skip"
        href="#question"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("question")?.focus();
        }}
      >
        {t("skip")}
      </a>
      <header>
        <button
          type="button"
          class="side-button plain"
          aria-label={t("conversations")}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          ☰
        </button>
        <a class="brand" href="#/" aria-label="Triad">
          <img src={icon} alt="" width={28} height={28} /> <span>Triad</span>
        </a>
        {graphs.value.length > 1 && (
          <select
            aria-label={t("graphs")}
            value={graph.value}
            onChange={(event) => {
              graph.value = event.currentTarget.value;
              go(here.at === "query" ? { ...here, graph: graph.value } : at(isAsking ? "ask" : here.at));
            }}
          >
            {graphs.value.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </select>
        )}
        <nav aria-label={t("view")}>
          <Tab to={at("ask")} word="ask" isHere={isAsking} />
          <Tab to={at("graph")} word="graph" isHere={here.at === "graph"} />
          {may("query") && <Tab to={at("query")} word="query" isHere={here.at === "query"} />}
          <Tab to={at("board")} word="board" isHere={here.at === "board"} />
          {(may("admin") || hasReports.value) && (
            <Tab to={at("reports")} word="reports" isHere={here.at === "reports"} isQuiet />
          )}
        </nav>
        <Settings />
      </header>
      <aside>
        <ConversationList onChosen={() => setOpen(false)} />
      </aside>
      <main>
        {isAsking && <AskPage />}
        {here.at === "graph" && <GraphPage iri={here.iri} />}
        {here.at === "query" && <QueryPage query={here.query} />}
        {here.at === "board" && <BoardPage key={here.id} id={here.id} />}
        {here.at === "reports" && <ReportsPage name={here.name} />}
      </main>
    </div>
  );
}

function at(place: Route["at"]): Route {
  const name = graph.value;
  if (place === "graph") return { at: "graph", graph: name, iri: "" };
  if (place === "query") return { at: "query", graph: name, query: "" };
  if (place === "board") return { at: "board", id: "" };
  if (place === "reports") return { at: "reports", name: "" };
  return { at: "ask", graph: name, question: "" };
}

function Tab({ to, word, isHere, isQuiet }: { to: Route; word: Key; isHere: boolean; isQuiet?: boolean }) {
  return (
    <a href={written(to)} class={isQuiet ? "quiet" : ""} aria-current={isHere ? "page" : undefined}>
      {t(word)}
    </a>
  );
}
