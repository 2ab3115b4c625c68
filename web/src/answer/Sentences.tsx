/** The answer in sentences, whose numbers open the evidence that they rest on. */

import type { Answer, Citation } from "../api/types";
import { written } from "../page/route";
import { t } from "../words";
import { FactText } from "./ValueView";

export function Sentences({ answer, turn }: { answer: Answer; turn: string }) {
  const open = (number: number) => {
    const place = document.getElementById(`${turn}-evidence-${String(number)}`);
    if (!(place instanceof HTMLDetailsElement)) return;
    place.open = true;
    place.querySelector("summary")?.focus();
    place.scrollIntoView({ block: "nearest" });
  };
  return (
    <p class="sentences" dir="auto">
      {answer.sentences.map((sentence) => (
        <span key={sentence.text} class={sentence.held ? "" : "not-held"}>
          {sentence.text}
          {sentence.cites.map((number) => (
            <button
              key={number}
              type="button"
              class="cite"
              aria-label={t("citation", { n: number })}
              onClick={() => open(number)}
            >
              {number}
            </button>
          ))}
          {!sentence.held && <em class="warning"> ({t("notHeld", { words: sentence.missing.join(", ") })})</em>}{" "}
        </span>
      ))}
    </p>
  );
}

interface Given {
  title: string;
  citations: Citation[];
  turn: string;
  graph: string;
}

export function Citations({ title, citations, turn, graph }: Given) {
  if (!citations.length) return null;
  return (
    <section class="citations">
      <h3>{title}</h3>
      {citations.map((one) => (
        <details key={one.number} id={`${turn}-evidence-${String(one.number)}`}>
          <summary dir="auto">
            [{one.number}] {one.title} {one.date && <span class="quiet">{one.date}</span>}
          </summary>
          <p dir="auto" class="evidence">
            {one.text}
          </p>
          {one.document && <p class="quiet">{one.document}</p>}
          {one.facts.length > 0 && (
            <ul>
              {one.facts.map((fact, at) => (
                <li key={at}>
                  <FactText of={fact} graph={graph} />
                </li>
              ))}
            </ul>
          )}
          {one.things.map((iri) => (
            <p key={iri}>
              <a href={written({ at: "graph", graph, iri })}>{iri}</a>
            </p>
          ))}
          {one.query && <pre tabIndex={0}>{one.query}</pre>}
        </details>
      ))}
    </section>
  );
}
