"""Turns and things of the films, written down."""

from __future__ import annotations

from typing import Any

from tests.phases.films import EX
from triad.answers import Answer
from triad.conversation import Turn
from triad.questions import Candidate, Question
from triad.rdf import IRI, Value

__all__ = ["DUNE", "KUBRICK", "LYNCH", "NEW_YORK", "SHINING", "thing", "turn"]


def thing(name: str, label: str, *types: str) -> Candidate:
    """A thing of the films."""
    return Candidate(EX + name, "entity", label, types=tuple(EX + type_ for type_ in types))


SHINING = thing("Shining", "The Shining", "Film")
DUNE = thing("DuneFilm", "Dune", "Film")
KUBRICK = thing("Kubrick", "Stanley Kubrick", "Person")
LYNCH = thing("Lynch", "David Lynch", "Person")
NEW_YORK = thing("NewYork", "New York", "City")


def turn(question: str, *of: Candidate, answers: tuple[Candidate, ...] = (), **more: Any) -> Turn:
    """A turn that named things and was answered with things."""
    rows = tuple((Value(IRI(one.iri), one.label),) for one in answers)
    return Turn(
        question,
        more.pop("standalone", question),
        things={one.label: one for one in of},
        answer=Answer(Question(question), variables=("x",), rows=rows),
        **more,
    )
