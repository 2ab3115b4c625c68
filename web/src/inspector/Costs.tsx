/** What an answer cost, by phase and by rung. */

import type { Cost, Trace } from "../api/types";
import { FigureTable } from "../page/FigureTable";
import { asMoney, asNumber, asSeconds, t } from "../words";
import { phaseName, rungName } from "../words/parts";

export function Costs({ trace }: { trace: Trace }) {
  const total = row(t("total"), trace);
  const heads = (["calls", "cached", "tokensIn", "tokensOut", "money", "seconds"] as const).map((name) => t(name));
  const rows = (costs: Record<string, Cost>, called: (name: string) => string) =>
    Object.entries(costs).map(([name, cost]) => row(called(name), cost));
  return (
    <div class="costs">
      <FigureTable heads={[t("phase"), ...heads]} rows={rows(trace.by_phase, phaseName)} total={total} />
      <FigureTable heads={[t("rung"), ...heads]} rows={rows(trace.by_rung, rungName)} total={total} />
    </div>
  );
}

const row = (name: string, { usage, seconds }: Cost): string[] => [
  name,
  asNumber(usage.calls),
  asNumber(usage.cached),
  asNumber(usage.input_tokens),
  asNumber(usage.output_tokens),
  asMoney(usage.money),
  asSeconds(seconds),
];
