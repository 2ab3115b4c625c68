"""Plans: reasoning paths whose relations are still words, from what failed or from the model.

A template that failed is a plan already: its relations, as the generalist wrote them, are the steps. Only where that
leads nowhere is the model asked for the steps. A template that a path cannot express has no plan, for a negation or a
count of groups would be lost.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel

from triad.errors import ReplyError
from triad.language.normalize import fold
from triad.phases.attempts import Attempt
from triad.phases.context import Context
from triad.phases.linking import LinkOption
from triad.queries.path_text import mention, mentioned
from triad.queries.paths import NotAPath, ReasoningPath, Step, from_graph
from triad.questions import Candidate, Kind
from triad.rdf import IRI, RDF_TYPE
from triad.search.base import Lookup

Meant = Mapping[str, Mapping[str, float]]
"""For the words of steps, relations that they were linked to, with the scores of the links."""

_OPTIONS = 2  # things that one mention may stand for
_MOST_STEPS = 4
_NOT_FOUND = 0.3  # what a name counts that nothing in the graph has


@dataclass(frozen=True, slots=True)
class PlannedPath:
    """A path whose relations are words."""

    path: ReasoningPath
    score: float = 1.0
    """How well its entities fit what the question names."""
    links: Mapping[str, Candidate] = field(default_factory=dict)
    """What its mentions were linked to."""
    counts: bool = False
    """Whether the number of answers is asked for."""


def plans_of(context: Context, failed: Attempt) -> list[PlannedPath]:
    """Return the plans of a template, the best links first; none where a path cannot express it."""
    template = failed.template
    named = {slot: _options(context, failed, slot) for slot, one in template.slots.items() if one.kind != "relation"}
    words = {slot: mention(one.text) for slot, one in template.slots.items()}
    fixed = dict.fromkeys(template.classes.values(), IRI(RDF_TYPE))
    found: list[PlannedPath] = []
    for options in itertools.product(*named.values()):
        chosen = dict(zip(named, options, strict=True))
        terms = {slot: option.filler for slot, option in chosen.items() if option.candidate.iri or option.filler}
        graph = context.glossary.unfolded(template.fill({**fixed, **terms})).explicit()
        rows = graph.counted_rows
        try:
            path = from_graph(rows or graph)
        except NotAPath:
            return []
        score = math.prod(option.score for option in options) ** (1 / max(1, len(options)))
        links = {template.slots[slot].text: option.candidate for slot, option in chosen.items()}
        in_words = path.mapped(lambda iri, _: words.get(iri.value, iri))
        found.append(PlannedPath(in_words, score, links, rows is not None))
    return sorted(found, key=lambda plan: -plan.score)[:4]


def _options(context: Context, failed: Attempt, slot: str) -> Sequence[LinkOption]:
    """Return what a mention may stand for: its links, else things with names near it, else only its words."""
    if known := failed.links.get(slot, ()):
        return known[:_OPTIONS]
    named = failed.template.slots[slot]
    kinds: tuple[Kind, ...] = ("class",) if named.kind == "class" else ("entity", "class")
    [near] = context.search([Lookup(named.text, kinds, 3)])
    options = [LinkOption(item, IRI(item.iri), item.score) for item in near[:_OPTIONS]]
    return options or [LinkOption(Candidate("", named.kind, named.text), None, _NOT_FOUND)]


def meant_by(failed: Attempt) -> Meant:
    """Return for the words of each relation what it was linked to, with the scores of the links."""
    found: dict[str, dict[str, float]] = {}
    for slot, named in failed.template.slots.items():
        if named.kind == "relation":
            for option in failed.links.get(slot, ()):
                known = found.setdefault(named.text, {})
                known[option.candidate.iri] = max(option.score, known.get(option.candidate.iri, 0.0))
    return found


class _Steps(BaseModel):
    steps: list[str]


def steps_by_model(context: Context, plans: Sequence[PlannedPath]) -> Iterator[PlannedPath]:
    """Yield plans with steps that the model says, from the same topics with the same restrictions of the answer."""
    if "generalist" not in context.models or "step_planning" not in context.roles.generalist.prompts:
        return
    # no steps lead from what was not found, nor from a class alone
    plans = [plan for plan in plans if not mentioned(plan.path.topic)]
    plans = [plan for plan in plans if any(step.relation.value != RDF_TYPE for step in plan.path.steps)]
    if not plans:
        return

    def fault(reply: _Steps) -> str | None:
        if not 1 <= len(reply.steps) <= _MOST_STEPS or not all(step.strip() for step in reply.steps):
            return f"'steps' must have 1 to {_MOST_STEPS} steps, each in words"
        return None

    inputs = {"question": context.question.text, "start": context.schema.label(plans[0].path.topic)}
    try:
        reply = context.call("generalist", "step_planning", inputs, _Steps, fault)
    except ReplyError:
        return
    steps = tuple(Step(mention(words.strip())) for words in reply.steps)
    for plan in plans:
        said = [fold(str(step.relation)) for step in plan.path.steps]
        if said != [fold(str(step.relation)) for step in steps]:
            yield replace(plan, path=_with_steps(plan.path, steps))


def _with_steps(path: ReasoningPath, steps: tuple[Step, ...]) -> ReasoningPath:
    """Return a path with another main path; restrictions of nodes that it has not are restrictions of its answer."""
    made = replace(path, steps=steps)
    known = {*made.nodes, *(one.end for one in path.restrictions)}
    moved = [one if one.node in known else replace(one, node=made.answer) for one in path.restrictions]
    return replace(made, restrictions=tuple(moved))
