/** A value: what people read of it, the way to what the graph says of it, and the link to where it lives. */

import type { Fact, Value } from "../api/types";
import { written } from "../page/route";
import { t } from "../words";
import { webAddress } from "./links";
import { shown } from "./views";

/** A plain one has no link to where it lives. */
export function ValueView({ value, graph, isPlain }: { value: Value; graph: string; isPlain?: boolean }) {
  const text = shown(value);
  const address = webAddress(value.value);
  if (value.type === "uri" && value.kind !== "text")
    return (
      <span class="value">
        <a href={written({ at: "graph", graph, iri: value.value })} dir="auto" title={value.value}>
          {text}
        </a>
        {address && !isPlain && <Elsewhere address={address} name={text} />}
      </span>
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

export function FactText({ of, graph }: { of: Fact; graph: string }) {
  return (
    <>
      <ValueView value={of.subject} graph={graph} /> <em dir="auto">{of.predicate.label}</em>{" "}
      <ValueView value={of.object} graph={graph} />
      {of.inferred && <span class="quiet"> ({t("inferred")})</span>}
    </>
  );
}

export function Elsewhere({ address, name }: { address: string; name: string }) {
  return (
    <a
      class="elsewhere"
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t("openElsewhere", { name })}
    >
      ↗
    </a>
  );
}
