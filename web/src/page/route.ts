/** Where one is on the page: the part of the address behind #, which the server never sees. */

import { signal } from "@preact/signals";

export type Route =
  | { at: "ask"; graph: string; question: string }
  | { at: "conversation"; id: string; turn: string }
  | { at: "turn"; id: string }
  | { at: "graph"; graph: string; iri: string }
  | { at: "query"; graph: string; query: string }
  | { at: "board"; id: string }
  | { at: "reports"; name: string };

/** Read the part of an address behind #; what it does not know is the start. */
export function parsed(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [first = "", second = "", third = ""] = path.split("/").map(decoded);
  const given = new URLSearchParams(search);
  const graph = given.get("graph") ?? "";
  if (first === "conversations" && second) return { at: "conversation", id: second, turn: third };
  if (first === "turns" && second) return { at: "turn", id: second };
  if (first === "graph") return { at: "graph", graph, iri: given.get("iri") ?? "" };
  if (first === "query") return { at: "query", graph, query: given.get("query") ?? "" };
  if (first === "board") return { at: "board", id: second };
  if (first === "reports") return { at: "reports", name: second };
  return { at: "ask", graph, question: given.get("question") ?? "" };
}

/** Write a route as the part of an address behind #. */
export function written(route: Route): string {
  switch (route.at) {
    case "conversation":
      return `#/conversations/${encodeURIComponent(route.id)}${route.turn ? `/${encodeURIComponent(route.turn)}` : ""}`;
    case "turn":
      return `#/turns/${encodeURIComponent(route.id)}`;
    case "graph":
      return `#/graph${search({ graph: route.graph, iri: route.iri })}`;
    case "query":
      return `#/query${search({ graph: route.graph, query: route.query })}`;
    case "board":
      return `#/board${route.id ? `/${encodeURIComponent(route.id)}` : ""}`;
    case "reports":
      return `#/reports${route.name ? `/${encodeURIComponent(route.name)}` : ""}`;
    case "ask":
      return `#/${search({ graph: route.graph, question: route.question })}`;
  }
}

function search(values: Record<string, string>): string {
  const given = Object.entries(values).filter(([, value]) => value);
  return given.length ? `?${new URLSearchParams(given).toString()}` : "";
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

export const route = signal<Route>(parsed(location.hash));

addEventListener("hashchange", () => {
  route.value = parsed(location.hash);
});

/** Go to a place; `replace` leaves no step back. */
export function go(to: Route, replace = false): void {
  if (replace) {
    history.replaceState(null, "", written(to));
    route.value = to;
  } else location.hash = written(to);
}
