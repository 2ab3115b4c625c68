"""Paraphrases: what a candidate query takes the question for, in words, to ask the user what is meant."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from triad.language import lexical_database
from triad.language.analysis import Analysis
from triad.language.normalize import fold
from triad.language.pack import Pack, load_pack
from triad.lexical.candidates import CandidateQuery
from triad.lexical.nodes import WIDTH, Edge

OFFERED: Final = 3
"""How many readings beside the best one, and names like some words, are offered at most."""


def other_readings(ranked: Sequence[CandidateQuery], analysis: Analysis, pack: Pack) -> tuple[str, ...]:
    """Return what a question may mean other than the best candidate query takes it for, the likeliest first."""
    found = dict.fromkeys(reading(candidate, analysis, pack) for candidate in ranked[:WIDTH])
    return tuple(list(filter(None, found))[1 : OFFERED + 1])


def reading(candidate: CandidateQuery, analysis: Analysis, pack: Pack) -> str:
    """Return in words what a candidate query asks for: its names, with the relations that lead from them.

    >>> from triad.agent import Agent
    >>> from triad.language.analysis import analyse, load_pack
    >>> from triad.lexical.solver import candidates
    >>> from triad.lexical.weights import load_weights
    >>> from triad.questions import Question
    >>> question = Question("Who founded Intel?")
    >>> best, *_ = candidates(Agent.from_config("demo").begin(question), load_weights())
    >>> reading(best, analyse(question.text, load_pack("en")), load_pack("en"))
    'Intel: founded by'
    """
    node = candidate.node
    kinds = " ".join(analysis.words[at].text for at in sorted(node.kinds.positions))
    paths = [
        _path(mention.candidate.label, [edge for edge in node.edges if edge.mention == mention], pack)
        for mention in node.mentions
    ]
    text = pack.replies["and"].join(paths) if paths else _path(kinds, node.edges, pack)
    counts = candidate.form == "count" and text
    return pack.replies["reading_count"].format(what=text) if counts else text


def _path(text: str, edges: Sequence[Edge], pack: Pack) -> str:
    """Return what a path of relations leads to from something, in words."""
    apart = False
    for edge in edges:
        thing, apart = f"({text})" if apart else text, bool(text) and not _is_noun(edge.label, pack)
        if apart:
            text = f"{thing}: {edge.label}" if edge.forward else f"{edge.label}: {thing}"
        else:
            template = pack.replies["reading" if edge.forward else "reading_back"]
            text = template.format(relation=edge.label, thing=thing) if thing else edge.label
    return text


@lru_cache(maxsize=50_000)
def _is_noun(label: str, pack: Pack) -> bool:
    """Return whether a relation's name can be "of" something: "author" can, "founded by", "is part of" and "wrote" not.

    Names of relations are often English, whatever the language of the question.
    """
    words = [fold(word) for word in label.split()]
    english = load_pack("en")
    if not words or any(end in pack.empty or end in english.empty for end in (words[0], words[-1])):
        return False
    if len(words) > 1 or pack.language != english.language:
        return True
    kinds = lexical_database.kinds(words[0])
    return "n" in kinds or "v" not in kinds
