/** Places on an outline of the world that comes with the page: no tiles, no other server. */

import { useEffect, useState } from "preact/hooks";
import { Choice } from "../page/Choice";
import { written } from "../page/route";
import { t } from "../words";
import { frameAround, labelsOf, WORLD } from "./frame";
import type { Place } from "./views";

export function WorldMap({ places, graph }: { places: Place[]; graph: string }) {
  const [land, setLand] = useState("");
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    void import("./outline").then(({ outline }) => {
      setLand(outline());
    });
  }, []);
  const frame = isWhole ? WORLD : frameAround(places);
  const unit = frame.width / 360; // what a degree is on a map of the whole world
  const labels = labelsOf(places, frame, 8 * unit);
  const mark = (place: Place, label: readonly [number, number] | null | undefined) => (
    <>
      <circle cx={place.longitude} cy={-place.latitude} r={3 * unit} fill="var(--answer)" />
      {label && (
        <text x={label[0]} y={label[1]} font-size={8 * unit} stroke-width={1.5 * unit}>
          {place.name}
        </text>
      )}
      <title>{place.name}</title>
    </>
  );
  return (
    <figure class="map">
      <Choice
        label={t("view")}
        names={["closer", "wholeWorld"]}
        chosen={isWhole ? "wholeWorld" : "closer"}
        onChoose={(name) => setWhole(name === "wholeWorld")}
      />
      <svg
        viewBox={`${String(frame.x)} ${String(frame.y)} ${String(frame.width)} ${String(frame.height)}`}
        role="group"
        aria-label={t("mapOf", { n: places.length })}
      >
        <path d={land} fill="var(--land)" stroke="var(--line)" stroke-width={0.4 * unit} />
        {places.map((place, at) =>
          place.iri ? (
            <a key={place.name} href={written({ at: "graph", graph, iri: place.iri })}>
              {mark(place, labels[at])}
            </a>
          ) : (
            <g key={place.name}>{mark(place, labels[at])}</g>
          ),
        )}
      </svg>
    </figure>
  );
}
