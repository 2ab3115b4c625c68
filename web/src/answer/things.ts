/** What the graph says of the things in an answer, looked up once for each, several in one request. */

import { useEffect, useState } from "preact/hooks";
import { getThings } from "../api/client";
import type { Table, Thing } from "../api/types";

const MOST = 24;
const AT_ONCE = 6;
const looked = new Map<string, Promise<Thing | null>>();

/** Return the addresses of the things in a table. */
export const thingsIn = ({ rows }: Pick<Table, "rows">): string[] =>
  rows.flat().flatMap((value) => (value?.type === "uri" && value.kind !== "text" ? value.value : []));

/** Look up the first of some things; they arrive some at a time. What cannot be looked up is not there. */
export function useThings(graph: string, all: string[]): Map<string, Thing> {
  const [things, setThings] = useState(new Map<string, Thing>());
  useEffect(() => {
    let wanted = true;
    const iris = [...new Set(all)].slice(0, MOST);
    lookUp(graph, iris);
    for (const iri of iris)
      void looked.get(`${graph} ${iri}`)?.then((thing) => {
        if (wanted && thing) setThings((known) => new Map(known).set(thing.iri, thing));
      });
    return () => {
      wanted = false;
    };
  }, [graph, all]);
  return things;
}

function lookUp(graph: string, iris: string[]): void {
  const waiting = iris.filter((iri) => !looked.has(`${graph} ${iri}`));
  while (waiting.length) {
    const some = waiting.splice(0, AT_ONCE);
    const found = getThings(graph, some).catch(() => {
      for (const iri of some) looked.delete(`${graph} ${iri}`); // it is looked up again with the next answer
      return [];
    });
    for (const iri of some)
      looked.set(
        `${graph} ${iri}`,
        found.then((things) => things.find((thing) => thing.iri === iri) ?? null),
      );
  }
}
