/** What is in the graph: questions that it surely answers, what was asked last, and its main classes in pictures. */

import { useMemo } from "preact/hooks";
import { Picture } from "../answer/ThingCard";
import { useThings } from "../answer/things";
import { ValueView } from "../answer/ValueView";
import type { ClassInfo } from "../api/types";
import { conversations } from "../conversations/list";
import { knownOf, mainClasses, profileOf } from "../graph/profile";
import { useLoaded, When } from "../page/loading";
import { written } from "../page/route";
import { graph, graphInfo } from "../page/server";
import { asNumber, language, t } from "../words";
import { Chips } from "./Chips";

const CLASSES = 12;
const RECENT = 3;
const RAYS = 9;

export function Hero() {
  return (
    <div class="hero">
      <h1 dir="auto">{graphInfo.value?.title ?? graph.value}</h1>
      <p dir="auto">{graphInfo.value?.description}</p>
    </div>
  );
}

export function Samples() {
  const name = graph.value;
  const profile = useLoaded(() => profileOf(name, language.value), [name, language.value]);
  const recent = conversations.value.filter((one) => one.graph === name).slice(0, RECENT);
  return (
    <section class="samples">
      <When loaded={profile}>
        {(found) => (
          <>
            {found.questions.length > 0 && (
              <>
                <h2>{t("samples")}</h2>
                <Chips questions={found.questions} />
              </>
            )}
            {recent.length > 0 && (
              <>
                <h2>{t("conversations")}</h2>
                <p class="under">
                  {recent.map((one) => (
                    <a key={one.id} dir="auto" href={written({ at: "conversation", id: one.id, turn: "" })}>
                      {one.title}
                    </a>
                  ))}
                </p>
              </>
            )}
            <h2>{t("about")}</h2>
            <ul class="cards">
              {mainClasses(found)
                .slice(0, CLASSES)
                .map((one) => (
                  <ClassCard key={one.iri} of={one} graph={name} />
                ))}
            </ul>
          </>
        )}
      </When>
    </section>
  );
}

function ClassCard({ of, graph: name }: { of: ClassInfo; graph: string }) {
  const loaded = useLoaded(() => knownOf(name, of.iri), [name, of.iri]);
  const known = useMemo(() => (loaded.state === "there" ? loaded.value : []), [loaded]);
  const iris = useMemo(() => known.map((one) => one.value), [known]);
  const pictured = [...useThings(name, iris).values()].find((thing) => thing.image);
  return (
    <li class="card">
      {pictured ? <Picture thing={pictured} instead={<Star of={of} />} /> : <Star of={of} />}
      <div>
        <h3>
          <a href={written({ at: "graph", graph: name, iri: of.iri })} dir="auto">
            {of.label}
          </a>{" "}
          <span class="quiet">{asNumber(of.instances)}</span>
        </h3>
        <p class="quiet">
          {known.map((one, at) => (
            <span key={one.value}>
              {at > 0 && ", "}
              <ValueView value={one} graph={name} />
            </span>
          ))}
        </p>
      </div>
    </li>
  );
}

const ENDS = { entities: "accent", numbers: "answer", dates: "good", texts: "line", both: "line" };

/** The drawing of a class: a ray for each relation, long if many have it, with a mark for what is at its end. */
function Star({ of }: { of: ClassInfo }) {
  const rays = of.relations.slice(0, RAYS);
  return (
    <svg viewBox="-20 -20 40 40" stroke="var(--line)" aria-hidden="true">
      {rays.map(({ iri, kind, share, direction }, at) => {
        const [turn, length] = [(2 * Math.PI * at) / rays.length - Math.PI / 2, 10 + 6 * share];
        const [x, y] = [length * Math.cos(turn), length * Math.sin(turn)];
        const round = kind === "entities" ? 2.5 : 0.5;
        return (
          <g key={direction + iri} fill={`var(--${direction === "in" ? "card" : ENDS[kind]})`}>
            <path d={`M0 0L${String(x)} ${String(y)}`} />
            <rect x={x - 2.5} y={y - 2.5} width={5} height={5} rx={round} />
          </g>
        );
      })}
      <circle r={5} fill="var(--accent)" stroke="none" />
    </svg>
  );
}
