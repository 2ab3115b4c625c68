/** What the graph says of one thing: what it is, what it has, and what leads to it. */

import { webAddress } from "../answer/links";
import { Picture } from "../answer/ThingCard";
import { Elsewhere, ValueView } from "../answer/ValueView";
import { onEarth } from "../answer/views";
import { WorldMap } from "../answer/WorldMap";
import { getThings } from "../api/client";
import type { Thing } from "../api/types";
import { useLoaded, When } from "../page/loading";
import { written } from "../page/route";
import { t } from "../words";

export function ThingPage({ graph, iri }: { graph: string; iri: string }) {
  const thing = useLoaded(() => getThings(graph, [iri]), [graph, iri]);
  return (
    <article class="thing">
      <p>
        <a href={written({ at: "graph", graph, iri: "" })}>← {t("about")}</a>
      </p>
      <When loaded={thing}>{(found) => found.map((one) => <ThingView key={one.iri} thing={one} graph={graph} />)}</When>
    </article>
  );
}

function ThingView({ thing, graph }: { thing: Thing; graph: string }) {
  const address = webAddress(thing.iri);
  const place = thing.coordinates && onEarth(thing.coordinates.latitude, thing.coordinates.longitude);
  return (
    <>
      <h1 dir="auto">
        {thing.label} {address && <Elsewhere address={address} name={thing.label} />}
      </h1>
      <p class="quiet iri">{thing.iri}</p>
      {thing.types.length > 0 && (
        <p>
          {t("types")}:{" "}
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
      {place && <WorldMap places={[{ name: thing.label, iri: null, ...place }]} graph={graph} />}
      <dl class="relations">
        {thing.relations.map((one) => (
          <div key={one.direction + one.iri}>
            <dt dir="auto" title={one.iri}>
              {one.direction === "in" ? t("isOf", { name: one.label }) : one.label}
            </dt>
            <dd>
              <ul>
                {one.values.map((value) => (
                  <li key={value.type + value.value + (value.language ?? "")}>
                    <ValueView value={value} graph={graph} />
                  </li>
                ))}
                {one.count > one.values.length && (
                  <li class="quiet">{t("moreOf", { n: one.count - one.values.length })}</li>
                )}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
      <p>
        <a href={written({ at: "ask", graph, question: thing.label })}>{t("askAbout")}</a>
      </p>
    </>
  );
}
