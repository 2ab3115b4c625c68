/** What the graph says of the things in an answer, looked up once for each. */

import { useEffect, useState } from "preact/hooks";
import { getThing } from "../api/client";
import type { Table, Thing } from "../api/types";

const MOST = 24;
const AT_ONCE = 4;
const looked = new Map<string, Promise<Thing | null>>();

/** Return what is known of a thing; null where nothing is, or where it cannot be looked up. */
export function thingOf(graph: string, iri: string): Promise<Thing | null> {
  const key = `${graph} ${iri}`;
  const found = looked.get(key) ?? getThing(graph, iri).catch(() => null);
  looked.set(key, found);
  return found;
}

/** Look up the first things of a table; they arrive one after the other. */
export function useThings(graph: string, table: Pick<Table, "rows">): Map<string, Thing> {
  const [things, setThings] = useState(new Map<string, Thing>());
  useEffect(() => {
    let wanted = true;
    const values = table.rows.flat().filter((value) => value?.type === "uri" && value.kind !== "text");
    const waiting = [...new Set(values.map((value) => value?.value ?? ""))].slice(0, MOST);
    const work = async () => {
      for (let iri = waiting.shift(); wanted && iri !== undefined; iri = waiting.shift()) {
        const thing = await thingOf(graph, iri);
        if (wanted && thing) setThings((known) => new Map(known).set(thing.iri, thing));
      }
    };
    for (let worker = 0; worker < AT_ONCE; worker++) void work();
    return () => {
      wanted = false;
    };
  }, [graph, table]);
  return things;
}
