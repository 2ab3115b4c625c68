/** What the graph is about, and questions that it surely answers. */

import { profileOf } from "../graph/profile";
import { useLoaded, When } from "../page/loading";
import { graph, graphInfo } from "../page/server";
import { asNumber, t } from "../words";
import { Chips } from "./Chips";

export function Samples() {
  const name = graph.value;
  const profile = useLoaded(() => profileOf(name), [name]);
  return (
    <section class="samples">
      <h1 dir="auto">{graphInfo.value?.title ?? name}</h1>
      {graphInfo.value?.description && <p dir="auto">{graphInfo.value.description}</p>}
      <When loaded={profile}>
        {(found) => (
          <>
            {found.questions.length > 0 && (
              <>
                <h2>{t("samples")}</h2>
                <Chips questions={found.questions} />
              </>
            )}
            <h2>{t("about")}</h2>
            <p class="quiet" dir="auto">
              {found.classes
                .filter((one) => !one.statement)
                .slice(0, 12)
                .map((one) => `${one.label} (${asNumber(one.instances)})`)
                .join(", ")}
            </p>
          </>
        )}
      </When>
    </section>
  );
}
