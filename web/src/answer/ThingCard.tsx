/** A thing of the answer in short: its picture, its name, what it is. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Thing } from "../api/types";
import { written } from "../page/route";
import { session } from "../page/server";
import { t } from "../words";
import { webAddress } from "./links";

export function ThingCard({ thing, graph }: { thing: Thing; graph: string }) {
  return (
    <li class="card">
      <Picture thing={thing} />
      <div>
        <h3 dir="auto">
          <a href={written({ at: "graph", graph, iri: thing.iri })}>{thing.label}</a>
        </h3>
        {thing.types.length > 0 && <p class="quiet">{thing.types.map((type) => type.label).join(", ")}</p>}
        {thing.description && (
          <p dir="auto" class="description">
            {thing.description}
          </p>
        )}
      </div>
    </li>
  );
}

/**
 * The picture that the graph has of a thing, or what stands in for it. It may lie on another server, which is told nothing
 * of this page.
 */
export function Picture({ thing, instead }: { thing: Pick<Thing, "label" | "image">; instead?: ComponentChildren }) {
  const [isMissing, setMissing] = useState(false);
  const address = thing.image && webAddress(thing.image);
  const isShown = address && !isMissing && mayShow(address);
  if (!address || (instead && !isShown)) return <>{instead}</>;
  if (!isShown)
    return (
      <a href={address} target="_blank" rel="noopener noreferrer">
        {t("picture", { name: thing.label })}
      </a>
    );
  return (
    <img
      src={address}
      alt={t("picture", { name: thing.label })}
      loading="lazy"
      referrerpolicy="no-referrer"
      onError={() => setMissing(true)}
    />
  );
}

function mayShow(address: string): boolean {
  const [{ origin }, allowed] = [new URL(address), session.value?.pictures ?? false];
  return origin === location.origin || (Array.isArray(allowed) ? allowed.includes(origin) : allowed);
}
