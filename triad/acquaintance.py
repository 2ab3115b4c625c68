"""What is known of a graph beside its facts: its profile, what its terms are called, and in which languages."""

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from triad.caching import cached_property
from triad.errors import DataError, SearchError
from triad.kg.languages import LabelLanguages
from triad.kg.profile import GraphProfile
from triad.kg.schema import Schema
from triad.language.detection import detection
from triad.language.glossary import Glossary
from triad.language.pack import load_pack
from triad.log import logger
from triad.opening import Parts, Setup
from triad.questions import Candidate
from triad.search.base import LabelIndex
from triad.search.wrapped import KnownFirst, OntologyIndex, RememberingIndex, term_lookup

_LANGUAGES: Final = 30  # whose labels are known at once


class Acquaintance:
    """What is known of a graph with its index and a glossary, and in which language it is asked.

    Raises:
        ConfigError: A word of the glossary stands for nothing that the graph has.
    """

    def __init__(self, parts: Parts, setup: Setup) -> None:
        self._parts = parts
        self._reading = threading.Lock()  # else each of many threads that ask first would read the profile for itself
        self._detects = setup.language is None
        self._preferring = lru_cache(_LANGUAGES)(parts.schema.preferring)  # whoever asks may make languages up
        self.language = setup.language or "en"
        self.glossary = setup.glossary(parts.graph, self.profile) if setup.words else Glossary()

    @property
    def profile(self) -> GraphProfile | None:
        """The profile of the graph; None if there is none, or it cannot be used."""
        with self._reading:
            return self._profile

    @cached_property
    def _profile(self) -> GraphProfile | None:
        try:
            found = self._parts.profile()
        except (DataError, SearchError) as error:
            logger.warning("the graph's profile is left aside: {}", error)
            return None
        if found is not None:
            self._parts.schema.know(found)
        return found

    @cached_property
    def names(self) -> Glossary:
        """The glossary, with what the ontology calls classes and relations, and with the facts that nodes state."""
        names = {iri: note.names for iri, note in self._parts.schema.notes.items() if note.names}
        return self.glossary.naming(names, self.profile.stated if self.profile else ())

    @cached_property
    def _index(self) -> LabelIndex:
        """The index, which finds the graph's terms by what shapes and an ontology beside it call them, too."""
        of_shapes = {iri: note for iri, note in self.profile.notes.items() if note.labels} if self.profile else {}
        notes = {**of_shapes, **self._parts.notes}
        return OntologyIndex(self._parts.index, notes, self.profile) if notes else self._parts.index

    @cached_property
    def _terms(self) -> Callable[[str], Candidate | None]:
        """What the IRIs of the glossary stand for in the graph."""
        return term_lookup(self._parts.schema, self.profile)

    def index(self, language: str) -> LabelIndex:
        """Return the index for one question, which finds the words of the glossary, too."""
        index = self._index
        if self.glossary.words:
            glossary, terms, pack = self.glossary, self._terms, load_pack(language)
            index = KnownFirst(index, lambda text: filter(None, map(terms, glossary.meaning(text, pack))))
        return RememberingIndex(index)

    @cached_property
    def label_languages(self) -> LabelLanguages:
        """The languages that the graph has labels in."""
        return LabelLanguages(self._parts.schema.graph, self._parts.schema.finder, self.profile)

    def schema_in(self, language: str) -> Schema:
        """Return the schema with labels in a language first."""
        return self._parts.schema if language == self.language else self._preferring(language)

    def notes(self, language: str) -> tuple[str, ...]:
        """Return what is to be said of a language."""
        note = self.label_languages.note(language, self._parts.schema.languages)
        return (note,) if note else ()

    def language_of(self, text: str) -> str:
        """Return the language of a question that does not say it, as a tag."""
        if not self._detects:
            return self.language
        found = detection(text, self.language)
        return self.label_languages.resolved(text, found) if found.others else found.language

    def spoken(self, language: str | None) -> str:
        """Return a language if most relations have labels in it that are not the English ones, else the own one."""
        if language is None or not self.profile or not self.label_languages.have(language):
            return self.language
        iris = [one.iri for one in self.profile.relations]
        own, english = (self.schema_in(one).labels(iris) for one in (language, "en"))
        return language if 2 * sum(own[iri] != english[iri] for iri in iris) > len(iris) else self.language
