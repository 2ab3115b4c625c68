"""Attempts: the candidate queries of a template, and what was tried with it, for the rungs above that repair it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from triad import sparql
from triad.answers import Answer
from triad.language.definitions import Defined
from triad.phases.linking import Links
from triad.queries.template import Template
from triad.questions import AnswerType, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltQuery(Query):
    """A candidate query with its tree, as it was before the guard."""

    tree: sparql.QueryGraph = field(repr=False, compare=False)
    terms: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What the slots of the template were filled with."""
    stands_in: bool = False
    """True if it is only for where others find nothing."""
    notes: tuple[str, ...] = ()
    """Sentences on what differs from the template."""
    defined: tuple[Defined, ...] = ()
    """The definitions that it uses."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A template, what its mentions were linked to, the queries that were executed, and what is wrong."""

    template: Template
    answer_type: AnswerType
    links: Links
    queries: tuple[BuiltQuery, ...] = ()
    """The candidate queries that were executed, with their results or errors, the best linking score first."""
    readings: tuple[BuiltQuery, ...] = ()
    """The queries of what else the question can mean, by other templates of the same reply."""
    answer: Answer | None = None
    """The answer of the query that was chosen; None if none was."""
    diagnosis: str = ""
    """What is wrong: doubts of the answer, or mentions not found, patterns without a match, relations that exist."""


@dataclass(frozen=True, slots=True)
class Absence:
    """What the generalist says that the graph lacks, in place of a template."""

    missing: str
    """What a question needs and the graph does not have, in the model's words."""
    answer_type: AnswerType
    general: bool
    """Whether it is common knowledge, so that the model may know it."""
