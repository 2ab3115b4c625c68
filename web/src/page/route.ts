/** Where one is on the page: the part of the address behind #, which the server never sees. */

import { signal } from "@preact/signals";
import { parameters } from "../api/client";

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
      return `#/conversations${below(route.id, route.turn)}`;
    case "turn":
      return `#/turns${below(route.id)}`;
    case "board":
      return `#/board${below(route.id)}`;
    case "reports":
      return `#/reports${below(route.name)}`;
    default: {
      const { at, ...given } = route;
      return `#/${at === "ask" ? "" : at}${parameters(given)}`;
    }
  }
}

const below = (...parts: string[]): string =>
  parts
    .filter(Boolean)
    .map((part) => `/${encodeURIComponent(part)}`)
    .join("");

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
