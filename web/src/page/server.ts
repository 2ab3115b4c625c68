/** What the page knows of the server: who asks, and which graphs there are. */

import { computed, effect, signal } from "@preact/signals";
import { getGraphs, getReports, getSession } from "../api/client";
import type { GraphInfo, Scope, Session } from "../api/types";
import { refreshBoard } from "../board/board";
import { refreshConversations } from "../conversations/list";
import { route } from "./route";

export const session = signal<Session | null>(null);
/** Whether there are reports of runs to be looked at. */
export const hasReports = signal(false);
export const graphs = signal<GraphInfo[]>([]);
/** The name of the graph that is asked. */
export const graph = signal("");

// Before anything is asked of a graph: one that the address names is meant.
effect(() => {
  const here = route.value;
  if ("graph" in here && graphs.value.some((one) => one.name === here.graph)) graph.value = here.graph;
});

export const may = (scope: Scope): boolean => session.value?.scopes.includes(scope) ?? false;
export const graphInfo = computed(() => graphs.value.find((one) => one.name === graph.value) ?? null);

/** Learn who asks, what can be asked, and what they asked and pinned before. */
export async function enter(): Promise<void> {
  session.value = await getSession();
  if (!may("ask")) return;
  [graphs.value] = await Promise.all([getGraphs(), refreshConversations(), refreshBoard()]);
  const first = graphs.value.find((one) => one.default) ?? graphs.value[0];
  if (!graphs.value.some((one) => one.name === graph.value)) graph.value = first?.name ?? "";
  const reports = session.value.open ? getReports().catch(() => []) : Promise.resolve([]);
  void reports.then((found) => (hasReports.value = found.length > 0));
}
