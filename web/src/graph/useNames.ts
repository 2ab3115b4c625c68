/** Names of the graph, found by how they begin. */

import { useEffect, useState } from "preact/hooks";
import { getNames } from "../api/client";
import type { FoundName } from "../api/types";

const PAUSE = 150; // milliseconds without a key before names are looked up

/** Look up names by texts that change as one types, and return them and how to set them; names are a help: none may come. */
export function useNames(graph: string, texts: string[]): [FoundName[], (names: FoundName[]) => void] {
  const [names, setNames] = useState<FoundName[]>([]);
  useEffect(() => {
    const stopping = new AbortController();
    const found = async () => (texts.length ? await getNames(graph, texts, stopping.signal).catch(() => []) : []);
    const look = () => void found().then((some) => stopping.signal.aborted || setNames(some));
    const timer = setTimeout(look, texts.length && PAUSE);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [graph, texts.join()]);
  return [names, setNames];
}
