/** An answer: its values first, a single one with its picture or place, then how sure they are, and how else they can be shown. */

import { useMemo } from "preact/hooks";
import type { Answer, Table, Thing, Turn } from "../api/types";
import { t } from "../words";
import { Certainty } from "./Certainty";
import { withOwners } from "./owners";
import { Readings } from "./Readings";
import { Citations, Sentences } from "./Sentences";
import { Picture, ThingCard } from "./ThingCard";
import { thingsIn, useThings } from "./things";
import { ValueItems, ValueView } from "./ValueView";
import { certaintyOf, placeOf, shown } from "./views";
import { Views } from "./Views";
import { WorldMap } from "./WorldMap";

const LISTED = 12; // values that are shown before the table is asked for
const CARDS = 6;
const LONG = 60; // letters that are not shown at the largest

export function AnswerView({ answer, turn }: { answer: Answer; turn: Turn }) {
  const table = useMemo(
    () => withOwners(answer, answer.words.find((one) => one.kind === "class")?.became ?? t("things")),
    [answer],
  );
  const iris = useMemo(() => worthKnowing(answer, table), [table]);
  const things = useThings(turn.graph, iris);
  const cards = answer.values.flatMap((value) => things.get(value.value) ?? []).slice(0, CARDS);
  const isOne = answer.values.length === 1;
  const worth = isOne ? [] : cards.filter((thing) => thing.description || thing.image);
  const told = certaintyOf(answer.confidence) === "sure" ? [] : answer.readings;
  const isList = table.variables.length < 2;
  return (
    <>
      {answer.sentences.length > 0 && <Sentences answer={answer} turn={turn.id} />}
      {isList ? (
        <Headline answer={answer} graph={turn.graph} of={isOne ? things.get(iris[0] ?? "") : undefined} />
      ) : null}
      {answer.notes.map((note) => (
        <p key={note} class="quiet" dir="auto">
          {note}
        </p>
      ))}
      <Certainty answer={answer} graph={turn.graph} />
      {worth.length > 0 && (
        <ul class="cards">
          {worth.map((thing) => (
            <ThingCard key={thing.iri} thing={thing} graph={turn.graph} />
          ))}
        </ul>
      )}
      {answer.boolean === null && table.rows.length > 0 && !(isList && isOne) && (
        <Views
          table={table}
          graph={turn.graph}
          caption={turn.standalone || turn.question}
          things={things}
          isOpen={!isList || answer.values.length > LISTED}
        />
      )}
      <Readings title={t("didYouMean")} readings={told} />
      <Citations title={t("citations")} citations={answer.citations} turn={turn.id} graph={turn.graph} />
    </>
  );
}

/** Return the things that are looked up for an answer: those in it; of a single number or date that which was asked about. */
function worthKnowing({ values, links }: Answer, table: Table): string[] {
  const asked = Object.values(links).filter((link) => link.kind === "entity");
  const isOf = values.length === 1 && values[0]?.type === "literal" && asked.length === 1;
  return isOf ? asked.map((link) => link.iri) : thingsIn(table);
}

type Told = Pick<Answer, "boolean" | "values" | "text">;

/** What is large in an answer; `of` is the thing that it is, or that it was asked about. */
export function Headline({ answer, graph, of }: { answer: Told; graph: string; of?: Thing | undefined }) {
  if (answer.boolean !== null) return <p class="headline">{t(answer.boolean ? "yes" : "no")}</p>;
  const [first] = answer.values;
  if (!first) return <p class="headline">{answer.text || t("nothing")}</p>;
  const place = of && placeOf(of);
  if (answer.values.length === 1)
    return (
      <div class="large">
        <div>
          <p class={shown(first).length > LONG ? "headline long" : "headline"}>
            <span class="sign answer" /> <ValueView value={first} graph={graph} />
          </p>
          {of && first.value === of.iri && (
            <p class="quiet" dir="auto">
              {of.description || of.types.map((type) => type.label).join(", ")}
            </p>
          )}
        </div>
        {of && <Picture thing={of} instead={place && <WorldMap places={[place]} graph={graph} />} />}
      </div>
    );
  const values = answer.values.slice(0, LISTED);
  return (
    <ul class="values">
      <ValueItems of={values} count={answer.values.length} graph={graph} />
    </ul>
  );
}
