/** Charts by Vega-Lite, which is loaded with the first of them. Nothing is evaluated: expressions are interpreted. */

import { parse, View, type Loader } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Chart } from "./views";

export interface Look {
  text: string;
  line: string;
  mark: string;
  titles: { by: string; number: string };
  width: number;
}

/** What a chart may load from elsewhere: nothing. */
const nothing = () => Promise.reject(new Error("charts load nothing"));
const loader: Loader = {
  load: nothing,
  sanitize: nothing,
  http: nothing,
  file: nothing,
  options: {},
} as unknown as Loader;

function specification(chart: Chart, kind: Chart["kind"], look: Look): TopLevelSpec {
  const size = { field: "number", type: "quantitative", title: look.titles.number } as const;
  const tooltip = [
    { field: "name", title: look.titles.by },
    { field: "number", title: look.titles.number },
  ];
  const isTime = kind === "line" && chart.points.every((point) => point.time !== null);
  const place = isTime
    ? ({ field: "time", type: "temporal", scale: { type: "utc" } } as const)
    : ({ field: "name", type: "nominal", sort: null } as const);
  const title = { title: look.titles.by, axis: { labelLimit: 160 } };
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: Math.max(look.width - 20, 200),
    autosize: { type: "fit", contains: "padding" },
    background: "transparent",
    data: { values: chart.points },
    ...(kind === "bars"
      ? {
          height: 60 + 24 * chart.points.length,
          mark: { type: "bar", color: look.mark, cornerRadiusEnd: 3 },
          encoding: { y: { ...place, ...title }, x: size, tooltip },
        }
      : {
          height: 280,
          mark: { type: "line", color: look.mark, point: { color: look.mark } },
          encoding: { x: { ...place, ...title }, y: { ...size, scale: { zero: false } }, tooltip },
        }),
    config: {
      font: "system-ui, sans-serif",
      axis: {
        labelColor: look.text,
        titleColor: look.text,
        gridColor: look.line,
        tickColor: look.line,
        domainColor: look.line,
        labelFontSize: 12,
        titleFontSize: 12,
      },
      view: { stroke: null },
    },
  } as TopLevelSpec;
}

/** Draw a chart into an element, and return it. */
export async function drawChart(into: HTMLElement, chart: Chart, kind: Chart["kind"], look: Look): Promise<View> {
  const runtime = parse(compile(specification(chart, kind, look)).spec, undefined, { ast: true });
  const view = new View(runtime, { expr: expressionInterpreter, loader, renderer: "canvas", hover: false });
  await view.initialize(into).runAsync();
  return view;
}
