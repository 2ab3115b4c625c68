/** What the graph says of one thing: what it is, what it has, and what leads to it; of a class, which things it has. */

import { webAddress } from "../answer/links";
import { Picture } from "../answer/ThingCard";
import { ValueItems } from "../answer/ValueView";
import { placeOf } from "../answer/views";
import { Views } from "../answer/Views";
import { WorldMap } from "../answer/WorldMap";
import { getInstances, getQuestionsAbout, getThings } from "../api/client";
import type { Relation, Thing } from "../api/types";
import { Chips } from "../ask/Chips";
import { useLoaded, When } from "../page/loading";
import { written } from "../page/route";
import { t } from "../words";
import { factsOf } from "./facts";

export function ThingPage({ graph, iri }: { graph: string; iri: string }) {
  const thing = useLoaded(() => getThings(graph, [iri]), [graph, iri]);
  const instances = useLoaded(() => getInstances(graph, iri), [graph, iri]);
  const questions = useLoaded(() => getQuestionsAbout(graph, iri), [graph, iri]);
  return (
    <article class="thing">
      <p>
        <a href={written({ at: "graph", graph, iri: "" })}>‹ {t("about")}</a>
      </p>
      <When loaded={thing}>{(found) => found.map((one) => <ThingView key={one.iri} thing={one} graph={graph} />)}</When>
      {instances.state === "there" && instances.value.rows.length > 0 && (
        <section>
          <h2>{t("things")}</h2>
          <Views table={instances.value} graph={graph} caption={t("things")} isOpen />
        </section>
      )}
      {questions.state === "there" && questions.value.length > 0 && (
        <section>
          <h2>{t("samples")}</h2>
          <Chips questions={questions.value} />
        </section>
      )}
    </article>
  );
}

function ThingView({ thing, graph }: { thing: Thing; graph: string }) {
  const address = webAddress(thing.iri);
  const place = placeOf(thing);
  return (
    <>
      <h1 dir="auto">{thing.label}</h1>
      <p class="iri">
        {address ? (
          <a href={address} target="_blank" rel="noopener noreferrer">
            {thing.iri}
          </a>
        ) : (
          thing.iri
        )}
      </p>
      {thing.types.length > 0 && (
        <p class="quiet">
          {thing.types.map((type, at) => (
            <span key={type.iri}>
              {at > 0 && ", "}
              <a href={written({ at: "graph", graph, iri: type.iri })} dir="auto">
                {type.label}
              </a>
            </span>
          ))}
        </p>
      )}
      {thing.description && <p dir="auto">{thing.description}</p>}
      <Picture thing={thing} />
      {place && <WorldMap places={[{ ...place, iri: null }]} graph={graph} />}
      {factsOf(thing).map((group, at) => (
        <dl key={at} class="relations">
          {group.map((one) => (
            <RelationView key={one.direction + one.iri} of={one} graph={graph} />
          ))}
        </dl>
      ))}
    </>
  );
}

function RelationView({ of, graph }: { of: Relation; graph: string }) {
  return (
    <div>
      <dt dir="auto" title={of.iri}>
        {of.direction === "in" ? t("isOf", { name: of.label }) : of.label}
      </dt>
      <dd>
        <ul>
          <ValueItems of={of.values} count={of.count} graph={graph} />
        </ul>
      </dd>
    </div>
  );
}
