"""Spotting: which words of a question name something of the graph.

Every span of words is looked up as a name, in one request; a name inside a longer one stays as an alternative, for
"Love Hurts" may be a song and "Hurts" a band. Only where capitals or the lack of any name say that there should be
more, near names are looked up too: a typo, a surname, a title without its brackets. How likely words mean a thing is
told by a logistic regression of a mention's `evidence`, learned from which things the queries of known questions name.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from triad.grouping import grouped
from triad.language.analysis import Analysis, analyse
from triad.language.exonyms import Naming, load_naming
from triad.language.lexical_database import derived, is_known, is_plural, kinds, lemmas, uses
from triad.language.mentions import capital_runs, is_capital, runs, spans
from triad.language.normalize import fold
from triad.language.pack import load_pack
from triad.language.relatedness import DERIVED_SYNONYM, is_kind_of, relatedness
from triad.language.similarity import is_another
from triad.language.telling import past
from triad.language.tokens import Word
from triad.lexical.voice import infinitive
from triad.lexical.weights import Weights, probability
from triad.phases.context import Context
from triad.phases.homonyms import fitting
from triad.questions import Candidate, Kind
from triad.search.base import CLOSE, Lookup

LONGEST_QUESTION: Final = 200
"""Words of a question; what is longer is a text, whose further words are not looked up."""
ANCHORS: Final = 12
"""Named things that the search starts from, namesakes of one, and ways that are followed from a node."""
MEANINGS: Final = 6
"""Things of one name, and spans for which near names are looked up."""

_BRACKETS: Final = re.compile(r"\s*\(([^()]+)\)")
_LONGEST: Final = 9  # words of a name
_KEPT: Final = 3  # meanings of one span that the search starts from
_SHORT: Final = 2  # letters of an abbreviation
_NEAR_SCORE: Final = 0.6  # the least score of a near name
_POPULAR: Final = 4  # the logarithm of the triples from which on a thing is as well known as can be


@dataclass(frozen=True, slots=True)
class LinkedMention:
    """Words of the question, and a thing that they may name."""

    start: int
    """Position of the first word."""
    end: int
    """Position after the last word."""
    candidate: Candidate
    prior: float = 0.0
    """How likely the words mean this thing, by the words and the name alone."""
    inside: bool = False
    """True if the words are a part of a longer name that something has."""
    evidence: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)
    """What the prior is computed from."""
    things: tuple[str, ...] = ()
    """IRIs of the things that it may be: those of the same classes that are called just the same."""

    @property
    def positions(self) -> frozenset[int]:
        """The words' positions."""
        return frozenset(range(self.start, self.end))

    def overlaps(self, other: LinkedMention) -> bool:
        """Return whether two items share a word."""
        return self.start < other.end and other.start < self.end


Mentions = Sequence[LinkedMention]


@dataclass(frozen=True, slots=True)
class LinkedQuestion:
    """A question, and what its words may name."""

    context: Context
    analysis: Analysis
    mentions: Mentions
    """The named entities and values, the likeliest first."""
    classes: Mentions
    weights: Weights

    @classmethod
    def of(cls, context: Context, text: str, weights: Weights) -> LinkedQuestion:
        """Return a question in some words.

        Raises:
            GraphError: The graph failed.
            SearchError: The label index failed.
        """
        analysis = analyse(text, load_pack(context.question.language))
        return cls(context, analysis, *link_mentions(context.at("linking"), analysis, weights), weights)

    @property
    def asks_why(self) -> bool:
        """True if it asks for a reason.

        It does not where the words ask for things of a class ("por qué países", by which countries), nor where they are
        a part of a name: Why We Fight.
        """
        if (reason := self.analysis.reason) is None:
            return False
        words = set(range(*reason))
        named = any(words < one.positions and one.candidate.score >= CLOSE for one in self.mentions)
        return not named and all(one.start != reason[1] for one in self.classes)


def link_mentions(
    context: Context, analysis: Analysis, weights: Weights, *, each: bool = False
) -> tuple[list[LinkedMention], list[LinkedMention]]:
    """Return the named entities and values, the likeliest first, and the classes.

    With ``each``, each thing of one name is an item of its own, and the word for its class no part of the name.

    Raises:
        GraphError: The graph failed.
        SearchError: The label index failed.
    """
    found, classes = found_mentions(context, analysis)
    sizes = set(_sizes(analysis))
    found = [one for one in found if not one.positions <= sizes]
    if not each and context.profile is not None:  # of a graph without a profile, the well-known thing is meant
        of_class = list(_of_class(context, analysis, found, classes))
        found = _together(context, analysis, [*of_class, *_as_said(analysis, found, of_class)])
    named, kinds = (
        [replace(mention, prior=round(probability(weights.mentions, mention.evidence), 4)) for mention in mentions]
        for mentions in (found, classes)
    )
    return _likeliest(named), _in_turn(kinds)


def _sizes(analysis: Analysis) -> Iterator[int]:
    """Yield the positions of figures that name nothing: more than 5, the 5 longest."""
    bounds = (one for one in analysis.comparisons if one.value is not None and one.operator != "=")
    compared = {at for one in bounds for at in range(one.start, one.end)}
    count = str(analysis.order.count) if analysis.order else ""
    for at, word in enumerate(analysis.words):
        if word.text.isdecimal() and (at in compared or word.text == count):
            yield at


def _of_class(context: Context, analysis: Analysis, named: Mentions, classes: Mentions) -> Iterator[LinkedMention]:
    """Yield things that are named with the word for their class: the Ohio river, the city of Austin."""
    of = load_pack(analysis.language).data.references.of.split()[0]
    for kind in classes:
        if (behind := kind.end) < len(analysis.words) and analysis.words[behind].folded == of:
            behind += 1
        for one in named:
            beside = one.end == kind.start or (one.start == behind and kind.candidate.exact)
            if not beside or one.candidate.score < CLOSE:
                continue
            if not set(context.schema.kinds(kind.candidate.iri)).isdisjoint(one.candidate.types):
                yield _item(analysis, min(one.start, kind.start), max(one.end, kind.end), one.candidate)


def _as_said(analysis: Analysis, named: Mentions, others: Mentions) -> list[LinkedMention]:
    """Return the items, but those of a translated name only where the words as they stand name nothing."""
    same = [one for one in named if fold(one.candidate.matched) == fold(_text(analysis, one.start, one.end))]
    own = {(one.start, one.end) for one in (*others, *same)}
    return [one for one in named if one in same or not one.candidate.exact or (one.start, one.end) not in own]


def _together(context: Context, analysis: Analysis, mentions: Mentions) -> list[LinkedMention]:
    """Return the items; things of the same classes that are called just the same are one item.

    Where brackets tell which of them are meant, "Dune (1984)", these are an item, too.
    """
    groups: defaultdict[object, list[LinkedMention]] = defaultdict(list)
    mentions = list(mentions)
    for one in mentions:
        thing = one.candidate
        alike = thing.kind == "entity" and thing.exact and thing.types
        groups[one.start, one.end, _called(thing), "" if alike else (thing.iri, thing.label)].append(one)
    sizes = Counter(fold(thing.label) for thing in {one.candidate.iri: one.candidate for one in mentions}.values())
    several = [  # of those of a common name, not all were found
        group[0] for group in groups.values() if len(group) > 1 or sizes[fold(group[0].candidate.label)] >= MEANINGS
    ]
    found = context.search([Lookup(one.candidate.matched, ("entity",), ANCHORS, exact=True) for one in several])
    pairs = zip(several, found, strict=True)
    named = {one: [other for other in others if _called(other) == _called(one.candidate)] for one, others in pairs}
    items = [(group[0], named.get(group[0], [group[0].candidate])) for group in groups.values()]
    for one, things in list(items):
        brackets = _BRACKETS.match(analysis.text, analysis.words[one.end - 1].end) if len(things) > 1 else None
        if brackets and (meant := fitting(context, things, brackets[1])):
            end = sum(word.start < brackets.end() for word in analysis.words)
            items.append((_item(analysis, one.start, end, meant[0]), meant))
        elif brackets and all(_BRACKETS.search(thing.label) for thing in things):
            items.remove((one, things))  # it is none of those whom brackets tell apart
    return list(_placed([replace(one, things=tuple(thing.iri for thing in things)) for one, things in items]))


def _called(thing: Candidate) -> tuple[str, frozenset[str]]:
    return fold(thing.matched or thing.label), frozenset(thing.types)


def found_mentions(context: Context, analysis: Analysis) -> tuple[list[LinkedMention], list[LinkedMention]]:
    """Return all entities and values that the question may name, and all classes, without priors.

    Raises:
        SearchError: The label index failed.
    """
    naming = load_naming(analysis.language)
    words = analysis.words[:LONGEST_QUESTION]
    content = [(at, word) for at, word in enumerate(words) if not word.empty]
    pairs = [(at, one, other) for at, (one, other) in enumerate(pairwise(words))]
    wanted: list[tuple[tuple[int, int], str, tuple[Kind, ...]]] = []
    wanted += ((span, text, ()) for span in spans(words, _LONGEST) for text in naming.forms(_text(analysis, *span)))
    years = ((at, f"{other.text} {one.text}") for at, one, other in pairs if one.text.isdecimal() and not other.empty)
    wanted += (((at, at + 2), text, ("entity", "literal")) for at, text in years)  # the 2021 season: Season 2021
    jobs = ((at, one.text + other.text) for at, one, other in pairs if other.text.isdecimal() and not one.empty)
    wanted += (((at, at + 2), text, ("entity",)) for at, text in jobs)  # job 1002, which is called Job1002
    english = ((at, name) for at, word in content for name in naming.common(word.text))
    wanted += (((at, at + 1), name, ("class", "entity", "literal")) for at, name in english)
    lookups = [(span, Lookup(text, kinds, MEANINGS, exact=True)) for span, text, kinds in wanted]
    called = [(at, *role) for at, word in content for role in _roles(word, naming, analysis.language)]
    if (verb := infinitive(analysis)) is not None:
        base = words[verb].folded  # what Ann refused may have the status "refused"
        called.append((verb, ("entity",), [past(base), f"{base}{base[-1]}ed"]))
    roles = [((at, at + 1), Lookup(name, kinds, MEANINGS, exact=True)) for at, kinds, names in called for name in names]
    found = context.search([lookup for _, lookup in (*lookups, *roles)])
    said, meant = found[: len(lookups)], found[len(lookups) :]
    by_role = [
        [replace(one, exact=False, matched=analysis.words[at].text) for one in candidates if one.exact]
        for ((at, _), _), candidates in zip(roles, meant, strict=True)
    ]
    small = [word.text.islower() and is_known(word.text) for word in analysis.words]  # who uses it is no US
    items = [
        _item(analysis, start, end, candidate)
        for ((start, end), _), candidates in zip((*lookups, *roles), (*said, *by_role), strict=True)
        for candidate in candidates
        if candidate.score >= CLOSE and (candidate.exact or not candidate.matched.isupper() or not small[start])
    ]
    mentions = list({(one.start, one.end, one.candidate.iri): one for one in reversed(items)}.values())[::-1]
    named = [mention for mention in mentions if mention.candidate.kind in ("entity", "literal")]
    near = _near_spans(analysis, named, naming)
    found = context.search([Lookup(_text(analysis, *span), ("entity", "literal"), MEANINGS) for span in near])
    known = {(mention.start, mention.end, mention.candidate.iri) for mention in named}
    negated = load_pack(analysis.language).forms["negated"]

    def is_denied(name: str) -> bool:
        """Return whether a name says not, as the words that nearly are it do not: not operational, for operational."""
        return any(negated.all(fold(name).split()))

    of_class = {(one.start, one.end) for one in mentions if one.candidate.kind == "class" and one.candidate.exact}

    def is_title(word: str) -> bool:
        return naming.is_common(word) or any(is_kind_of(word, kind) for kind in ("person", "form of address"))

    named += [
        _item(analysis, start, end, candidate)
        for (start, end), candidates in zip(near, found, strict=True)
        for candidate in candidates
        if candidate.score >= _NEAR_SCORE
        and (start, end, candidate.iri) not in known
        and (start, end) not in of_class  # all servers are not "Maintenance server"
        and not any(_is_missing(word, fold(candidate.matched)) for word in analysis.words[start:end])
        and not (candidate.kind == "entity" and _is_common_noun(analysis, start, end, candidate.matched))
        and (not is_denied(candidate.matched) or is_denied(_text(analysis, start, end)))
        and not is_another(_text(analysis, start, end), candidate.matched, is_title)
    ]
    return list(_placed(named)), list(_placed([one for one in mentions if one.candidate.kind == "class"]))


def _roles(word: Word, naming: Naming, language: str) -> Iterator[tuple[tuple[Kind, ...], list[str]]]:
    """Yield what a word may call values: who led something is a leader, by an English verb, and women are female."""
    verb = language == "en" and uses(word.folded).get("v") == 1
    agents = (*lemmas(word.folded), *derived(word.folded)) if verb else ()
    yield ("literal",), [one for one in agents if one != word.folded and is_kind_of(one, "person")]
    yield ("entity", "literal"), naming.sexes(word.text)


def _is_missing(word: Word, name: str) -> bool:
    """Return whether a name lacks a number or a common English word in small letters, no abbreviation, however spelt.

    1985 is no typo of 1984, but the 1 of Division 1; nor is sold one of gold, but grey is gray.
    """
    common = not word.empty and word.text.islower() and len(word.text) > _SHORT and is_known(word.folded)
    known = name.split()
    lacks = (common or word.text.isdecimal()) and word.folded not in known
    return lacks and max(relatedness(word.folded, one) for one in (name, *known)) < DERIVED_SYNONYM


def _is_common_noun(analysis: Analysis, at: int, end: int, name: str) -> bool:
    """Return whether a word is a common noun that a name has beside capitals or figures: the garden, per visit."""
    pack, word, before = load_pack(analysis.language), analysis.words[at], analysis.words[max(0, at - 1)]
    known, used = pack.vocabulary.knows(word.text), before.empty
    if pack is pack.english:
        the = before.folded in pack.references.articles or pack.forms["each"].end([before.folded], 0) is not None
        known, used = "n" in kinds(word.folded), the or is_plural(word.folded)
    longer = any(is_capital(one) and fold(one) not in (word.folded, *pack.empty) for one in name.split())
    return known and used and longer and end - at == 1 and word.text.islower()


def _placed(mentions: Mentions) -> Iterator[LinkedMention]:
    """Yield the items; those inside a longer equal name say so."""
    names = {(mention.start, mention.end) for mention in mentions if mention.candidate.score >= CLOSE}
    for mention in mentions:
        around = ((start, end) for start, end in names if start <= mention.start and mention.end <= end)
        inside = any(end - start > mention.end - mention.start for start, end in around)
        yield replace(mention, inside=inside, evidence={**mention.evidence, "inside": float(inside)})


def _text(analysis: Analysis, start: int, end: int) -> str:
    return analysis.said(start, end).removesuffix("'s").removesuffix("’s")


def _item(analysis: Analysis, start: int, end: int, candidate: Candidate) -> LinkedMention:
    """Return an item with what says how likely it is meant."""
    words = analysis.words[start:end]
    evidence = {
        "bias": 1.0,
        "score": candidate.score,  # how like the name and the words are
        "exact": float(candidate.exact),  # 1 if a name of the thing is just what the question says
        # the share of the words that are written with a capital or a digit
        "capitals": sum(is_capital(word.text) for word in words) / len(words),
        # the share of the question's content words that are among the words
        "share": sum(not word.empty for word in words) / max(1, sum(not word.empty for word in analysis.words)),
        # how well known the thing is: the logarithm of its triples
        "popularity": min(1.0, math.log10(1 + candidate.popularity) / _POPULAR),
        # 1 if it is a value and no thing: many texts of a graph are common words
        "literal": float(candidate.kind == "literal"),
        # 1 if the words give the question its form: "first", "1990"
        "form": float(all(position in analysis.used for position in range(start, end))),
    }
    return LinkedMention(start, end, candidate, evidence=evidence)


def _near_spans(analysis: Analysis, named: Mentions, naming: Naming) -> list[tuple[int, int]]:
    """Return the spans that should name something: capitals, or all there is where nothing is named."""
    words = analysis.words[:LONGEST_QUESTION]
    big: list[tuple[int, int]] = []
    for start, end in capital_runs(words):
        while start < end and (words[start].empty or naming.is_common(words[start].text)):
            start += 1  # "Which", "Did": the first word of a sentence
        while start < end and naming.is_common(words[end - 1].text):
            end -= 1
        if start < end and not naming.english(_text(analysis, start, end)):
            big.append((start, end))
    known = (one for one in named if (one.start, one.end) in big or one.end - one.start > 1)
    covered = {at for one in known for at in one.positions}
    # One capital may be part of a name that a typo hides, or a surname, though something is called just that.
    missing = [(start, end) for start, end in big if end - start == 1 or not covered.issuperset(range(start, end))]
    if not named:
        vocabulary = load_pack(analysis.language).vocabulary
        missing += [
            (at, end)
            for start, end in runs(not word.empty and at not in analysis.used for at, word in enumerate(words))
            for at in range(start, end)
            if at == start or not (is_known(words[at].folded) or vocabulary.knows(words[at].text))
        ]
    # One letter is like the beginning of too many names: it is the whole of one, or none.
    return [one for one in dict.fromkeys(missing) if not re.fullmatch(r"[^\W\d_]", _text(analysis, *one))][:MEANINGS]


def _in_turn(mentions: Mentions) -> list[LinkedMention]:
    """Return the items, the likeliest first, and before the second meaning of some words the first one of others."""
    ranked = sorted(mentions, key=lambda mention: -mention.prior)
    meanings = grouped(((mention.start, mention.end), mention) for mention in ranked).values()
    turns = {id(mention): turn for some in meanings for turn, mention in enumerate(some)}
    return sorted(ranked, key=lambda mention: turns[id(mention)])


def _likeliest(mentions: Mentions) -> list[LinkedMention]:
    """Return the likeliest items; each span keeps a few of its meanings."""
    ranked = sorted(mentions, key=lambda mention: -mention.prior)
    kept: list[LinkedMention] = []
    taken: dict[tuple[int, int], int] = {}
    for mention in ranked:
        span = (mention.start, mention.end)
        if mention.inside and mention.end - mention.start == 1 and len(kept) > 2:
            continue  # a word of a name is seldom a name of its own
        alike = any(one.candidate.types == mention.candidate.types for one in kept if not one.overlaps(mention))
        if taken.get(span, 0) < _KEPT or (mention.candidate.types and alike):
            kept.append(mention)
            taken[span] = taken.get(span, 0) + 1
        if len(kept) == ANCHORS:
            break
    return kept
