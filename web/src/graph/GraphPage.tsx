/** The graph itself: what it is about, or what it says of one thing. */

import { profileOf } from "./profile";
import type { ClassInfo, Profile, RelationInfo } from "../api/types";
import { Figures } from "../page/FigureTable";
import { useLoaded, When } from "../page/loading";
import { written } from "../page/route";
import { graph } from "../page/server";
import { asNumber, asPercent, language, t, type Key } from "../words";
import { Definitions } from "./Definitions";
import { NameSearch } from "./NameSearch";
import { ThingPage } from "./ThingPage";

export function GraphPage({ iri }: { iri: string }) {
  const name = graph.value;
  return (
    <div class="column">
      <NameSearch key={iri} graph={name} />
      {iri ? <ThingPage graph={name} iri={iri} /> : <ProfileView graph={name} />}
    </div>
  );
}

function ProfileView({ graph: name }: { graph: string }) {
  const profile = useLoaded(() => profileOf(name, language.value), [name, language.value]);
  return (
    <>
      <h1>{t("about")}</h1>
      <When loaded={profile}>
        {(found) => (
          <>
            <Figures of={figuresOf(found)} />
            {found.partial.map((sentence) => (
              <p key={sentence} class="note">
                {sentence}
              </p>
            ))}
            <h2>{t("classes")}</h2>
            {found.classes.map((one) => (
              <ClassView key={one.iri} of={one} graph={name} />
            ))}
            {found.more_classes > 0 && <p class="quiet">{t("moreOf", { n: found.more_classes })}</p>}
            <Definitions graph={name} />
            {found.graphs.length > 0 && (
              <>
                <h2>{t("graphs")}</h2>
                <ul>
                  {found.graphs.map((one) => (
                    <li key={one.iri}>
                      <code>{one.iri}</code> {asNumber(one.triples)}{" "}
                      <span class="quiet">{one.relations.join(", ")}</span>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </When>
    </>
  );
}

function figuresOf({ triples, things, classes, more_classes }: Profile): [string, string][] {
  const known: [string, number | null][] = [
    [t("facts"), triples],
    [t("things"), things],
    [t("classes"), classes.length + more_classes],
  ];
  return known.flatMap(([name, count]) => (count === null ? [] : [[name, asNumber(count)]]));
}

function ClassView({ of, graph: name }: { of: ClassInfo; graph: string }) {
  return (
    <details class="class">
      <summary>
        <strong dir="auto">{of.label}</strong> <span class="quiet">{asNumber(of.instances)}</span>{" "}
        {of.above.length > 0 && <span class="quiet">← {of.above.join(", ")}</span>}
      </summary>
      <p>
        <a href={written({ at: "graph", graph: name, iri: of.iri })}>{of.iri}</a>
      </p>
      {of.description && <p dir="auto">{of.description}</p>}
      <div class="scroll" tabIndex={0} role="region" aria-label={of.label}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("relation")}</th>
              <th scope="col" class="number">
                {t("share")}
              </th>
              <th scope="col">{t("leadsTo")}</th>
              <th scope="col">{t("examples")}</th>
            </tr>
          </thead>
          <tbody>
            {of.relations.map((one) => (
              <RelationRow key={one.direction + one.iri} of={one} />
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function RelationRow({ of }: { of: RelationInfo }) {
  const bounds = of.least && of.greatest ? `${of.least} – ${of.greatest}` : "";
  const kinds: Key[] = of.kind === "both" ? ["things", "texts"] : [of.kind === "entities" ? "things" : of.kind];
  const leads = of.classes.length ? of.classes : kinds.map((kind) => t(kind));
  return (
    <tr>
      <th scope="row" dir="auto" title={of.iri}>
        {of.direction === "in" ? t("isOf", { name: of.label }) : of.label}
        {of.description && <p class="quiet">{of.description}</p>}
      </th>
      <td class="number">{asPercent(of.share)}</td>
      <td dir="auto">{[leads.join(", "), bounds, of.units.join(", ")].filter(Boolean).join("; ")}</td>
      <td dir="auto">{of.samples.join(", ")}</td>
    </tr>
  );
}
