"""A glossary: words of users, and the classes, relations and entities of the graph that they stand for.

A graph calls a customer a party; its users do not. Their words are found in a question by stems, so that inflections
count, and several words may stand for one term. What a word is defined as that the graph has no term for is a class or
a relation like the others (`triad.language.definitions`).

>>> from triad.language.pack import load_pack
>>> from triad.language.tokens import split
>>> glossary = Glossary.of({"customer": "ex:Party", "net sales": ["ex:revenue"]}, {"ex": "http://example.org/"})
>>> pack = load_pack("en")
>>> [(term.start, term.end, term.iris) for term in glossary.terms(split("Net sales of our customers?", pack), pack)]
[(0, 2, ('http://example.org/revenue',)), (4, 5, ('http://example.org/Party',))]
>>> glossary.meaning("customers", pack), glossary.phrases("http://example.org/revenue")
(('http://example.org/Party',), ('net sales',))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeVar

from triad.errors import ConfigError
from triad.language.definitions import IT, Defined, unfolded, used
from triad.language.pack import Pack
from triad.language.phrases import Phrases
from triad.language.tokens import Word, one_by_one, split
from triad.rdf import IRI, RDF_TYPE, writable
from triad.sparql.patterns import Call, EdgePattern, Filter, Variable
from triad.sparql.query_graph import QueryGraph
from triad.sparql.stated import FACT, Stated, unfolded_facts

Q = TypeVar("Q")

_ABSOLUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|urn:")


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """Words of a question that a glossary has."""

    start: int
    """Position of the first word."""
    end: int
    """Position after the last word."""
    iris: tuple[str, ...]
    """What they stand for, the most important first."""


class Glossary:
    """Words, each with the IRIs that it stands for, the most important first. Safe to use from several threads."""

    def __init__(
        self,
        words: Mapping[str, Sequence[str]] | None = None,
        defined: Mapping[str, Defined] | None = None,
        names: Mapping[str, Sequence[str]] | None = None,
        stated: Iterable[Stated] = (),
    ) -> None:
        """Take words of users, what some are defined as, and for IRIs other names, which stand for nothing else.

        ``stated`` are the relations whose facts nodes state.
        """
        self.stated: Mapping[str, Stated] = {one.relation: one for one in stated}
        self._structure = frozenset(relation for one in self.stated.values() for relation in one.structure)
        self.defined: Mapping[str, Defined] = defined or {}
        """What words are defined as, by the IRIs that stand for them."""
        self.words: Mapping[str, tuple[str, ...]] = {
            **{word: tuple(iris) for word, iris in (words or {}).items()},
            **{one.word: (iri,) for iri, one in self.defined.items()},
        }
        """For each word or phrase its IRIs."""
        self._phrases: dict[str, tuple[str, ...]] = {}
        for word, iris in self.words.items():
            for iri in iris:
                self._phrases[iri] = (*self._phrases.get(iri, ()), word)
        self._names = names or {}
        self._in = cache(self._compiled)

    @classmethod
    def of(
        cls,
        words: Mapping[str, str | Sequence[str]],
        prefixes: Mapping[str, str],
        defined: Mapping[str, Defined] | None = None,
    ) -> Glossary:
        """Return a glossary of IRIs, whole or with one of the prefixes, and of definitions; a word may have several.

        Raises:
            ConfigError: One is neither an IRI nor begins with a known prefix; or a word is blank.
        """
        found: dict[str, list[str]] = {}
        for word in (*words, *(one.word for one in (defined or {}).values())):
            if not any(char.isalnum() for char in word):
                raise ConfigError(f"'words': {word!r} is no word")
        for word, terms in words.items():
            listed = [terms] if isinstance(terms, str) else list(terms)
            if not listed:
                raise ConfigError(f"'words': {word!r} stands for nothing; name an IRI")
            found[word] = [whole_iri(term, prefixes, f"'words': {word!r}") for term in listed]
        return cls(found, defined)

    def __bool__(self) -> bool:
        return bool(self.words or self._names)

    def naming(self, names: Mapping[str, Sequence[str]], stated: Sequence[Stated] = ()) -> Glossary:
        """Return the glossary with other names of IRIs, and of a graph in which nodes state facts of some relations."""
        own = {word: iris for word, iris in self.words.items() if self.defined.keys().isdisjoint(iris)}
        return Glossary(own, self.defined, names, stated) if names or stated else self

    def structures(self, relation: str) -> bool:
        """Return whether a relation only serves to state facts, which are asked for by their own relations."""
        return relation.startswith(FACT) or relation in self._structure

    @property
    def iris(self) -> tuple[str, ...]:
        """All IRIs of the graph, each once."""
        return tuple(iri for iri in self._phrases if iri not in self.defined)

    def phrases(self, iri: str) -> tuple[str, ...]:
        """Return the words and phrases that stand for an IRI, and its other names."""
        return (*self._phrases.get(iri, ()), *self._names.get(iri, ()))

    def unfolded(self, query: Q) -> Q:
        """Return a query in the terms of the graph, without those that only definitions and stated facts have."""
        return unfolded_facts(unfolded(query, self.defined), self.stated)

    def used(self, query: Any) -> tuple[Defined, ...]:
        """Return the definitions that a query uses."""
        return used(query, self.defined)

    def holding(self, one: Defined) -> QueryGraph:
        """Return the query for the things of which a definition holds, with the values of a formula."""
        value = Variable("value")
        if one.value is None:
            query = QueryGraph((IT,), (EdgePattern(IT, IRI(RDF_TYPE), IRI(one.iri)),), distinct=True)
        else:
            query = QueryGraph((IT, value), (EdgePattern(IT, IRI(one.iri), value), Filter(Call("BOUND", (value,)))))
        return self.unfolded(query)

    def terms(self, words: Sequence[Word], pack: Pack) -> tuple[GlossaryTerm, ...]:
        """Return the words of a question that the glossary has, from left to right; they do not overlap."""
        found = self._in(pack).apart([word.stem for word in words]) if self.words else ()
        return tuple(GlossaryTerm(*term) for term in found)

    def meaning(self, text: str, pack: Pack) -> tuple[str, ...]:
        """Return what a text stands for that is one of the glossary's words or phrases; nothing for any other.

        Articles and other function words around it do not matter.
        """
        phrases = self._in(pack) if self.words else Phrases[tuple[str, ...]]()
        for start, word in enumerate(one_by_one(text, pack)):  # the first that counts begins no phrase, mostly
            if word.stem in phrases.starts:
                words = split(text, pack)
                found = phrases.longest([one.stem for one in words], start)
                if found and all(other.empty for other in words[found[0] :]):
                    return found[1]
            if not word.empty:
                break
        return ()

    def _compiled(self, pack: Pack) -> Phrases[tuple[str, ...]]:
        """Return the phrases as stems of a language."""
        return Phrases(([one.stem for one in split(word, pack)], iris) for word, iris in self.words.items())


def whole_iri(term: str, prefixes: Mapping[str, str], place: str) -> str:
    """Return an IRI, written whole or with one of the prefixes; a `ConfigError` names the place of what is none."""
    text = term.strip()
    prefix, colon, local = text.partition(":")
    if text.startswith("<") and text.endswith(">") and colon and writable(text[1:-1]):
        return text[1:-1]
    if colon and prefix in prefixes and not local.startswith("//") and writable(local):
        return prefixes[prefix] + local
    if _ABSOLUTE.match(text) and writable(text):
        return text
    if colon and writable(text) and not local.startswith("//"):
        known = ", ".join(sorted(filter(None, prefixes))) or "none"
        raise ConfigError(
            f"{place}: the prefix of {term!r} is not known; known: {known}; write the whole IRI, or name the "
            "prefix, as in graph_options: {prefixes: {ex: 'http://example.org/'}}"
        )
    raise ConfigError(f"{place}: {term!r} is neither an IRI nor a name with a prefix, such as ex:Party")
