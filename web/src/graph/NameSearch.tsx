/** A field to find a thing, a class or a relation by its name; Enter opens the best of what was found. */

import { useEffect, useState } from "preact/hooks";
import { getNames } from "../api/client";
import type { FoundName } from "../api/types";
import { go, written } from "../page/route";
import { t, type Key } from "../words";

const KINDS: Partial<Record<FoundName["kind"], Key>> = { class: "classes", relation: "relation" };

const kindOf = ({ kind }: FoundName): string => {
  const word = KINDS[kind];
  return word ? t(word) : "";
};

/** Return what has a page, what is called just so first. */
function fitting(names: FoundName[], text: string): FoundName[] {
  const differs = (name: FoundName) => Number(name.label.toLocaleLowerCase() !== text.toLocaleLowerCase());
  const found = names.filter((name) => name.kind !== "literal");
  return found.sort((one, other) => differs(one) - differs(other));
}

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
  const openBest = async () => {
    const asked = text.trim();
    const found = fitting(asked ? await getNames(graph, [asked]) : [], asked);
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
        onInput={(event) => {
          setText(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") openBest().catch(() => undefined);
        }}
      />
      <ul role="status" aria-label={t("names")}>
        {fitting(names, text.trim()).map((name) => (
          <li key={name.iri + name.label}>
            <a href={written({ at: "graph", graph, iri: name.iri })} dir="auto">
              {name.label}
            </a>{" "}
            <span class="quiet" dir="auto">
              {[kindOf(name), name.description].filter(Boolean).join(": ")}
            </span>
          </li>
        ))}
      </ul>
    </search>
  );
}
