"""Path repair: a query that found nothing becomes a path that the graph has, with as much of the question as it keeps.

The steps of the failed template are looked for in the graph (`triad.repair.search`), the restrictions are fitted to
each path found (`triad.repair.fitting`), and the evidence ranks what has answers: how alike the words and the relations
are, how well the entities fit, what was left out. Where that leads nowhere, the model says the steps in one call; where
paths with different results are about as good, it chooses among them in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pydantic import BaseModel

from triad.answers import Answer, Substitution
from triad.language.pack import load_pack
from triad.phases import answering
from triad.phases.attempts import Attempt, BuiltQuery
from triad.phases.construction import CLEAR
from triad.phases.context import Context
from triad.queries.path_text import mentioned
from triad.queries.paths import ReasoningPath, Restriction
from triad.questions import AnswerType, Candidate
from triad.rdf import IRI, RDF_TYPE, Literal
from triad.repair.fitting import Fitted, fit
from triad.repair.plans import PlannedPath, meant_by, plans_of, steps_by_model
from triad.repair.search import LookupBudget, PathSearch
from triad.repair.step_likeness import StepLikeness
from triad.search.base import CLOSE
from triad.sparql.patterns import Comparison, Filter, QueryTerm, Variable, substituted
from triad.sparql.writer import render_parts

__all__ = ["answer_of", "choose", "likeliest", "repair"]

_LEAST: Final = 0.1  # the evidence that a path needs
_WEAK: Final = 0.5  # the likeness of path and plan below which the model is asked for other steps
_MOST: Final = 0.95  # the confidence of a repaired answer, at most


def repair(context: Context, failed: Attempt) -> Answer | None:
    """Return the answer of a repaired query, with what was changed among its notes; None where there is none.

    Args:
        context: The question, the ports and the roles; its calls count for the rung ``repair``.
        failed: What rung ``template`` tried.

    Raises:
        BudgetExceeded: A limit was reached.
        ReplyError: The model's reply failed its checks.
        ServiceError: The model, the graph or the index failed.
    """
    context = context.at("construction")
    plans = plans_of(context.at("linking"), failed)
    meant = meant_by(failed)
    found = likeliest(context, plans, meant)
    before = failed.answer.result.rows if failed.answer and failed.answer.values else None
    if not found or (before is not None and set(found[0][1].result.rows) == set(before)):
        return None
    chosen = choose(context, found)
    if chosen is None:
        return None
    return answer_of(context, *chosen, failed.answer_type)


def likeliest(
    context: Context, plans: Sequence[PlannedPath], meant: dict[str, dict[str, float]]
) -> list[tuple[PlannedPath, Fitted]]:
    """Return the paths that are like some plans; where none is, those that are like the model's steps, too."""
    found = repaired(context, plans, meant)
    if all(one.likeness < _WEAK for _, one in found):
        found = ranked([*found, *repaired(context, list(steps_by_model(context, plans)), meant)])
    return found


def repaired(
    context: Context, plans: Sequence[PlannedPath], meant: dict[str, dict[str, float]]
) -> list[tuple[PlannedPath, Fitted]]:
    """Return the paths of the graph that are like some plans and have answers, the best evidence first."""
    if not plans:
        return []
    names = {name for plan in plans for name, link in plan.links.items() if link.kind in ("entity", "literal")}
    search = PathSearch(context, StepLikeness(context, meant, names), LookupBudget(seconds=12.0, lookups=400))
    found: list[tuple[PlannedPath, Fitted]] = []
    with context.look_around("paths like the steps of the question") as outcome:
        for plan in plans:
            if isinstance(plan.path.topic, IRI) and mentioned(plan.path.topic) is not None:
                continue
            for path in search.find(plan.path)[:10]:
                best = max((one.score for _, one in found), default=0.0)
                if path.score * plan.score < best / 2:
                    break  # the evidence only falls
                fitted = fit(search, plan.path, path, counts=plan.counts)
                if fitted:
                    found.append((plan, replace(fitted, score=fitted.score * plan.score)))
        outcome["reply"] = f"{len(found)} paths with answers"
    return ranked(found)


def ranked(found: Sequence[tuple[PlannedPath, Fitted]]) -> list[tuple[PlannedPath, Fitted]]:
    """Return paths with some evidence, the best first."""
    return sorted((one for one in found if one[1].score >= _LEAST), key=lambda one: -one[1].score)


class _Chosen(BaseModel):
    path: int


def choose(context: Context, found: Sequence[tuple[PlannedPath, Fitted]]) -> tuple[PlannedPath, Fitted] | None:
    """Return the path that answers: the clear one, else the one that the model chooses; None where it finds none.

    Raises:
        ReplyError: The reply failed its checks.
        BudgetExceeded: A limit was reached.
        ModelError: The model failed.
    """
    different: dict[frozenset[object], tuple[PlannedPath, Fitted]] = {}
    for one in found:
        different.setdefault(frozenset(one[1].result.rows), one)
    best, *others = list(different.values())[:10]
    clear = not others or others[0][1].score < CLEAR * best[1].score
    if clear or "decision_maker" not in context.models or "path_selection" not in context.roles.decision_maker.prompts:
        return best
    shown = [best, *others]
    inputs = {"question": context.question.text, "paths": [_shown(context, *one) for one in shown]}

    def fault(reply: _Chosen) -> str | None:
        return None if 0 <= reply.path <= len(shown) else f"'path' must be from 0 to {len(shown)}"

    reply = context.call("decision_maker", "path_selection", inputs, _Chosen, fault)
    return shown[reply.path - 1] if reply.path else None


def _shown(context: Context, plan: PlannedPath, fitted: Fitted) -> dict[str, object]:
    rows = fitted.result.rows[:5]
    names = context.schema.labels(
        [iri.value for iri in (*fitted.path.relations(), *fitted.path.named())]
        + [term.value for row in rows for term in row if isinstance(term, IRI)]
    )
    relations = (names[step.relation.value] + ("" if step.forward else " of") for step in fitted.path.steps)
    restricted = [
        _in_words(context, plan.path, one, names[one.step.relation.value] if one.step else "")
        for one in fitted.path.restrictions
    ]
    way = " → ".join([context.schema.label(fitted.path.topic), *relations])
    return {
        "steps": "; ".join([way, *restricted]),
        "without": "; ".join(_in_words(context, plan.path, one) for one in fitted.dropped),
        "found": f"{len(fitted.result)} rows",
        "rows": [", ".join(names.get(str(term), str(term)) if term else "-" for term in row) for row in rows],
    }


# The answer -----------------------------------------------------------------------------------------------


def answer_of(context: Context, plan: PlannedPath, fitted: Fitted, answer_type: AnswerType) -> Answer:
    """Return the answer of a path, with what was left out or taken in place of other words."""
    links = {**plan.links, **_relations(context, plan, fitted)}
    query = BuiltQuery(fitted.query, links, round(min(_MOST, fitted.score), 4), fitted.result, tree=fitted.tree)
    made = answering.answer(context.at("answering"), query, answer_type)
    replies = load_pack(context.question.language).replies
    dropped = [_in_words(context, plan.path, one) for one in fitted.dropped]
    loosened = [_in_words(context, plan.path, one) for one in fitted.loosened]
    notes = [replies["left_out"].format(what=what) for what in dropped]
    notes += [replies["loosened"].format(what=what) for what in loosened]
    taken = [
        Substitution(words, link.label)
        for words, link in links.items()
        if link.kind == "relation" and link.score < CLOSE and words
    ]
    return replace(
        made,
        notes=(*made.notes, *(note[:1].upper() + note[1:] for note in notes)),
        ignored=(*made.ignored, *dropped),
        substituted=(*made.substituted, *taken),
    )


def _relations(context: Context, plan: PlannedPath, fitted: Fitted) -> dict[str, Candidate]:
    """Return the relation that each step of a plan with one relation was taken for."""
    if len(plan.path.steps) != len(fitted.path.steps):
        return {}
    likeness = StepLikeness(context, {})
    found: dict[str, Candidate] = {}
    for planned, step in zip(plan.path.steps, fitted.path.steps, strict=True):
        words, iri = mentioned(planned.relation), step.relation.value
        if words is not None:
            label = context.schema.label(step.relation)
            score = likeness.compare(words, {iri: label})[iri]
            found[words] = Candidate(iri, "relation", label, score=round(score, 4), exact=score >= CLOSE)
    return found


def _in_words(context: Context, path: ReasoningPath, one: Restriction, relation: str = "") -> str:
    """Return a restriction in words: ``population > 1000``, ``country Norway``."""
    if one.step is not None and not relation:
        relation = mentioned(one.step.relation) or (
            "" if one.step.relation.value == RDF_TYPE else context.schema.label(one.step.relation)
        )
    ends = [_name(context, one.end)] if isinstance(one.end, IRI | Literal) else []
    for test in one.tests:
        if isinstance(test, Comparison) and isinstance(test.right, IRI | Literal):
            ends += [test.sign, _name(context, test.right)]
        else:
            ends.append(_condition(test))
    if one.order:
        ends.append("↓" if one.order.descending else "↑")
    return " ".join(filter(None, [relation, *ends]))


def _name(context: Context, term: IRI | Literal) -> str:
    words = mentioned(term) if isinstance(term, IRI) else None
    return words or context.schema.label(term)


def _condition(test: object) -> str:
    def plain(term: QueryTerm) -> QueryTerm:
        return Variable("value") if isinstance(term, Variable) else term

    return render_parts([Filter(substituted(test, plain))]).removeprefix("FILTER(").removesuffix(")")  # type: ignore[arg-type]
