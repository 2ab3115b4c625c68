/** An answer: its values first, then how else they can be shown, then how sure they are. */

import { useMemo } from "preact/hooks";
import type { Answer, Turn } from "../api/types";
import { t } from "../words";
import { Certainty } from "./Certainty";
import { withOwners } from "./owners";
import { Readings } from "./Readings";
import { Citations, Sentences } from "./Sentences";
import { ThingCard } from "./ThingCard";
import { useThings } from "./things";
import { ValueView } from "./ValueView";
import { certaintyOf } from "./views";
import { Views } from "./Views";

const LISTED = 12; // values that are shown before the table is asked for
const CARDS = 6;

export function AnswerView({ answer, turn }: { answer: Answer; turn: Turn }) {
  const table = useMemo(() => withOwners(answer, t("things")), [answer]);
  const things = useThings(turn.graph, table);
  const cards = answer.values.flatMap((value) => things.get(value.value) ?? []).slice(0, CARDS);
  const worth = cards.filter((thing) => thing.description || thing.image);
  const told = certaintyOf(answer.confidence) === "sure" ? [] : answer.readings;
  const isList = table.variables.length < 2;
  return (
    <>
      {answer.sentences.length > 0 && <Sentences answer={answer} turn={turn.id} />}
      {isList ? <Headline answer={answer} graph={turn.graph} /> : null}
      {answer.notes.map((note) => (
        <p key={note} class="quiet" dir="auto">
          {note}
        </p>
      ))}
      <Certainty answer={answer} />
      {worth.length > 0 && (
        <ul class="cards">
          {worth.map((thing) => (
            <ThingCard key={thing.iri} thing={thing} graph={turn.graph} />
          ))}
        </ul>
      )}
      {answer.boolean === null && table.rows.length > 0 && (
        <Views
          table={table}
          graph={turn.graph}
          caption={turn.standalone || turn.question}
          things={things}
          isOpen={!isList || answer.values.length > LISTED}
        />
      )}
      <Readings title={t("otherReadings")} readings={told} />
      <Citations title={t("citations")} citations={answer.citations} turn={turn.id} graph={turn.graph} />
    </>
  );
}

type Told = Pick<Answer, "boolean" | "values" | "text">;

export function Headline({ answer, graph }: { answer: Told; graph: string }) {
  if (answer.boolean !== null) return <p class="headline">{t(answer.boolean ? "yes" : "no")}</p>;
  const values = answer.values.slice(0, LISTED);
  if (!values.length) return <p class="headline">{answer.text || t("nothing")}</p>;
  if (values.length === 1 && values[0])
    return (
      <p class="headline">
        <ValueView value={values[0]} graph={graph} />
      </p>
    );
  const more = answer.values.length - values.length;
  return (
    <ul class="values">
      {values.map((value) => (
        <li key={value.type + value.value + (value.language ?? "")}>
          <ValueView value={value} graph={graph} />
        </li>
      ))}
      {more > 0 && <li class="quiet">{t("moreOf", { n: more })}</li>}
    </ul>
  );
}
