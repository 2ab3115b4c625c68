"""The specialist: a fine-tuned model that writes reasoning paths, and the repair of those that the graph does not have.

This is the set-up of RouterKGQA. A small model gives several paths at once, the likeliest first. Those with answers are
ranked by evidence: how well their names fit, and how likely the model found them. Only where none has an answer, the
general model is asked: the likeliest paths become plans, and path repair takes them from there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from triad.answers import Answer
from triad.configs import Options
from triad.language.similarity import Wording
from triad.models.model import Model
from triad.phases.context import Context
from triad.prompts import load_prompt
from triad.queries.path_names import PathNames, unresolved
from triad.queries.path_text import MalformedPath, mention, mentioned, parse_path
from triad.queries.paths import ReasoningPath, Restriction
from triad.questions import Candidate
from triad.rdf import IRI, RDF_TYPE
from triad.repair.fitting import Fitted, executed
from triad.repair.plans import PlannedPath
from triad.repair.repairing import answer_of, choose, likeliest
from triad.repair.search import LookupBudget, PathSearch, StepLikeness
from triad.sparql.patterns import Comparison, QueryTerm

ROLE: Final = "specialist"
"""The name under which a context has its model, and steps its calls."""

_NAMED: Final = 0.8  # how well the names of a path fit that is taken as it is
_RANK: Final = 0.97  # what a path counts against the one that the model found likelier


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
    different = list({plan.path: plan for plan in reversed(plans)}.values())[::-1]
    found = likeliest(context, different[:3], {})
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
    words = mentioned(iri)
    if words is None:
        return iri
    if Wording(words).fit("type") == 1.0:
        return IRI(RDF_TYPE)
    return mention(words.split(",")[-1].strip()) if "," in words else iri


def _links(written: ReasoningPath, read: ReasoningPath) -> dict[str, Candidate]:
    pairs: list[tuple[QueryTerm | None, QueryTerm | None]] = [(written.topic, read.topic)]
    pairs += [(one.end, two.end) for one, two in zip(written.restrictions, read.restrictions, strict=True)]
    return {
        words: Candidate(there.value, "entity", words, score=1.0)
        for here, there in pairs
        if isinstance(there, IRI) and (words := mentioned(here)) and not mentioned(there)
    }
