/** The page: where one can go at the top, the conversations at the side, and what was chosen. */

import { useState } from "preact/hooks";
import { AskPage } from "../ask/AskPage";
import { BoardPage } from "../board/BoardPage";
import { ConversationList } from "../conversations/ConversationList";
import { GraphPage } from "../graph/GraphPage";
import { QueryPage } from "../query/QueryPage";
import icon from "../icon.svg";
import { parameters } from "../api/client";
import { ReportsPage } from "../reports/ReportsPage";
import { t } from "../words";
import { FailureNote } from "./failure";
import { KeyGate } from "./KeyGate";
import { route, written } from "./route";
import { graph, graphs, hasReports, may } from "./server";
import { Settings } from "./Settings";

const PLACES = ["ask", "graph", "query", "board", "reports"] as const;

export function Page({ failure }: { failure: unknown }) {
  const here = route.value;
  const [isOpen, setOpen] = useState(false);
  if (failure !== null)
    return (
      <main class="gate">
        <FailureNote failure={failure} />
      </main>
    );
  if (!may("ask")) return <KeyGate />;
  const place = here.at === "conversation" || here.at === "turn" ? "ask" : here.at;
  const isThere = {
    ask: true,
    graph: true,
    query: may("query"),
    board: true,
    reports: may("admin") || hasReports.value,
  };
  const at = (one: typeof place) => `#/${one === "ask" ? "" : one}${parameters({ graph: graph.value })}`;
  return (
    <div class={isOpen ? "page side-open" : "page"}>
      {place === "ask" && (
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
      )}
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
              location.hash = here.at === "query" ? written({ ...here, graph: graph.value }) : at(place);
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
          {PLACES.filter((one) => isThere[one]).map((one) => (
            <a
              key={one}
              href={at(one)}
              class={one === "reports" ? "quiet" : ""}
              aria-current={one === place ? "page" : undefined}
            >
              {t(one)}
            </a>
          ))}
        </nav>
        <Settings />
      </header>
      <aside>
        <ConversationList onChosen={() => setOpen(false)} />
      </aside>
      <main>
        {place === "ask" && <AskPage />}
        {here.at === "graph" && <GraphPage iri={here.iri} />}
        {here.at === "query" && <QueryPage query={here.query} />}
        {here.at === "board" && <BoardPage key={here.id} id={here.id} />}
        {here.at === "reports" && <ReportsPage name={here.name} />}
      </main>
    </div>
  );
}
