"""Path repair: a query that found nothing becomes a path that the graph has, with as much of the question as it keeps.

The steps of the failed template are looked for in the graph (`triad.repair.search`), the restrictions are fitted to
each path found (`triad.repair.fitting`), and the evidence ranks what has answers: how alike the words and the relations
are, how well the entities fit, what was left out. Where that leads nowhere, the model says the steps in one call; where
paths with different results are about as good, it chooses among them in another.

The specialist, a fine-tuned model, writes reasoning paths itself: several at once, the likeliest first, which is the
set-up of RouterKGQA. Those with answers are ranked by evidence: how well their names fit, and how likely the model
found them. Only where none has an answer, the likeliest paths become plans, and are repaired.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from pydantic import BaseModel

from triad.answers import Answer, WordUse
from triad.configs import Options
from triad.language.similarity import Wording
from triad.models.model import Model
from triad.phases import answering
from triad.phases.attempts import Attempt, BuiltQuery
from triad.phases.construction import CLEAR
from triad.phases.context import Context
from triad.prompts import load_prompt
from triad.queries.path_names import PathNames, unresolved
from triad.queries.path_text import MalformedPath, mention, mentioned, parse_path
from triad.queries.paths import ReasoningPath, Restriction
from triad.questions import AnswerType, Candidate
from triad.rdf import IRI, RDF_TYPE, Literal
from triad.repair.fitting import Fitted, executed, fit
from triad.repair.plans import Meant, PlannedPath, meant_by, plans_of, steps_by_model
from triad.repair.search import LookupBudget, PathSearch, StepLikeness
from triad.search.base import CLOSE
from triad.sparql import substituted
from triad.sparql.patterns import Comparison, QueryTerm, Variable
from triad.sparql.writer import render_expression

_LEAST: Final = 0.1  # the evidence that a path needs
_WEAK: Final = 0.5  # the likeness of path and plan below which the model is asked for other steps
_MOST: Final = 0.95  # the confidence of a repaired answer, at most

ROLE: Final = "specialist"
"""The name under which a context has its model, and steps its calls."""

_NAMED: Final = 0.8  # how well the names of a path fit that is taken as it is
_RANK: Final = 0.97  # what a path counts against the one that the model found likelier


def repair(context: Context, failed: Attempt) -> Answer | None:
    """Return the answer of a repaired query, with what was changed among its notes; None where there is none."""
    context = context.at("construction")
    found = likeliest(context, plans_of(context.at("linking"), failed), meant_by(failed))
    before = failed.answer.result.rows if failed.answer and failed.answer.values else None
    if not found or (before is not None and set(found[0].result.rows) == set(before)):
        return None
    chosen = choose(context, found)
    return answer_of(context, chosen, failed.answer_type) if chosen else None


def likeliest(context: Context, plans: Sequence[PlannedPath], meant: Meant) -> list[Fitted]:
    """Return the paths that are like some plans; where none is, those that are like the model's steps, too."""
    found = repaired(context, plans, meant)
    if all(one.likeness < _WEAK for one in found):
        found += repaired(context, list(steps_by_model(context, plans)), meant)
    return sorted(found, key=lambda one: -one.score)


def repaired(context: Context, plans: Sequence[PlannedPath], meant: Meant) -> list[Fitted]:
    """Return the paths of the graph that are like some plans and have answers, the best evidence first."""
    if not plans:
        return []
    names = {name for plan in plans for name, link in plan.links.items() if link.kind in ("entity", "literal")}
    search = PathSearch(context, StepLikeness(context, meant, names), LookupBudget(seconds=12.0, lookups=400))
    found: list[Fitted] = []
    with context.look_around("paths like the steps of the question") as outcome:
        for plan in plans:
            if mentioned(plan.path.topic) is not None:
                continue
            for path in search.find(plan.path)[:10]:
                if path.score * plan.score < max((one.score for one in found), default=0.0) / 2:
                    break  # the evidence only falls
                if fitted := fit(search, plan, path):
                    found.append(fitted)
        outcome["reply"] = f"{len(found)} paths with answers"
    return sorted((one for one in found if one.score >= _LEAST), key=lambda one: -one.score)


class _Chosen(BaseModel):
    path: int


def choose(context: Context, found: Sequence[Fitted]) -> Fitted | None:
    """Return the path that answers: the clear one, else the one that the model chooses; None where it finds none."""
    different: dict[frozenset[object], Fitted] = {}
    for one in found:
        different.setdefault(frozenset(one.result.rows), one)
    shown = list(different.values())[:10]
    clear = len(shown) == 1 or shown[1].score < CLEAR * shown[0].score
    if clear or "decision_maker" not in context.models or "path_selection" not in context.roles.decision_maker.prompts:
        return shown[0]
    inputs = {"question": context.question.text, "paths": [_shown(context, one) for one in shown]}

    def fault(reply: _Chosen) -> str | None:
        return None if 0 <= reply.path <= len(shown) else f"'path' must be from 0 to {len(shown)}"

    reply = context.call("decision_maker", "path_selection", inputs, _Chosen, fault)
    return shown[reply.path - 1] if reply.path else None


def _shown(context: Context, fitted: Fitted) -> dict[str, object]:
    rows = fitted.result.rows[:5]
    names = context.schema.labels(
        [iri.value for iri in (*fitted.path.relations(), *fitted.path.named())]
        + [term.value for row in rows for term in row if isinstance(term, IRI)]
    )
    relations = (names[step.relation.value] + ("" if step.forward else " of") for step in fitted.path.steps)
    restricted = [
        _in_words(context, one, names[one.step.relation.value] if one.step else "") for one in fitted.path.restrictions
    ]
    way = " → ".join([context.schema.label(fitted.path.topic), *relations])
    return {
        "steps": "; ".join([way, *restricted]),
        "without": "; ".join(_in_words(context, one) for one in fitted.dropped),
        "found": f"{len(fitted.result)} rows",
        "rows": [", ".join(names.get(str(term), str(term)) if term else "-" for term in row) for row in rows],
    }


# The answer -----------------------------------------------------------------------------------------------


def answer_of(context: Context, fitted: Fitted, answer_type: AnswerType) -> Answer:
    """Return the answer of a path, with what was left out or taken in place of other words."""
    links = {**fitted.plan.links, **_relations(context, fitted)}
    query = BuiltQuery(fitted.query, links, round(min(_MOST, fitted.score), 4), fitted.result, tree=fitted.tree)
    made = answering.answer(context.at("answering"), query, answer_type)
    replies = context.pack.replies
    dropped = [_in_words(context, one) for one in fitted.dropped]
    loosened = [_in_words(context, one) for one in fitted.loosened]
    notes = [replies["left_out"].format(what=what) for what in dropped]
    notes += [replies["loosened"].format(what=what) for what in loosened]
    near = {words: link for words, link in links.items() if link.kind == "relation" and link.score < CLOSE and words}
    taken = [WordUse(words, "instead", link.label) for words, link in near.items()]
    return replace(
        made,
        notes=(*made.notes, *(note[:1].upper() + note[1:] for note in notes)),
        words=(*made.words, *(WordUse(one, "left_out") for one in dropped), *taken),
    )


def _relations(context: Context, fitted: Fitted) -> dict[str, Candidate]:
    """Return the relation that each step of a plan with one relation was taken for."""
    if len(steps := fitted.plan.path.steps) != len(fitted.path.steps):
        return {}
    likeness = StepLikeness(context, {})
    found: dict[str, Candidate] = {}
    for planned, step in zip(steps, fitted.path.steps, strict=True):
        words, iri = mentioned(planned.relation), step.relation.value
        if words is not None:
            label = context.schema.label(step.relation)
            score = likeness.compare(words, {iri: label})[iri]
            found[words] = Candidate(iri, "relation", label, score=round(score, 4), exact=score >= CLOSE)
    return found


def _in_words(context: Context, one: Restriction, relation: str = "") -> str:
    """Return a restriction in words: ``population > 1000``, ``country Norway``."""
    if one.step is not None and not relation and one.step.relation.value != RDF_TYPE:
        relation = _name(context, one.step.relation)
    ends = [_name(context, one.end)] if isinstance(one.end, IRI | Literal) else []
    for test in one.tests:
        if isinstance(test, Comparison) and isinstance(test.right, IRI | Literal):
            ends += [test.sign, _name(context, test.right)]
        else:
            nameless = substituted(test, lambda term: Variable("value") if isinstance(term, Variable) else term)
            ends.append(render_expression(nameless))
    if one.order:
        ends.append("↓" if one.order.descending else "↑")
    return " ".join(filter(None, [relation, *ends]))


def _name(context: Context, term: IRI | Literal) -> str:
    return mentioned(term) or context.schema.label(term)


# The specialist -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Specialist:
    """A fine-tuned model, and how it is asked."""

    model: Model
    prompt: str = "crp"
    """The name or the path of its prompt; ``crp`` is the form of the records of the paper."""
    beams: int = 15
    """Paths that it gives for a question."""


def open_specialist(options: Options) -> Specialist | None:
    """Open the specialist that options name; None where it names none.

    Raises:
        ConfigError: The model cannot be opened.
    """
    named = options.specialist
    model = options.open_model(named.model) if named else None
    return Specialist(model, named.prompt, named.beams) if named and model else None


def ask(context: Context, specialist: Specialist) -> tuple[Answer | None, list[PlannedPath]]:
    """Return the answer of the specialist's path with the best evidence, and all of its paths as plans.

    The answer is None where no path has any.
    """
    messages = load_prompt(specialist.prompt).render({"question": context.question.text})
    texts = context.at("parsing").replies(ROLE, "path", messages, specialist.beams)
    written: dict[ReasoningPath, float] = {}
    for rank, text in enumerate(texts):
        try:
            written.setdefault(parse_path(text), _RANK**rank)
        except MalformedPath:
            continue
    names = PathNames(context.schema, context.index)
    search = PathSearch(context, StepLikeness(context, {}), LookupBudget(seconds=20.0, lookups=120))
    plans: list[PlannedPath] = []
    found: list[Fitted] = []
    with context.look_around("paths of the specialist") as outcome:
        for path, likely in written.items():
            readings = list(islice(names.resolve(path), 6))
            plans += (
                PlannedPath(_as_words(path, one.path), one.score * likely, _links(path, one.path)) for one in readings
            )
            for one in readings:
                if one.score < _NAMED:
                    break  # another name than the graph's: repair compares it with all that there is
                plan = PlannedPath(path, one.score * likely, _links(path, one.path))
                fitted = None if unresolved(one.path) else executed(search, plan, _meant(one.path))
                if fitted:
                    found.append(replace(fitted, score=plan.score))
                    break
        outcome["reply"] = f"{len(found)} of {len(written)} paths have answers"
    if not found:
        return None, sorted(plans, key=lambda plan: -plan.score)
    return answer_of(context, max(found, key=lambda one: one.score), "select"), plans


def repair_paths(context: Context, plans: Sequence[PlannedPath]) -> Answer | None:
    """Return the answer of the path of the graph that is most like some plans; None where there is none."""
    context = context.at("construction")
    found = likeliest(context, list({plan.path: plan for plan in reversed(plans)}.values())[::-1][:3], {})
    chosen = choose(context, found) if found else None
    return answer_of(context, chosen, "select") if chosen else None


def _meant(path: ReasoningPath) -> ReasoningPath:
    """Return a path whose answers are not its topic: the paper's paths leave that to their execution."""
    if not isinstance(path.topic, IRI) or len(path.steps) < 2:
        return path
    apart = Restriction(path.answer, tests=(Comparison(path.answer, "!=", path.topic),))
    return path if apart in path.restrictions else replace(path, restrictions=(*path.restrictions, apart))


def _as_words(written: ReasoningPath, read: ReasoningPath) -> ReasoningPath:
    """Return a path as a plan: its things were found in the graph, its relations are words."""
    words = iter(written.relations())
    return read.mapped(lambda iri, relation: _planned(next(words)) if relation else iri)


def _planned(iri: IRI) -> IRI:
    """Return the words of a relation as those of a step; the last of a dotted name's parts say the most."""
    if (words := mentioned(iri)) is None:
        return iri
    if Wording(words).fit("type") == 1.0:
        return IRI(RDF_TYPE)
    return mention(words.split(",")[-1].strip()) if "," in words else iri


def _links(written: ReasoningPath, read: ReasoningPath) -> dict[str, Candidate]:
    pairs: list[tuple[QueryTerm | None, QueryTerm | None]] = [(written.topic, read.topic)]
    pairs += [(one.end, two.end) for one, two in zip(written.restrictions, read.restrictions, strict=True)]
    named = ((mentioned(here), there) for here, there in pairs if isinstance(there, IRI) and not mentioned(there))
    return {words: Candidate(there.value, "entity", words, score=1.0) for words, there in named if words}
