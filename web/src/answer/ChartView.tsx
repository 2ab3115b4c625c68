/** A chart of an answer: bars for things, a line for dates. The table beside it says the same in text. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Choice } from "../page/Choice";
import { colours, isDark } from "../page/theme";
import { t } from "../words";
import { SaveButtons } from "./SaveButtons";
import type { Chart } from "./views";

export function ChartView({ chart, titles }: { chart: Chart; titles: { by: string; number: string } }) {
  const place = useRef<HTMLDivElement>(null);
  const [kind, setKind] = useState(chart.kind);
  const save = useRef<(() => Promise<string>) | null>(null);

  useEffect(() => {
    let view: { finalize(): void } | null = null;
    let wanted = true;
    void import("./drawChart").then(async ({ drawChart }) => {
      if (!wanted || !place.current) return;
      const { text, edge, answer, paper } = colours("text", "edge", "answer", "paper");
      const look = { text, line: edge, mark: answer, titles, width: place.current.clientWidth };
      const drawn = await drawChart(place.current, chart, kind, look);
      place.current.dataset["drawn"] = kind;
      save.current = () => drawn.background(paper).toSVG();
      if (wanted) view = drawn;
      else drawn.finalize();
    });
    return () => {
      wanted = false;
      view?.finalize();
    };
  }, [chart, kind, isDark.value]);

  return (
    <figure class="chart">
      <div class="under">
        <Choice label={t("view")} names={["bars", "line"]} chosen={kind} onChoose={setKind} />
        <SaveButtons name="chart" svg={() => save.current?.() ?? Promise.resolve("")} />
      </div>
      <div ref={place} class="drawing" role="img" aria-label={`${titles.by}, ${titles.number}`} />
    </figure>
  );
}
