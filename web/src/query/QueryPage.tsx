/** Queries by themselves: an editor that knows the graph's terms, and the result. */

import { profileOf } from "../graph/profile";
import { useLoaded, When } from "../page/loading";
import { graph } from "../page/server";
import { t } from "../words";
import { QueryPanel } from "./QueryPanel";
import { EMPTY_QUERY } from "./terms";

export function QueryPage({ query }: { query: string }) {
  const name = graph.value;
  const profile = useLoaded(() => profileOf(name), [name]);
  return (
    <div class="column">
      <h1>{t("query")}</h1>
      <When loaded={profile}>
        {(found) => (
          <QueryPanel key={name + query} query={query || EMPTY_QUERY} graph={name} prefixes={found.prefixes} />
        )}
      </When>
    </div>
  );
}
