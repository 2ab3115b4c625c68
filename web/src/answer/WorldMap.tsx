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
  const frame = isWhole ? WORLD : frameAround(places);
  const unit = (2 * frame.width) / (drawing.current?.clientWidth || 720); // what two pixels are
  const labels = labelsOf(places, frame, 8 * unit);
  const text = {
    ...{ fill: look.text, stroke: look.land, "paint-order": "stroke", "font-family": "sans-serif" },
    ...{ "font-size": 8 * unit, "stroke-width": 1.5 * unit },
  };
  return (
    <figure class="map">
      <svg
        ref={drawing}
        width={1080} // in a file; on the page it is as wide as there is room
        viewBox={`${String(frame.x)} ${String(frame.y)} ${String(frame.width)} ${String(frame.height)}`}
        role="group"
        aria-label={t("mapOf", { n: places.length })}
      >
        <rect {...frame} fill={look.sea} />
        <path d={land} fill={look.land} stroke={look.line} stroke-width={0.4 * unit} />
        {places.map(({ name, iri, longitude, latitude }, at) => (
          <a key={name} {...(iri && { href: written({ at: "graph", graph, iri }) })}>
            <circle cx={longitude} cy={-latitude} r={3 * unit} fill={look.answer} />
            {labels[at] && (
              <text x={labels[at][0]} y={labels[at][1]} {...text}>
                {name}
              </text>
            )}
            <title>{name}</title>
          </a>
        ))}
      </svg>
      <div class="under">
        <Choice
          label={t("view")}
          names={["wholeWorld"]}
          chosen={isWhole ? "wholeWorld" : null}
          onChoose={() => setWhole(!isWhole)}
        />
        <SaveButtons name="map" svg={() => new XMLSerializer().serializeToString(drawing.current as Node)} />
      </div>
    </figure>
  );
}
