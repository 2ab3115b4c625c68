/** What an answer cost, by phase and by rung. */

import type { Cost, Trace } from "../api/types";
import { asMoney, asNumber, asSeconds, t } from "../words";
import { phaseName, rungName } from "../words/parts";

export function Costs({ trace }: { trace: Trace }) {
  const total = { usage: trace.usage, seconds: trace.seconds };
  return (
    <div class="costs">
      <CostTable
        title={t("phase")}
        rows={Object.entries(trace.by_phase).map(([name, cost]) => [phaseName(name), cost])}
        total={total}
      />
      {Object.keys(trace.by_rung).length > 0 && (
        <CostTable
          title={t("rung")}
          rows={Object.entries(trace.by_rung).map(([name, cost]) => [rungName(name), cost])}
          total={total}
        />
      )}
    </div>
  );
}

function CostTable({ title, rows, total }: { title: string; rows: [string, Cost][]; total: Cost }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            {(["calls", "cached", "tokensIn", "tokensOut", "money", "seconds"] as const).map((name) => (
              <th key={name} scope="col" class="number">
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, cost]) => (
            <CostRow key={name} name={name} cost={cost} />
          ))}
        </tbody>
        <tfoot>
          <CostRow name={t("total")} cost={total} />
        </tfoot>
      </table>
    </div>
  );
}

function CostRow({ name, cost: { usage, seconds } }: { name: string; cost: Cost }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="number">{asNumber(usage.calls)}</td>
      <td class="number">{asNumber(usage.cached)}</td>
      <td class="number">{asNumber(usage.input_tokens)}</td>
      <td class="number">{asNumber(usage.output_tokens)}</td>
      <td class="number">{asMoney(usage.money)}</td>
      <td class="number">{asSeconds(seconds)}</td>
    </tr>
  );
}
