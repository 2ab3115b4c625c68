/** The facts that an answer rests on: drawn, with the path from the question to the answer, and as a list to read. */

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Core } from "cytoscape";
import { download } from "../answer/exporting";
import { FactText } from "../answer/ValueView";
import type { Answer } from "../api/types";
import { go } from "../page/route";
import { colours, isDark } from "../page/theme";
import { asNumber, t } from "../words";
import { drawingOf } from "./paths";

export function FactGraph({ answer, graph }: { answer: Answer; graph: string }) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<Core | null>(null);
  const drawing = useMemo(() => {
    const links = Object.values(answer.links);
    const entities = links.filter((link) => link.kind === "entity");
    const asked = (entities.length ? entities : links).map((link) => link.iri);
    const answered = answer.values.map((value) => value.value);
    return drawingOf(answer.facts, asked, answered);
  }, [answer]);

  useEffect(() => {
    let drawn: Core | null = null;
    let wanted = true;
    void import("./drawFacts").then(({ drawFacts }) => {
      if (!wanted || !place.current) return;
      const rows = Math.max(...drawing.nodes.map((node) => 2 * node.row + 1));
      place.current.style.blockSize = `${String(Math.min(40, 8 + 2.6 * rows))}rem`;
      const look = colours("text", "line", "paper", "accent", "answer");
      shown.current = drawn = drawFacts(place.current, drawing, look, (id) => {
        const [type = "", iri = ""] = id.split(/ (.*)/s);
        if (type === "uri") go({ at: "graph", graph, iri });
      });
      place.current.dataset["drawn"] = String(drawing.edges.length);
    });
    return () => {
      wanted = false;
      drawn?.destroy();
    };
  }, [drawing, isDark.value]);

  const save = () => {
    const picture = shown.current?.png({ output: "blob", full: true, scale: 2, bg: colours("paper").paper });
    if (picture) download("facts.png", "image/png", picture);
  };

  return (
    <div class="facts">
      <div ref={place} class="fact-graph" role="img" aria-label={`${t("facts")}: ${asNumber(drawing.edges.length)}`} />
      <p class="quiet legend">
        <button type="button" class="plain" onClick={save}>
          {t("download")} PNG
        </button>
        <span class="sign question" /> {t("inQuestion")} <span class="sign answer" /> {t("inAnswer")}
        {drawing.edges.some((edge) => edge.onPath) && <span>{t("onPath")}</span>}
      </p>
      <ul class="fact-list">
        {answer.facts.map((fact, at) => (
          <li key={at} class={drawing.edges[at]?.onPath ? "path" : ""}>
            <FactText of={fact} graph={graph} />
          </li>
        ))}
      </ul>
    </div>
  );
}
