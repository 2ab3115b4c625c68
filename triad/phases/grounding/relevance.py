"""Relevance: how likely a question asks for a relation, by the relation's name.

The words of the question count as themselves, by the synonyms of the language pack (wife, spouse), by what an adjective
measures (high, elevation), and by what the lexical database knows of them (dissolve, dissolution).
"""

from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from typing import Final

from triad.language.analysis import Analysis
from triad.language.glossary import Glossary
from triad.language.normalize import local_name
from triad.language.pack import Pack, load_pack
from triad.language.relatedness import relatedness
from triad.lexical.matching import Matcher
from triad.rdf import DATED, NUMERIC, Literal, Term

ASKED: Final = 0.45
"""The relevance from which on the question asks for a relation."""

_RELATED: Final = 0.9  # how much a word counts that is related by meaning
_NEAR: Final = 0.35  # the least relatedness that counts
_EXPECTED: Final = 0.2  # what a value of the kind that is asked for adds
_DATATYPES: Final = {"date": DATED, "number": NUMERIC}


class Relevance:
    """How likely a question asks for relations.

    Words at the positions of names say nothing of relations.
    """

    def __init__(self, analysis: Analysis, named: Iterable[int], glossary: Glossary) -> None:
        pack = load_pack(analysis.language)
        self.analysis = analysis
        self.matcher = Matcher(analysis, pack, load_pack("en"), glossary=glossary)
        self._named = frozenset(named)
        self._measures = [
            one.measures for one in (analysis.order, *analysis.comparisons) if one is not None and one.measures
        ]
        self._said = list(dict.fromkeys(_said(analysis, pack, self._named)))
        self._expected = {datatype for kind in analysis.expected for datatype in _DATATYPES.get(kind, ())}
        self._known: dict[tuple[str, str], float] = {}
        self.needed: Set[str] = frozenset()
        """IRIs of the relations that connect what the question names: it asks for them without words."""

    def of(self, label: str, iri: str) -> float:
        """Return how likely the question asks for a relation with a name, from 0 to 1."""
        if (key := (label, iri)) not in self._known:
            best = self.matcher.relation(label, iri, self._named).fit
            for measures in self._measures:
                best = max(best, self.matcher.measure(label, iri, measures))
            near = max((_relatedness(said, label, iri) for said in self._said), default=0.0)
            related = _RELATED * near if near >= _NEAR else 0.0
            self._known[key] = max(best, related, ASKED if iri in self.needed else 0.0)
        return self._known[key]

    def of_value(self, label: str, iri: str, sample: Term | None) -> float:
        """Return the same for a relation with a value; a date counts more where "when" is asked."""
        found = self.of(label, iri)
        if isinstance(sample, Literal) and sample.datatype in self._expected:
            found += _EXPECTED * (1 - found)
        return found


@lru_cache(maxsize=1 << 16)  # the relations of a graph occur in every question, and many words do in several
def _relatedness(said: str, label: str, iri: str) -> float:
    """Return how near a word of a question is to the better name of a relation or a class."""
    return max(relatedness(said, name) for name in dict.fromkeys((label, *((local_name(iri),) if iri else ()))))


def _said(analysis: Analysis, pack: Pack, named: frozenset[int]) -> Iterator[str]:
    """Yield the English words of a question, alone and in pairs, or what its words mean in English."""
    words = analysis.words
    if analysis.language != "en":
        texts = [word.text for word in words]
        for at, word in enumerate(words):
            if not word.empty and at not in named:
                yield from (one.english for one in pack.vocabulary.meanings(texts, at))
        return
    for at, word in enumerate(words):
        if word.empty or at in named or not word.folded.isalpha():
            continue
        yield word.folded
        if at + 1 < len(words) and not words[at + 1].empty and at + 1 not in named:
            yield f"{word.folded} {words[at + 1].folded}"
