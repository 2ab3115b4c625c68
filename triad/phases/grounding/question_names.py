"""QuestionNames: what of the graph the words of a question name, in full or in part.

The spans of the question are looked up as `triad.lexical.mention_detection` does it, which also tells how likely each
thing is meant. Besides, names are found whose words stand apart ("the lighthouse in Colombo"), and names of what words
are derived from or mean ("oceanographers").
"""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from typing import Final, Self

from triad.language import lexical_database
from triad.language.analysis import Analysis
from triad.language.mentions import is_capital, runs
from triad.language.normalize import fold, other_numbers
from triad.language.pack import load_pack
from triad.lexical.mention_detection import LinkedMention, link_mentions
from triad.lexical.weights import load_weights
from triad.phases.context import Context
from triad.questions import Candidate
from triad.search.base import CLOSE, Lookup

_LIKELY: Final = 0.5  # the prior from which on words are taken for a name, so that they ask for no relation
_INSIDE: Final = 0.35  # the least prior of a thing whose name is a part of another name
_LEAST: Final = 0.1  # the least prior of a thing
_OF_ONE: Final = 3  # things of the same words
_APART: Final = 0.4  # the prior of a name whose words stand apart
_MEANT: Final = 0.15  # the prior of a thing whose name is another word for what is said
_NEAR: Final = 16  # classes of whose names the question has a part
_WORDS: Final = 60  # of a question; what is longer is a text


@dataclass(frozen=True, slots=True)
class Named:
    """A thing, a text or a class that words of the question may name."""

    words: str
    candidate: Candidate
    prior: float


@dataclass(frozen=True, slots=True)
class QuestionNames:
    """What a question may name."""

    things: tuple[Named, ...]
    """Entities and texts, the likeliest first."""
    classes: tuple[Named, ...]
    """Classes that words of the question name in full."""
    near: tuple[Candidate, ...]
    """Classes of whose names the question has a part."""
    relations: tuple[Candidate, ...]
    """Relations whose names share words with the question."""
    taken: frozenset[int]
    """Positions of words that are a part of names."""

    def with_classes(self, classes: Iterable[Candidate]) -> Self:
        """Return the same with further classes."""
        named = {one.candidate.iri for one in self.classes}
        further = (Named("", one, 1.0) for one in classes if one.iri not in named)
        return replace(self, classes=(*self.classes, *further))


def find_names(context: Context, analysis: Analysis) -> QuestionNames:
    """Return what a question may name."""
    mentions, classes = link_mentions(context, analysis, load_weights(), each=True)
    sure = {at for one in [*mentions, *classes] if one.candidate.score >= CLOSE for at in one.positions}
    words = list(_unnamed(analysis, sure))
    parts = list(_parts(analysis, sure))
    text = analysis.text if len(analysis.words) <= _WORDS else ""
    lookups = [
        Lookup(text, ("entity",), 40),
        Lookup(text, ("class",), _NEAR),
        Lookup(text, ("relation",), 6),
        *(Lookup(other, ("entity", "class"), 2, exact=True) for _, other in words),
        *(Lookup(part, ("entity",), 20) for part in parts),
    ]
    whole, near_classes, relations, *others = context.search(lookups)
    longer = others[len(words) :]
    spans = [one.positions for one in classes if one.candidate.score >= CLOSE]
    asked = {fold(name) for one in relations for name in (one.label, one.matched)}
    apart = (one for one in mentions if _may_be_meant(analysis, one) and not _is_kind(analysis, one, spans))
    named = (_named(analysis, one) for one in apart)
    things = [one for one in named if one.prior >= _LIKELY or fold(one.words) not in asked]
    said = _forms(analysis)
    names = [set(fold(one.candidate.matched).split()) for one in mentions if one.candidate.score >= CLOSE]
    things += [Named("", one, _APART) for one in whole if _stands_apart(one, said, names)]
    kinds = [_named(analysis, one) for one in classes]
    for part, found in zip(parts, longer, strict=True):
        full = [one for one in found if set(fold(part).split()) < set(fold(one.matched).split())]
        full.sort(key=lambda one: -one.popularity)
        things += [Named(part, one, _APART) for one in full[: _OF_ONE - 1]]
    for (word, other), found in zip(words, others, strict=False):
        of_word = [Named(word, one, _MEANT) for one in found if one.kind == "class"]
        kinds += of_word
        if not of_word:
            things += [Named(word, one, _MEANT) for one in found if _is_name(one, fold(other))]
    taken = {at for one in mentions if one.prior >= _LIKELY and _has_capital(analysis, one) for at in one.positions}
    free = _forms(analysis, taken)
    near = [one for one in near_classes if not free.isdisjoint(fold(one.matched).split())]
    meant = tuple(one for one in relations if not said.isdisjoint(fold(one.matched).split()))
    return QuestionNames(tuple(_likeliest(things)), tuple(kinds), tuple(near), meant, frozenset(taken))


def _named(analysis: Analysis, mention: LinkedMention) -> Named:
    start, end = analysis.words[mention.start].start, analysis.words[mention.end - 1].end
    return Named(analysis.text[start:end], mention.candidate, mention.prior)


def _may_be_meant(analysis: Analysis, mention: LinkedMention) -> bool:
    """Return whether words may mean a thing: a likely one, one written like a name, or a value that is called so."""
    if mention.inside and mention.prior < _INSIDE:
        return False  # a word of a name is seldom a name of its own
    if not _as_it_stands(analysis, mention):
        return False
    is_likely = mention.prior >= _LIKELY and mention.candidate.score >= CLOSE
    if not is_likely and (mention.positions <= analysis.used or _is_no_noun(analysis, mention)):
        return False  # a part of a date, a verb
    if mention.prior >= _LEAST or _has_capital(analysis, mention):
        return True
    return mention.candidate.score >= CLOSE and mention.positions.isdisjoint(analysis.used)


def _is_kind(analysis: Analysis, mention: LinkedMention, spans: Iterable[frozenset[int]]) -> bool:
    """Return whether words are a part of what names a class, or all of it in small letters: a kind, and no thing."""
    small = not _has_capital(analysis, mention) and mention.prior < _LIKELY
    return any(mention.positions < span or (small and mention.positions == span) for span in spans)


def _is_no_noun(analysis: Analysis, mention: LinkedMention) -> bool:
    """Return whether words are a single one in small letters that the lexical database knows, and not as a noun."""
    words = analysis.words[mention.start : mention.end]
    if analysis.language != "en" or len(words) > 1 or not words[0].text.islower():
        return False
    kinds = lexical_database.kinds(words[0].folded)
    return bool(kinds) and "n" not in kinds


def _has_capital(analysis: Analysis, mention: LinkedMention) -> bool:
    """Return whether words are written like a name; the first word of a question is in any case."""
    words = analysis.words[mention.start : mention.end]
    return any(is_capital(word.text) for word in words[mention.start == 0 and len(words) > 1 :])


def _as_it_stands(analysis: Analysis, mention: LinkedMention) -> bool:
    """Return whether words in small letters are a whole name, and no part of one: people write names with capitals.

    A whole name may be mistyped. What is told from other things by brackets is named in small letters only by those who
    write no capitals at all.
    """
    words = analysis.words[mention.start : mention.end]
    if not all(word.text.islower() or not any(map(str.isalpha, word.text)) for word in words):
        return True  # a script without capitals
    said, found = fold(_named(analysis, mention).words), mention.candidate
    if found.score < CLOSE:
        return len(said.split()) == len(fold(found.matched).split()) and any(map(str.isalpha, said))
    others = [word for word in analysis.words[1:] if word.text[:1].isupper()]
    return not others or found.kind != "entity" or _is_name(found, said)


def _is_name(candidate: Candidate, words: str) -> bool:
    """Return whether folded words are the whole label or an alias of a thing, in either number."""
    label, matched = fold(candidate.label), fold(candidate.matched)
    names = [label] if "(" in candidate.label and label.startswith(matched) else [label, matched]
    return not {words, *other_numbers(words)}.isdisjoint(names)


def _unnamed(analysis: Analysis, sure: set[int]) -> Iterator[tuple[str, str]]:
    """Yield the words that nothing is called, each with words that mean the same or are derived from it."""
    if analysis.language != "en":
        return
    for at, word in enumerate(analysis.words[:_WORDS]):
        if word.empty or at in sure or at in analysis.used or not word.folded.isalpha() or is_capital(word.text):
            continue
        others = dict.fromkeys([*lexical_database.derived(word.folded), *lexical_database.synonyms(word.folded)])
        yield from ((word.text, other) for other in list(others)[:4])


def _parts(analysis: Analysis, sure: set[int]) -> Iterator[str]:
    """Yield what may be a part of a longer name: runs of words with capitals that nothing is called, and surnames."""
    words = analysis.words[:_WORDS]
    name = [is_capital(word.text) and not word.empty and at not in analysis.used for at, word in enumerate(words)]
    left = [one and at not in sure for at, one in enumerate(name)]
    found: dict[tuple[int, int], None] = {}
    for start, end in [*runs(name), *runs(left)]:
        if not any(word.text[0].isalpha() for word in words[start:end]):
            continue  # a number is a part of many names
        if name[start] and (any(left[start:end]) or end - start > 1):
            found |= dict.fromkeys([(start, end), *([(end - 1, end)] if left[end - 1] else [])])
    yield from (analysis.said(start, end) for start, end in found)


def _forms(analysis: Analysis, without: Set[int] = frozenset()) -> frozenset[str]:
    """Return the forms in which names may have the question's content words: as they stand, and their lemmas."""
    found: set[str] = set()
    pack = load_pack(analysis.language)
    for at, word in enumerate(analysis.words[:_WORDS]):
        if at not in without and not word.empty and not pack.is_idle(word.text):
            found |= {*word.folded.split(), pack.stem(word.folded)}
            if analysis.language == "en":
                found.update(lexical_database.lemmas(word.folded))
    return frozenset(found)


def _stands_apart(candidate: Candidate, said: frozenset[str], names: Iterable[set[str]]) -> bool:
    """Return whether the question has all words of a name, of which there are several, and not in another name."""
    empty = load_pack("en").idle
    words = {word for word in fold(candidate.matched).split() if word not in empty}
    return len(words) > 1 and said.issuperset(words) and not any(words <= name for name in names)


def _likeliest(things: Iterable[Named]) -> Iterator[Named]:
    """Yield the likeliest things, each once, a few for the same words; of one name the better linked ones first."""
    seen: set[tuple[str, str]] = set()
    of_one: dict[str, int] = {}
    left = 8
    for one in sorted(things, key=lambda one: (-one.prior, -one.candidate.popularity)):
        key = (one.candidate.iri, one.candidate.label if one.candidate.kind == "literal" else "")
        if key in seen or of_one.get(one.words, 0) >= _OF_ONE or not left:
            continue
        seen.add(key)
        of_one[one.words] = of_one.get(one.words, 0) + 1
        left -= 1
        yield one
