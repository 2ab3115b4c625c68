/** The path of an answer: the facts that lead from the names of the question to the values of the answer. */

import type { Fact, Value } from "../api/types";

export interface Node {
  id: string;
  label: string;
  role: "question" | "answer" | "between";
  /** Steps from the names in the question, 0 for those themselves: the column that it is drawn in. */
  column: number;
  /** Its place in the column, 0 in the middle. */
  row: number;
}

export interface Edge {
  id: string;
  from: string;
  to: string;
  label: string;
  onPath: boolean;
}

export interface Drawing {
  nodes: Node[];
  edges: Edge[];
}

const MOST_FACTS = 60;

const idOf = (value: Value): string => `${value.type} ${value.value}`;

/** Return what there is to draw of some facts. */
export function drawingOf(facts: Fact[], asked: Iterable<string>, answered: Iterable<string>): Drawing {
  const [inQuestion, inAnswer] = [new Set(asked), new Set(answered)];
  const nodes = new Map<string, Node>();
  const node = (value: Value) => {
    const role = inAnswer.has(value.value) ? "answer" : inQuestion.has(value.value) ? "question" : "between";
    nodes.set(idOf(value), { id: idOf(value), label: value.text ?? value.label, role, column: 0, row: 0 });
  };
  const edges = facts.slice(0, MOST_FACTS).map((fact, at) => {
    node(fact.subject);
    node(fact.object);
    const [from, to] = [idOf(fact.subject), idOf(fact.object)];
    const said = (fact.qualifiers ?? []).map((pair) => pair.map((one) => one.text ?? one.label).join(" "));
    const label = fact.predicate.label + (said.length > 0 ? ` (${said.join(", ")})` : "");
    return { id: `fact ${String(at)}`, from, to, label, onPath: false };
  });
  const starts = [...nodes.values()].filter((one) => one.role === "question").map((one) => one.id);
  const reached = walk(starts, edges);
  place([...nodes.values()], reached);
  const onPath = new Set<Edge>();
  for (const { id, role } of nodes.values())
    if (role === "answer")
      for (let step = reached.get(id); step?.edge; step = reached.get(step.before)) onPath.add(step.edge);
  return { nodes: [...nodes.values()], edges: edges.map((edge) => ({ ...edge, onPath: onPath.has(edge) })) };
}

interface Step {
  /** The edge by which a node was reached; a start has none. */
  edge: Edge | null;
  before: string;
  distance: number;
}

/** Return how each node is reached from the starts by the fewest edges, whichever way they point. */
function walk(starts: string[], edges: Edge[]): Map<string, Step> {
  const beside = new Map<string, { edge: Edge; next: string }[]>();
  for (const edge of edges) {
    beside.set(edge.from, [...(beside.get(edge.from) ?? []), { edge, next: edge.to }]);
    beside.set(edge.to, [...(beside.get(edge.to) ?? []), { edge, next: edge.from }]);
  }
  const reached = new Map<string, Step>(starts.map((start) => [start, { edge: null, before: "", distance: 0 }]));
  const queue = [...starts];
  for (let at = 0; at < queue.length; at++) {
    const here = queue[at] ?? "";
    const distance = (reached.get(here)?.distance ?? 0) + 1;
    for (const { edge, next } of beside.get(here) ?? []) {
      if (reached.has(next)) continue;
      reached.set(next, { edge, before: here, distance });
      queue.push(next);
    }
  }
  return reached;
}

/** Put nodes into columns by their distance from the question; those that are not reached come last. */
function place(nodes: Node[], reached: Map<string, Step>): void {
  const last = Math.max(0, ...[...reached.values()].map((step) => step.distance)) + 1;
  const columns = new Map<number, Node[]>();
  for (const node of nodes) {
    node.column = reached.get(node.id)?.distance ?? last;
    columns.set(node.column, [...(columns.get(node.column) ?? []), node]);
  }
  for (const column of columns.values())
    for (const [at, node] of column.entries()) node.row = at - (column.length - 1) / 2;
}
