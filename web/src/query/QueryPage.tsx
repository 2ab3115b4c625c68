/** Queries by themselves: examples from the graph, an editor that knows its terms, the result, and what was run before. */

import { profileOf } from "../graph/profile";
import { useLoaded, When } from "../page/loading";
import { written } from "../page/route";
import { graph } from "../page/server";
import { language, t } from "../words";
import { examplesOf } from "./examples";
import { history } from "./history";
import { QueryPanel } from "./QueryPanel";
import { EMPTY_QUERY } from "./terms";

export function QueryPage({ query }: { query: string }) {
  const name = graph.value;
  const profile = useLoaded(() => profileOf(name, language.value), [name, language.value]);
  return (
    <div class="column">
      <h1>{t("query")}</h1>
      <When loaded={profile}>
        {(found) => (
          <>
            <Queries title={t("examples")} graph={name} of={examplesOf(found)} />
            <QueryPanel key={name + query} query={query || EMPTY_QUERY} graph={name} prefixes={found.prefixes} />
            <Queries
              title={t("asked")}
              graph={name}
              of={history.value
                .filter((one) => one.graph === name)
                .map((one) => ({ name: one.query.replace(/\s+/g, " "), query: one.query }))}
            />
          </>
        )}
      </When>
    </div>
  );
}

function Queries({ title, graph, of }: { title: string; graph: string; of: { name: string; query: string }[] }) {
  if (!of.length) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {of.map((one) => (
          <li key={one.query}>
            <a href={written({ at: "query", graph, query: one.query })} dir="auto">
              {one.name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
