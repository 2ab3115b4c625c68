/** Tables and drawings as files. */

import type { Row, Table, Value } from "../api/types";
import { shown as read } from "./views";

const shown = (value: Value | null): string => (value ? (value.type === "uri" ? value.label : value.value) : "");

/** Write a table as CSV (RFC 4180): of a thing its name, of a literal its form in the graph. */
export function asCsv(table: Pick<Table, "variables" | "rows">): string {
  const things = table.variables.map((_, at) => table.rows.some((row) => row[at]?.type === "uri"));
  const header = table.variables.flatMap((name, at) => (things[at] ? [name, `${name} (IRI)`] : [name]));
  const line = (row: Row) =>
    row.flatMap((value, at) =>
      things[at] ? [shown(value), value?.type === "uri" ? value.value : ""] : [shown(value)],
    );
  return [header, ...table.rows.map(line)].map((cells) => cells.map(cell).join(",")).join("\r\n") + "\r\n";
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

function cell(text: string): string {
  // A sheet would calculate a cell that begins so; numbers stay numbers.
  const plain = /^[=+@＝＋－＠\t\r\n-]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Write a table as JSON: a list of objects, in which each value has its label and its term. */
export function asJson(table: Pick<Table, "variables" | "rows">): string {
  const rows = table.rows.map((row) =>
    Object.fromEntries(
      table.variables.flatMap((name, at) => {
        const value = row[at];
        if (!value) return [];
        const { type, label, datatype, language } = value;
        return [
          [name, { type, value: value.value, label, ...(datatype && { datatype }), ...(language && { language }) }],
        ];
      }),
    ),
  );
  return JSON.stringify(rows, null, 2) + "\n";
}

/** Write a table as Markdown: what people read of each value. */
export function asMarkdown(table: Pick<Table, "variables" | "rows">): string {
  const line = (cells: string[]) =>
    `| ${cells.map((text) => text.replace(/[\\|`*_[\]<>~]/g, "\\$&").replace(/\s+/g, " ")).join(" | ")} |`;
  const rows = table.rows.map((row) => row.map((value) => (value ? read(value) : "")));
  const heads = table.variables.map((name) => name.replaceAll("_", " "));
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n") + "\n";
}

/** Paint a drawing, each of its pixels as four. */
export async function asPng(svg: string): Promise<Blob> {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = new OffscreenCanvas(2 * picture.width, 2 * picture.height);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob();
}

/** Have the browser save a file. */
export function download(name: string, type: string, content: string | Blob): void {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
