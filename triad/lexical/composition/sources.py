"""Sources: the named graphs that a question asks, "in 2022" where the graph `y2022` holds the facts of that year.

A named graph is called by the words, years and dates of its IRI that tell it from the other ones, or by its label.
Where a question names one, the patterns of all relations and classes that stand there are matched within it; the others
are matched anywhere.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Literal as Choice
from urllib.parse import unquote

from triad.kg.profile import GraphProfile
from triad.language.analysis import Analysis
from triad.language.comparisons import Comparison
from triad.language.normalize import fold, local_name
from triad.language.operators import Bound, find_bounds
from triad.language.pack import Pack
from triad.language.recurring import is_recurring
from triad.language.tokens import Sentence
from triad.language.units import comparative_at
from triad.lexical.composition.elements import NEARLY, Span
from triad.lexical.composition.tagging import bound_end
from triad.lexical.mention_detection import Mentions
from triad.rdf import IRI
from triad.sparql import patterns
from triad.sparql.patterns import ClassPattern, Computed, EdgePattern, GraphPart, NegatedPart, OptionalPart, Part, Union
from triad.sparql.query_graph import QueryGraph

SourceRole = Choice["in", "than", "more", "less", "which"]
"""What words do that are about named graphs: "in 2023", "than in 2022", "more … than in 2022", "less", "which year"."""

_MANY: Final = 100  # graphs above which words say too little
_TOKENS: Final = re.compile(r"[^\W\d_]+|\d+")
_YEAR: Final = re.compile(r"1\d{3}|20\d{2}")
_DATE: Final = re.compile(r"(?<!\d)(1\d{3}|20\d{2})(?:[-_/.]?(0[1-9]|1[0-2])(?:[-_/.]?(0[1-9]|[12]\d|3[01]))?)?(?!\d)")
_VARIABLE: Final = patterns.Variable("source")


@dataclass(frozen=True, slots=True)
class SourceSpan(Span):
    """Words about named graphs."""

    role: SourceRole = "in"
    graphs: tuple[str, ...] = ()
    """The IRIs of the graphs that the words may mean."""


@dataclass(frozen=True)
class Source:
    """The named graphs in which what a query says is to be found."""

    graphs: tuple[str, ...]
    """Their IRIs."""
    terms: frozenset[str]
    """IRIs of the relations and classes that stand there."""
    shown: Choice["", "only", "last"] = ""
    """Whether the graph is a column: the only one, because it is asked for, or the last one, to tell values apart."""
    said: frozenset[int] = field(default_factory=frozenset)
    """The positions of the words that name them."""

    def applied(self, query: QueryGraph) -> QueryGraph:
        """Return a query that finds in these graphs what stands there.

        >>> x, name = patterns.Variable("x"), patterns.Variable("name")
        >>> both = EdgePattern(x, IRI("sales"), patterns.Variable("n")), EdgePattern(x, IRI("label"), name)
        >>> Source(("y2022",), frozenset({"sales"})).applied(QueryGraph.of(name, *both)).where[0].graph
        IRI(value='y2022')
        """
        columns = {"only": (_VARIABLE,), "last": (*query.columns, _VARIABLE)}.get(self.shown, query.columns)
        return replace(query, where=self._group(query.where), columns=columns)

    @property
    def _one(self) -> bool:
        return len(self.graphs) == 1 and not self.shown

    def _group(self, parts: Sequence[Part]) -> tuple[Part, ...]:
        inside = tuple(filter(self._holds, parts))
        others = [self._part(part) for part in parts if not self._holds(part)]
        if inside:
            known = () if self._one else (patterns.Values.of(_VARIABLE, *map(IRI, self.graphs)),)
            at, graph = parts.index(inside[0]), IRI(self.graphs[0]) if self._one else _VARIABLE
            others[at:at] = (*known, GraphPart(graph, inside))
        return tuple(others)

    def _holds(self, part: Part) -> bool:
        match part:
            case EdgePattern(_, IRI(relation), _) | EdgePattern(_, patterns.Path((IRI(relation),)), _):
                return relation in self.terms
            case ClassPattern(_, (IRI(cls),), _, below=False):
                return cls in self.terms
        return False

    def _part(self, part: Part) -> Part:
        match part:
            case NegatedPart() | OptionalPart():
                return replace(part, parts=self._group(part.parts))
            case Union(groups):
                return Union(tuple(map(self._group, groups)))
            case QueryGraph():
                inner = replace(part, where=self._group(part.where))
                plain = part.distinct and not any(isinstance(column, Computed) for column in part.columns)
                if plain and not self._one and any(isinstance(one, GraphPart) for one in inner.where):
                    inner = replace(inner, columns=(*inner.columns, _VARIABLE))  # equal values of two graphs are two
                return inner
        return part


def find_sources(analysis: Analysis, pack: Pack, profile: GraphProfile, mentions: Mentions = ()) -> list[SourceSpan]:
    """Return the words of a question that may be about the named graphs of its facts, which mentions may name."""
    if len(graphs := profile.sources) < 2:
        return []
    names = _names(graphs, pack)
    sentence = Sentence(analysis.text, pack)
    limits = find_bounds(analysis.text, pack, boolean=analysis.answer_type == "boolean")
    bounds = [bound for bound in limits if all(one.date is not None and not is_recurring(one.date) for one in bound)]
    open_ends = [range(bound[0].start, bound_end(analysis, bound)) for bound in bounds if bound[0].operator != "="]
    spans = [span for span in _called(analysis, names) if all(span.start not in one for one in open_ends)]
    spans += _dated(analysis, bounds, names)
    for at in mentions:
        if (one := at.candidate).kind == "entity" and one.iri in graphs:
            spans.append(SourceSpan("source", at.start, at.end, one.iri, one.score, exact=one.exact, graphs=(one.iri,)))
    spans = list({(span.start, span.end, span.graphs): span for span in spans}.values())
    rivals = list(_rivals(sentence, spans))
    compared = {(one.end, one.graphs) for one in rivals}
    plain = [one for one in spans if (one.end, one.graphs) not in compared]
    found = [*plain, *rivals, *_comparatives(sentence, rivals), *_asked(sentence, names)]
    return [one for one in found if len(one.graphs) <= _MANY]


class _Names:
    """What the named graphs of a graph are called."""

    def __init__(self, graphs: tuple[str, ...], pack: Pack) -> None:
        self.graphs = graphs
        words = {iri: _words(iri, pack) for iri in graphs}
        shared = frozenset.intersection(*words.values())
        self.words = {iri: own - shared for iri, own in words.items()}
        """The words of each graph's IRI that not all of the graphs have."""
        self.by_word: defaultdict[str, set[str]] = defaultdict(set)
        for iri, own in self.words.items():
            for word in own:
                self.by_word[word].add(iri)
        self.kinds = frozenset(word for word in shared if word in _last_words(graphs, pack))
        """The words that say what all graphs are: the last ones that they share."""
        dates = {iri: _DATE.findall(_path(iri)) for iri in graphs}
        self.dates = {iri: "-".join(filter(None, found[-1])) for iri, found in dates.items() if found}
        """The year, month or day of each graph that has one."""


_names = lru_cache(maxsize=32)(_Names)


def _path(iri: str) -> str:
    return re.sub(r"^\w+://[^/]*", "", unquote(iri))


def _words(iri: str, pack: Pack) -> frozenset[str]:
    """Return the words of an IRI as stems: "y2022" is also the year alone."""
    found: set[str] = set()
    for segment in filter(None, re.split(r"[/#:?&=]", _path(iri))):
        for word in fold(local_name(segment)).split():
            parts = _TOKENS.findall(word)
            found.add(word if len(parts) > 1 or word.isdigit() else pack.stem(word))
            if len(parts) > 1:
                found |= {pack.stem(one) for one in parts if one.isalpha() and len(one) > 1}
                found |= {one for one in parts if _YEAR.fullmatch(one)}
    return frozenset(found)


def _last_words(graphs: Sequence[str], pack: Pack) -> frozenset[str]:
    [*parts] = (re.split(r"[/#:?&=]", _path(iri)) for iri in graphs)
    before = {tuple(one[:-1][-1:]) for one in parts}
    return _words("/" + "/".join(before.pop()), pack) if len(before) == 1 else frozenset()


def _called(analysis: Analysis, names: _Names) -> Iterator[SourceSpan]:
    """Yield the words that stand in the IRIs of some of the graphs."""
    words = analysis.words
    for start in range(len(words)):
        said: set[str] = set()
        for end in range(start + 1, len(words) + 1):
            word = words[end - 1]
            if word.empty and not word.folded.isdigit():
                if not said:
                    break
                continue
            said.add(word.folded if any(sign.isdigit() for sign in word.folded) else word.stem)
            if not (having := set.intersection(*(names.by_word.get(one, set()) for one in said))):
                break
            graphs = tuple(iri for iri in names.graphs if iri in having)
            year = any(_YEAR.fullmatch(one) for one in said)
            if all(one.isdigit() for one in said) and not year:
                continue  # a number alone is no name
            share = max(len(said) / len(names.words[iri]) for iri in graphs)
            score = 1.0 if year else NEARLY * min(1.0, share) ** 0.5
            yield SourceSpan("source", start, end, graphs[0], score, graphs=graphs)


def _dated(analysis: Analysis, bounds: Iterable[Bound], names: _Names) -> Iterator[SourceSpan]:
    """Yield the months, days and spans of time in which some of the graphs are."""
    for bound in bounds:
        if len(bound) == 1 and bound[0].operator == "=" and _YEAR.fullmatch(bound[0].date or ""):
            continue  # a year is a word of the IRI
        graphs = tuple(iri for iri, date in names.dates.items() if all(_is_within(date, one) for one in bound))
        if graphs:
            yield SourceSpan("source", bound[0].start, bound_end(analysis, bound), graphs[0], NEARLY, graphs=graphs)


def _is_within(date: str, bound: Comparison) -> bool:
    assert bound.date is not None
    if date.startswith(bound.date):
        return bound.operator in ("=", "<=", ">=")
    return date < bound.date if bound.operator.startswith("<") else bound.operator != "=" and date > bound.date


def _rivals(sentence: Sentence, spans: Iterable[SourceSpan]) -> Iterator[SourceSpan]:
    """Yield the graphs with which others are compared: "than in 2022"."""
    for span in spans:
        for at in range(max(0, span.start - 3), span.start + 1):
            end = sentence.compare("than", at)
            if end is not None and end <= span.start and not any(map(sentence.content, range(end, span.start))):
                yield replace(span, start=at, role="than")
                break


def _comparatives(sentence: Sentence, rivals: Sequence[SourceSpan]) -> Iterator[SourceSpan]:
    """Yield the words that say how the values of two graphs compare: "more … than in 2022"."""
    for at in range(max((one.start for one in rivals), default=0)):
        if compared := comparative_at(sentence, at):
            _, end, greater = compared
            yield SourceSpan("source", at, end, "", 1.0, role="more" if greater else "less")


def _asked(sentence: Sentence, names: _Names) -> Iterator[SourceSpan]:
    """Yield the words that ask for a graph itself: "which year", where the graphs are called by years."""
    pack = sentence.pack
    year = pack.english.stem("year")
    for at, word in enumerate(sentence.words):
        before = range(max(0, at - 2), at + 1)
        if not any(sentence.form("which", one) or pack.expected.longest(sentence.folded, one) for one in before):
            continue
        dated = len(names.dates) > 1 and (word.stem == year or "year" in pack.translations.get(word.stem, ()))
        if dated or word.stem in names.kinds:
            graphs = tuple(names.dates) if dated else names.graphs
            yield SourceSpan("source", at, at + 1, "", NEARLY, role="which", graphs=graphs)
