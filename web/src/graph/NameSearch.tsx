/** A field to find a thing, a class or a relation by its name. */

import { useEffect, useState } from "preact/hooks";
import { getNames } from "../api/client";
import type { FoundName } from "../api/types";
import { written } from "../page/route";
import { t } from "../words";

export function NameSearch({ graph }: { graph: string }) {
  const [text, setText] = useState("");
  const [names, setNames] = useState<FoundName[]>([]);
  useEffect(() => {
    if (text.trim().length < 2) {
      setNames([]);
      return;
    }
    const stopping = new AbortController();
    const timer = setTimeout(() => {
      getNames(graph, [text.trim()], stopping.signal).then(setNames, () => {
        setNames([]);
      });
    }, 150);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [text, graph]);
  return (
    <search class="name-search">
      <input
        type="search"
        dir="auto"
        aria-label={t("search")}
        placeholder={t("search")}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
        }}
      />
      <ul role="status" aria-label={t("names")}>
        {names
          .filter((name) => name.kind !== "literal")
          .map((name) => (
            <li key={name.iri + name.label}>
              <a href={written({ at: "graph", graph, iri: name.iri })} dir="auto">
                {name.label}
              </a>{" "}
              <span class="quiet" dir="auto">
                {name.description || name.kind}
              </span>
            </li>
          ))}
      </ul>
    </search>
  );
}
