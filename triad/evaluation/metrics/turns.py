"""Turns that are answered in words: by values with tolerances or by nuggets, with the evidence that they cite.

Whether a value is given, `triad.evaluation.metrics.stated` tells.
"""

import re
from collections.abc import Collection, Iterable
from pathlib import PurePath
from typing import Final

from triad.answers import Answer
from triad.citations import Citation
from triad.datasets.expected import Expected, Nugget
from triad.evaluation.metrics.scoring import Scores
from triad.evaluation.metrics.stated import given, words_of
from triad.language.detection import detect
from triad.language.pack import languages, load_pack
from triad.trace import Trace

_PART: Final = re.compile(r" \d+$")  # which part of a thing or of a section it is
_SHOWN: Final = (1, 5, 10)  # the numbers of passages that recall is measured at


def score_turn(expected: Expected, answer: Answer | None, trace: Trace | None, *, declined: bool) -> Scores:
    """Measure the answer to a turn, which is declined if it has no answer though nothing failed."""
    silent = declined or (answer is not None and not answer.values and not words_of(answer))
    values: dict[str, float | None] = {"right": float(silent)}
    if expected.kind == "exact":
        wanted = [position for position, one in enumerate(expected.values) if not one.optional]
        stated = _given(expected, answer).intersection(wanted)
        values |= {"right": float(len(stated) == len(wanted)), "value_recall": len(stated) / len(wanted)}
    if expected.kind == "nuggets":
        found = _found(expected, answer)
        right = len(found) >= expected.least and all(one in found for one in expected.nuggets if one.required)
        values |= {"right": float(right), "nugget_recall": len(found) / len(expected.nuggets)}
    answerable = "unanswerable" if expected.kind == "unanswerable" else "answerable"
    values[f"declined_{answerable}"] = float(silent)
    values["citation_precision"] = _precision(expected, answer)
    cited = [one for one in answer.sentences if one.cites] if answer else []
    values["cited_sentences"], values["held_sentences"] = float(len(cited)), float(sum(one.held for one in cited))
    for most in _SHOWN:
        values[f"recall_at_{most}"] = _recall(expected, answer.trace if answer and answer.trace else trace, most)
    return values


def _given(expected: Expected, answer: Answer | None) -> frozenset[int]:
    if answer is None:
        return frozenset()
    told = detect(words_of(answer), answer.question.language or "en")
    return given(expected, answer, load_pack(told if told in languages() else "en"))


def _found(expected: Expected, answer: Answer | None) -> list[Nugget]:
    """Return the nuggets that an answer contains."""
    text = words_of(answer) if answer else ""
    return [one for one in expected.nuggets if all(re.search(key, text, re.IGNORECASE) for key in one.keys)]


# Evidence -------------------------------------------------------------------------------------------------


def _precision(expected: Expected, answer: Answer | None) -> float | None:
    """Return the share of the cited pieces of evidence that are about what supports the gold.

    None where nothing is cited that names a thing or a document, or where the gold names no support.
    """
    supports = expected.supports
    things = {*supports.entities, *supports.aggregated, *(iri for one in expected.nuggets for iri in one.things)}
    things |= {one.iri for one in expected.values if one.iri}
    passages = {*supports.passages, *(id_ for one in expected.nuggets for id_ in one.passages)}
    passages |= {other for others in supports.alternatives.values() for other in others}
    numbers = {number for sentence in answer.sentences for number in sentence.cites} if answer else set()
    found = answer.citations if answer else ()
    cited = [one for one in found if one.number in numbers and (one.things or one.document)]
    if not cited or not (things or passages):
        return None
    return sum(_is_about(one, things, passages) for one in cited) / len(cited)


def _is_about(citation: Citation, things: Collection[str], passages: Collection[str]) -> bool:
    if citation.document is not None:
        return PurePath(citation.document).stem in passages
    return any(iri in things for iri in citation.things)


def _recall(expected: Expected, trace: Trace | None, most: int) -> float | None:
    """Return the share of the supports that are among the first passages of a search; None without search."""
    supports = expected.supports
    wanted = [{iri} for iri in supports.entities]
    wanted += [{id_, *supports.alternatives.get(id_, ())} for id_ in supports.passages]
    searches = [step for step in trace.steps if step.service == "passages"] if trace else []
    if not wanted or not searches:
        return None
    shown = {name for step in searches for id_ in step.candidates[:most] for name in _names(id_)}
    return sum(1 for one in wanted if one & shown) / len(wanted)


def _names(id_: str) -> Iterable[str]:
    """Return what an id of a passage says it is about: the IRI, or the name of the document without its headings."""
    whole = _PART.sub("", id_)
    return whole, PurePath(whole.partition("#")[0]).stem
