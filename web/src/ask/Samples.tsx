/** What is in the graph, and questions that it surely answers. */

import { ValueView } from "../answer/ValueView";
import type { ClassInfo } from "../api/types";
import { knownOf, mainClasses, profileOf } from "../graph/profile";
import { useLoaded, When } from "../page/loading";
import { written } from "../page/route";
import { graph, graphInfo } from "../page/server";
import { asNumber, t } from "../words";
import { Chips } from "./Chips";

const CLASSES = 12;

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
            <ul class="cards">
              {mainClasses(found)
                .slice(0, CLASSES)
                .map((one) => (
                  <ClassCard key={one.iri} of={one} graph={name} />
                ))}
            </ul>
          </>
        )}
      </When>
    </section>
  );
}

function ClassCard({ of, graph: name }: { of: ClassInfo; graph: string }) {
  const known = useLoaded(() => knownOf(name, of.iri), [name, of.iri]);
  return (
    <li class="card">
      <div>
        <a href={written({ at: "graph", graph: name, iri: of.iri })} dir="auto">
          <strong>{of.label}</strong>
        </a>{" "}
        <span class="quiet">{asNumber(of.instances)}</span>
        {known.state === "there" && (
          <p class="quiet">
            {known.value.map((one, at) => (
              <span key={one.value}>
                {at > 0 && ", "}
                <ValueView value={one} graph={name} isPlain />
              </span>
            ))}
          </p>
        )}
      </div>
    </li>
  );
}
