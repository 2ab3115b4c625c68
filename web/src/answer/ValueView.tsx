/** A value: what people read of it, and the way to what the graph says of it. */

import type { Fact, Value } from "../api/types";
import { written } from "../page/route";
import { t } from "../words";
import { webAddress } from "./links";
import { shown } from "./views";

export function ValueView({ value, graph }: { value: Value; graph: string }) {
  const text = shown(value);
  const address = webAddress(value.value);
  if (value.type === "uri" && value.kind !== "text")
    return (
      <a href={written({ at: "graph", graph, iri: value.value })} dir="auto" title={value.value}>
        {text}
      </a>
    );
  return (
    <span
      class={`value ${value.kind}`}
      dir="auto"
      lang={value.language ?? undefined}
      title={text === value.value ? "" : value.value}
    >
      {address && /^https?:\/\/\S+$/.test(value.value) ? (
        <a href={address} target="_blank" rel="noopener noreferrer">
          {text}
        </a>
      ) : (
        text
      )}
    </span>
  );
}

/** Some of so many values, each an item of a list, and how many more there are. */
export function ValueItems({ of, count, graph }: { of: Value[]; count: number; graph: string }) {
  return (
    <>
      {of.map((value) => (
        <li key={value.type + value.value + (value.language ?? "")}>
          <ValueView value={value} graph={graph} />
        </li>
      ))}
      {count > of.length && <li class="quiet">{t("moreOf", { n: count - of.length })}</li>}
    </>
  );
}

export function FactText({ of, graph }: { of: Fact; graph: string }) {
  return (
    <>
      <ValueView value={of.subject} graph={graph} /> <em dir="auto">{of.predicate.label}</em>{" "}
      <ValueView value={of.object} graph={graph} />
      {of.inferred && <span class="quiet"> ({t("inferred")})</span>}
    </>
  );
}
