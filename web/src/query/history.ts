/** The queries that were run last in this browser, the latest first. */

import { signal } from "@preact/signals";

export interface Kept {
  graph: string;
  query: string;
}

const KEPT = "triad-queries";
const MOST = 20;

export const history = signal<Kept[]>(JSON.parse(localStorage.getItem(KEPT) ?? "[]") as Kept[]);

export function remember(kept: Kept): void {
  const others = history.value.filter((one) => one.graph !== kept.graph || one.query !== kept.query);
  history.value = [kept, ...others].slice(0, MOST);
  localStorage.setItem(KEPT, JSON.stringify(history.value));
}

export function forget(): void {
  localStorage.removeItem(KEPT);
}
