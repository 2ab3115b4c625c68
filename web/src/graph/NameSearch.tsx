/** A field to find a thing, a class or a relation by its name; Enter opens the best of what was found. */

import { useState } from "preact/hooks";
import { getNames } from "../api/client";
import type { FoundName } from "../api/types";
import { go, written } from "../page/route";
import { t, type Key } from "../words";
import { useNames } from "./useNames";

const KINDS: Record<FoundName["kind"], Key> = {
  entity: "things",
  class: "classes",
  relation: "relation",
  literal: "texts",
};

/** Return what has a page, what is called just so first. */
function bestFirst(names: FoundName[], text: string): FoundName[] {
  const differs = (name: FoundName) => Number(name.label.toLocaleLowerCase() !== text.toLocaleLowerCase());
  const found = names.filter((name) => name.kind !== "literal");
  return found.sort((one, other) => differs(one) - differs(other));
}

export function NameSearch({ graph }: { graph: string }) {
  const [text, setText] = useState("");
  const asked = text.trim();
  const [names] = useNames(graph, asked.length > 1 ? [asked] : []);
  const openBest = async () => {
    const found = bestFirst(asked ? await getNames(graph, [asked]) : [], asked);
    if (found[0]) go({ at: "graph", graph, iri: found[0].iri });
  };
  return (
    <search class="name-search">
      <input
        type="search"
        dir="auto"
        aria-label={t("search")}
        placeholder={t("search")}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") openBest().catch(() => undefined);
        }}
      />
      <div role="status" aria-label={t("names")}>
        <ul>
          {bestFirst(names, asked).map((name) => (
            <li key={name.iri + name.label}>
              <a href={written({ at: "graph", graph, iri: name.iri })} dir="auto">
                {name.label}
              </a>{" "}
              <span class="quiet" dir="auto">
                {name.description || t(KINDS[name.kind])}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </search>
  );
}
