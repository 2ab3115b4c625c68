/** A table that sorts by its columns and is searched, page by page, and is saved as CSV, Markdown or JSON; bars stand behind numbers. */

import { useMemo, useState } from "preact/hooks";
import type { Table } from "../api/types";
import { Plain } from "../page/Button";
import { language, t } from "../words";
import { asCsv, asJson, asMarkdown, download } from "./exporting";
import { ValueView } from "./ValueView";
import { compared, numberOf, shown, type Chart } from "./views";

const AT_FIRST = 25;

interface Given {
  table: Table;
  graph: string;
  caption: string;
  /** The numbers that bars show. */
  bars?: Chart | null;
}

export function ResultTable({ table, graph, caption, bars }: Given) {
  const [order, setOrder] = useState<{ at: number; down: boolean } | null>(null);
  const [length, setLength] = useState(AT_FIRST);
  const [wanted, setWanted] = useState("");
  const rows = useMemo(() => {
    const text = wanted.trim().toLocaleLowerCase();
    const found = table.rows.filter((row) =>
      row.some((value) => value && shown(value).toLocaleLowerCase().includes(text)),
    );
    if (!order) return text ? found : table.rows;
    const sign = order.down ? -1 : 1;
    const { at } = order;
    return (text ? found : [...table.rows]).sort((one, other) => {
      const [value, against] = [one[at] ?? null, other[at] ?? null];
      // What is missing stays last, whichever way the column is sorted.
      return value && against ? sign * compared(value, against, language.value) : compared(value, against, "en");
    });
  }, [table, order, wanted]);
  const sortBy = (at: number) => {
    setOrder(order?.at !== at ? { at, down: false } : order.down ? null : { at, down: true });
  };
  const save = (form: string, type: string, write: (table: Table) => string) =>
    download(`answer.${form}`, type, write({ ...table, rows }));
  const numbers = bars?.points.map((point) => point.number) ?? [];
  const most = Math.min(0, ...numbers) < 0 ? 0 : Math.max(0, ...numbers);
  const named = (name: string) => name.replaceAll("_", " ");

  return (
    <div class="result">
      {table.rows.length > AT_FIRST && (
        <input
          type="search"
          dir="auto"
          aria-label={`${t("search")}: ${caption}`}
          placeholder={t("search")}
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {table.variables.map((name, at) => (
                <th
                  key={name}
                  scope="col"
                  class={table.rows[0]?.[at]?.kind ?? ""}
                  aria-sort={order?.at !== at ? "none" : order.down ? "descending" : "ascending"}
                >
                  <button type="button" class="sort" onClick={() => sortBy(at)}>
                    {named(name)} <span aria-hidden="true">{order?.at !== at ? "↕" : order.down ? "↓" : "↑"}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, length).map((row, line) => (
              <tr key={line}>
                {row.map((value, at) => (
                  <td
                    key={at}
                    class={`${value?.kind ?? ""} ${most && value && at === bars?.number ? "bar" : ""}`}
                    style={{ "--part": `${String(most && value ? (60 * (numberOf(value) ?? 0)) / most : 0)}%` }}
                  >
                    {value && <ValueView value={value} graph={graph} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="under">
        <span class="quiet">
          {t("rows", { n: rows.length })} {table.truncated && t("truncated")}
        </span>
        {length < rows.length && <Plain does={() => setLength(length * 4)}>{t("more")}</Plain>}
        <span class="push" />
        <span class="quiet">{t("download")}</span>
        <Plain does={() => save("csv", "text/csv;charset=utf-8", asCsv)}>CSV</Plain>
        <Plain does={() => save("md", "text/markdown;charset=utf-8", asMarkdown)}>Markdown</Plain>
        <Plain does={() => save("json", "application/json", asJson)}>JSON</Plain>
      </p>
    </div>
  );
}
