"""Why-questions: only a relation that gives reasons answers them, and a graph without one does not say why."""

from collections.abc import Iterable, Sequence

from triad.answers import Reason, Unknown
from triad.language.analysis import Analysis
from triad.language.normalize import fold
from triad.language.pack import load_pack
from triad.lexical.mention_detection import LinkedMention
from triad.phases.context import Context
from triad.search.base import CLOSE


def asks_why(analysis: Analysis, mentions: Sequence[LinkedMention], classes: Sequence[LinkedMention]) -> bool:
    """Return whether a question asks for a reason.

    It does not where the words ask for things of a class ("por qué países", by which countries), nor where they are a
    part of a name: Why We Fight.
    """
    if analysis.reason is None:
        return False
    words = set(range(*analysis.reason))
    named = any(words < one.positions and one.candidate.score >= CLOSE for one in mentions)
    return not named and all(one.start != analysis.reason[1] for one in classes)


def reasons_among(context: Context, relations: Iterable[str]) -> set[str]:
    """Return those of some relations that give reasons, by what they are called: cause of death.

    Raises:
        GraphError: The graph failed.
    """
    words = load_pack(context.question.language).names_of("reasons")
    labels = context.schema.labels(relations)
    return {iri for iri, name in labels.items() if not words.isdisjoint(fold(name).split())}


def says_why(context: Context, relations: Iterable[str]) -> bool:
    """Return whether what a query asks for are reasons of the named things themselves.

    Raises:
        GraphError: The graph failed.
    """
    asked = set(relations)
    return bool(asked) and reasons_among(context, asked) == asked


def unknown_reasons(context: Context, analysis: Analysis) -> Unknown:
    """Return that the graph does not say why."""
    words = analysis.words
    start, end = analysis.reason or (0, len(words))
    said = analysis.text[words[start].start : words[end - 1].end]
    text = load_pack(analysis.language).replies["no_reasons"]
    return Unknown(context.question, (Reason("relation", said, text),))
