/** Places on an outline of the world that comes with the page: no tiles, no other server. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Choice } from "../page/Choice";
import { written } from "../page/route";
import { colours, isDark } from "../page/theme";
import { t } from "../words";
import { frameAround, labelsOf, WORLD } from "./frame";
import { SaveButtons } from "./SaveButtons";
import type { Place } from "./views";

export function WorldMap({ places, graph }: { places: Place[]; graph: string }) {
  const [land, setLand] = useState("");
  const [isWhole, setWhole] = useState(false);
  const drawing = useRef<SVGSVGElement>(null);
  useEffect(() => {
    void import("./outline").then(({ outline }) => {
      setLand(outline());
    });
  }, []);
  const look = useMemo(() => colours("text", "line", "land", "sea", "answer"), [isDark.value]);
  const name = { fill: look.text, stroke: look.land, "paint-order": "stroke", "font-family": "sans-serif" };
  const frame = isWhole ? WORLD : frameAround(places);
  const unit = frame.width / 360; // what a degree is on a map of the whole world
  const labels = labelsOf(places, frame, 8 * unit);
  const mark = (place: Place, label: readonly [number, number] | null | undefined) => (
    <>
      <circle cx={place.longitude} cy={-place.latitude} r={3 * unit} fill={look.answer} />
      {label && (
        <text x={label[0]} y={label[1]} font-size={8 * unit} {...name} stroke-width={1.5 * unit}>
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
        ref={drawing}
        width={1080} // in a file; on the page it is as wide as there is room
        viewBox={`${String(frame.x)} ${String(frame.y)} ${String(frame.width)} ${String(frame.height)}`}
        role="group"
        aria-label={t("mapOf", { n: places.length })}
      >
        <rect {...frame} fill={look.sea} />
        <path d={land} fill={look.land} stroke={look.line} stroke-width={0.4 * unit} />
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
      <figcaption>
        <SaveButtons name="map" svg={() => new XMLSerializer().serializeToString(drawing.current as Node)} />
      </figcaption>
    </figure>
  );
}
