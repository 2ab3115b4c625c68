"""Language packs: one YAML file per language, compiled for fast lookups.

A pack holds general knowledge of a language only: how it asks, compares, counts, dates and points back, which words its
speakers use for the relations that graphs typically have, and what the agent says in it. The words of relations are
given in that language and in English, because many graphs have English names only; English words are stemmed as
English. `triad.language.pack_schema` says what a file holds.

>>> pack = load_pack("de-AT")
>>> pack.language, pack.stem("Flüsse"), pack.replies["none"]
('de', 'fluss', 'Es wurde nichts gefunden.')
>>> load_pack("tlh").language
'en'
"""

from __future__ import annotations

import re
import threading
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain
from typing import Any, Final, Literal

from babel import Locale

from triad.errors import ConfigError
from triad.language.normalize import fold
from triad.language.pack_files import function_words, idle_words, languages, pack_data, templates_of
from triad.language.pack_schema import DegreeEntry, Expected, Moment, NumberData, PackData
from triad.language.phrases import Phrases
from triad.language.references import References
from triad.language.stems import Stems
from triad.language.turn_schema import FollowUpKind
from triad.language.vocabulary import Vocabulary
from triad.language.written import currency
from triad.text import remembered

__all__ = ["Degree", "Expected", "Measures", "Moment", "NameKind", "Pack", "languages", "load_pack"]

_DEFAULT: Final = "en"

_loading = threading.RLock()  # else each of many threads that ask first would compile the pack for itself

_NAME: Final = 2  # letters of a name that are left without the ending of its case
_PART: Final = 4  # the least characters of a part of a compound
_COMPOUND: Final = 40  # the most characters of a compound
_BEFORE: Final = "{} "  # stands in phrases that compare for a number or date before them

NameKind = Literal["people", "places", "groups", "of_people", "gender", "men", "women", "descriptions", "reasons"]
"""A key of `triad.language.pack_schema.KindData`."""

Measures = tuple[frozenset[str], ...]
"""Names of relations as sets of stems, best first."""


@dataclass(frozen=True, slots=True)
class Degree:
    """The measure that an adjective compares, and the direction."""

    measures: Measures
    descending: bool
    """True if its superlative is the greatest value of the measure."""
    attributive: bool
    """True if it must not follow a content word."""
    plain: frozenset[str] = frozenset()
    """The stems of the adjective itself: high, for what is highest."""


@dataclass(frozen=True, slots=True)
class Way:
    """The meaning of a way to ask."""

    measures: Measures
    expecting: Expected | None
    said: str
    """The phrase as the pack has it, folded."""
    turned: bool = False
    """Whether it calls those whose relation is meant: children, by who is their parent."""


class Pack:
    """A language's words, compiled for the analysis of questions."""

    def __init__(self, language: str, data: PackData, english: Pack | None = None) -> None:
        """Compile the pack of a language; that of English has no other one beside it."""
        self.language = language
        self.data = data
        self.english = english or self
        self.words = words = Stems(language, data)
        self.key, self.keys, self.stem, self.stem_list = words.key, words.keys, words.stem, words.stem_list
        self.lower, self.elisions = words.lower, words.elisions
        self.parted, self.parted_verb = words.parted, words.parted_verb
        self.inverted = re.compile(data.inverted, re.IGNORECASE) if data.inverted else None
        """What asks yes/no wherever it stands."""
        self.beginnings = re.compile(data.beginnings or r"(?!)", re.IGNORECASE)
        """What begins words and is one of its own."""
        self.is_idle = remembered(1 << 14)(self._is_idle)
        """Tells whether no word of a text can name anything."""

        self.templates = templates_of(data)
        self.references = References(data.references, self.templates)
        self.replies = data.replies
        self.empty = frozenset(map(self.key, function_words(data)))
        self.connecting = frozenset(map(fold, (*data.connecting_words, *data.light_verbs)))
        self.idle = idle_words(data)
        """Words that name nothing where names are looked for, folded."""
        self.endings = frozenset(data.endings)
        phrased = {name: phrases for name, phrases in data.forms if name not in ("expected", "lacking", "moments")}
        self.forms = {name: self._folded(phrases) for name, phrases in phrased.items()}
        self._called: dict[frozenset[str], Measures] = {}
        for name, phrases in data.words.items():
            called = self.english.stems(name)
            self._called[called] = (*self._called.get(called, ()), *self.measures_of(phrases, ()))
        """What this language calls what English words mean."""
        wanting = ((self.english.stems(name), said) for name, said in data.forms.lacking.items())
        self.lacking = Phrases(
            (self.keys(one), (stems, *self._called.get(stems, ()))) for stems, said in wanting for one in said
        )
        """Words that say that an entity lacks a relation, with the names of that relation."""
        asked = [(kind, one) for kind, said in data.forms.expected.items() for one in said]
        asked += [("date", one) for said in data.forms.moments.values() for one in said]
        self.expected = Phrases((self.keys(one), kind) for kind, one in asked)
        """Question words by what they ask for; a word may ask for several."""
        self.moments = Phrases((self.keys(one), part) for part, said in data.forms.moments.items() for one in said)
        """Those that ask for a part of a date."""
        plain = ((name, [one for one in phrases if not one.startswith(_BEFORE)]) for name, phrases in data.compare)
        self.compare = {name.rstrip("_"): self._folded(phrases) for name, phrases in plain}
        behind = ((name, [one for one in phrases if one.startswith(_BEFORE)]) for name, phrases in data.compare)
        after = ((name, [one.removeprefix(_BEFORE) for one in phrases]) for name, phrases in behind)
        self.compare_after = {name.rstrip("_"): self._folded(phrases) for name, phrases in after}
        """Phrases that compare with the number or date before them."""
        self.analytic = bool(set(data.compare.more) & set(data.compare.most))
        """True if one word makes comparatives and superlatives: plus haut, le plus haut."""
        self._compile_numbers(data.numbers)
        self._compile_degrees(data.degrees)
        self.sorts = self._folded(data.sorting.by)
        """Words before what rows are sorted by."""
        orders = ((False, data.sorting.up), (True, data.sorting.down))
        self.sort_orders = Phrases((self.keys(one), down) for down, said in orders for one in said)
        """Words that say in which order; True for the greatest first."""

        meant = ((one, self.measures_of(one.mean, one.english)) for one in data.ways)
        said = ((one, Way(names, way.expecting, fold(one), way.turned)) for way, names in meant for one in way.say)
        self.ways = Phrases((self.stem_list(one), way) for one, way in said)
        """Ways to ask, by stems."""
        self.translations: dict[str, list[str]] = {}
        """For the stem of each word that stands alone, the English words or phrases that it translates."""
        for english_phrase, phrases in data.words.items():
            for way in self._ways_like(english_phrase, phrases):
                for phrase in phrases:
                    self.ways.add(self.stem_list(phrase), replace(way, said=fold(phrase)))
            for phrase in phrases:
                if len(stems := self.stem_list(phrase)) == 1:
                    self.translations.setdefault(stems[0], []).append(english_phrase)
        self.measures = Phrases((self.stem_list(one), True) for one in data.measures)
        """Nouns that name a quantity, by stems."""

    def parts(self, word: str, known: Container[str] | None = None) -> tuple[str, str] | None:
        """Return the stems of the two words that a compound is made of; None if the second one is not known.

        Words are known that can be translated, or those that ``known`` holds the stems of.

        >>> load_pack("de").parts("Bandmitglieder")
        ('band', 'mitglied')
        """
        key, known = self.key(word), self.translations if known is None else known
        if not self.data.links or " " in key or len(key) > _COMPOUND:
            return None
        for at in range(_PART, len(key) - _PART + 1):
            if (last := self.stem(key[at:])) in known:
                firsts = (self.stem(key[:at].removesuffix(link)) for link in ("", *self.data.links))
                return next((first for first in firsts if first in known), self.stem(key[:at])), last
        return None

    def nominatives(self, name: str) -> list[str]:
        """Return what a name in another case may be in the nominative.

        >>> load_pack("ru").nominatives("Италию")
        ['Италия', 'Италий', 'Италиь']
        """
        declined = ((name[: -len(ending)], bases) for ending, bases in self.data.cases.items() if name.endswith(ending))
        return [rest + base for rest, bases in declined if len(rest) >= _NAME for base in bases]

    def _is_idle(self, text: str) -> bool:
        return all(word in self.idle for word in fold(text).split()) and not self.is_name(text, 0, len(text))

    def is_name(self, text: str, start: int, end: int) -> bool:
        """Return whether a word of a text is a name that only its capitals tell from a function word: in the US.

        Where a word beside it has capitals alone, too, they say nothing; nor do they in "tell US".
        """
        if text[start:end] not in self.data.names_in_capitals:
            return False
        beside = (*text[:start].split()[-1:], *text[end:].split()[:1])
        asks = self.forms["ask"].longest(self.keys(f"{beside[0]} {text[start:end]}"), 0) if start else None
        loud = any(len(word.strip("?!.,")) > 1 and word.isupper() for word in beside)
        return (asks is None or asks[0] < 2) and not loud

    @cached_property
    def be(self) -> frozenset[str]:
        """The forms of the verb that says what something is: is, were."""
        tenses = map(self.data.naming.auxiliaries.get, ("present", "past", "lasting"))
        return frozenset(fold(form) for forms in tenses for form in forms or ())

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What words mean in English."""
        return Vocabulary(self)

    @cached_property
    def form_words(self) -> frozenset[str]:
        """The words that give questions their form: how they ask, compare, count and sort."""
        data = (self.data.forms, self.data.compare, self.data.sorting, *self.data.degrees)
        phrases = (text for part in data for text in _texts(part.model_dump(exclude={"mean", "english", "by_name"})))
        return self.empty.union(*map(self.keys, phrases))

    @cached_property
    def first_verbs(self) -> frozenset[str]:
        """The stems of verbs that ask yes/no at the beginning of a question.

        >>> load_pack("es").stem("toma") in load_pack("es").first_verbs, load_pack("en").first_verbs
        (True, frozenset())
        """
        if not self.data.verb_first:
            return frozenset()
        infinitive = re.compile(self.data.verb_first)
        found: set[str] = set()
        for phrases in self.words.entries():
            words = [phrase for phrase in phrases if " " not in phrase and phrase == phrase.lower()]
            if any(map(infinitive.search, words)):
                # Where nouns have capitals, what stands beside an infinitive without one is a form of the verb.
                found.update(self.stem(one) for one in words if self.data.capital_nouns or infinitive.search(one))
        return frozenset(found)

    def may_be_verb(self, word: str, stem: str) -> bool:
        """Return whether a word beside a noun may be a verb, and is not a noun that has the stem of one: añada."""
        noun = (self.data.capital_nouns and word[:1].isupper()) or self.vocabulary.is_noun(word)
        return stem in self.first_verbs and not noun

    @cached_property
    def follow_ups(self) -> list[tuple[FollowUpKind, re.Pattern[str]]]:
        """Patterns of follow-ups on the last answer."""
        return [(kind, self.templates.pattern(form)) for kind, forms in self.data.follow_ups.items() for form in forms]

    @cached_property
    def sentences(self) -> list[tuple[re.Pattern[str], str]]:
        """Patterns of questions, each with the sentence that answers it in their words."""
        parts = self.data.sentence_parts

        def whole(form: str) -> str:
            return re.sub(r"%(\w+)", lambda match: f"(?:{whole(parts[match[1]])})", form)

        return [(re.compile(whole(form), re.IGNORECASE), sentence) for form, sentence in self.data.sentences]

    def no_answer(self, reasons: Sequence[str]) -> str:
        """Return the reply that there is no answer, with the reasons as sentences.

        >>> load_pack("en").no_answer(["nothing in the graph is called Wakanda", "'stars' was not understood"])
        "I don't know: nothing in the graph is called Wakanda. 'stars' was not understood."
        """
        told = " ".join(reason + self.data.stop for reason in reasons)
        return self.replies["unknown_because"].format(reasons=told) if told else self.replies["unknown"]

    def truth(self, value: bool) -> str:
        """Return yes or no as a word.

        >>> load_pack("de").truth(True)
        'ja'
        """
        return self.replies["yes" if value else "no"].removesuffix(self.data.stop).lower()

    def is_by_name(self, text: str) -> bool:
        """Tell whether a sort key asks for the order of names."""
        return fold(text) in self._by_name

    @cached_property
    def _by_name(self) -> frozenset[str]:
        return frozenset(fold(name) for pack in (self, self.english) for name in pack.data.sorting.by_name)

    def names_of(self, kind: NameKind) -> frozenset[str]:
        """Return the folded names of a kind in graphs, the English ones too: many graphs have English names only."""
        return frozenset(fold(name) for pack in (self, self.english) for name in getattr(pack.data.kinds, kind))

    def stems(self, phrase: str) -> frozenset[str]:
        """Return the stems of a phrase's words, function words left out unless there are no others."""
        words = self.keys(phrase)
        return frozenset(map(self.stem, [word for word in words if word not in self.empty] or words))

    def said_in(self, text: str, name: str) -> str:
        """Return the words of a text that are a name in any of its forms; nothing if it has none.

        >>> load_pack("en").said_in("How many film directors are there?", "film director")
        'film directors'
        """
        wanted, words = self.stem_list(name), re.findall(r"[\w'-]+", text)
        stems = [self.stem(word) for word in words]
        starts = range(len(words) - len(wanted) + 1) if wanted else ()
        return next((" ".join(words[at:][: len(wanted)]) for at in starts if stems[at:][: len(wanted)] == wanted), "")

    def measures_of(self, mean: Iterable[str], english: Iterable[str]) -> Measures:
        """Return the names of relations as stems, each once, those of the language first."""
        own = [self.stems(phrase) for phrase in mean]
        return tuple(dict.fromkeys([*own, *(self.english.stems(phrase) for phrase in english)]))

    def _ways_like(self, english_phrase: str, phrases: Iterable[str]) -> list[Way]:
        """Return the meanings of an English phrase, its translations into this language first."""
        stems = self.english.stem_list(english_phrase)
        found = [way for end, way in self.english.ways.at(stems, 0) if end == len(stems)]
        return [Way(self.measures_of(phrases, [english_phrase]), None, ""), *map(self._translated, found)]

    def _translated(self, way: Way) -> Way:
        """Return a meaning with what this language calls the relations: where … geboren, Geburtsort."""
        said = ((*self._called.get(stems, ())[: None if way.expecting else 1], stems) for stems in way.measures)
        return replace(way, measures=tuple(dict.fromkeys(chain.from_iterable(said))))

    def degree(self, adjective: str) -> Degree:
        """Return the measure that an adjective compares, in any of its forms."""
        stems = self.stem_list(adjective)
        found = self.most.longest(stems, 0) or self.more.longest(stems, 0) or self.plain.longest(stems, 0)
        if found is None:
            raise ConfigError(f"{adjective!r} is no adjective of the pack {self.language!r}")
        return found[1]

    def _folded(self, phrases: Iterable[str]) -> Phrases[bool]:
        return Phrases((self.keys(one), True) for one in phrases)

    def _compile_numbers(self, data: NumberData) -> None:
        self.number_words = {self.key(word): value for word, value in data.words.items()}
        self.magnitudes = {self.key(word): value for word, value in data.magnitudes.items()}
        self.minus = frozenset(map(self.key, data.minus))
        self.ordinals = {self.key(word): value for word, value in data.ordinals.items()}
        self.last = frozenset(map(self.key, data.last))
        locale = Locale(self.language)
        self.decimal = str(locale.number_symbols["latn"]["decimal"])
        widths = {name: dict[str, int]() for name in ("abbreviated", "wide")}
        for context in locale.months.values():
            for name, months in widths.items():
                months |= {fold(form): at for at, form in context[name].items()}
        self.months = widths["abbreviated"] | widths["wide"] | {fold(form): at for form, at in data.months.items()}
        """For each name of a month, folded, which one it is."""
        self.short = widths["abbreviated"].keys() - widths["wide"].keys()
        """Names of months that are not written in full, and may be other words."""
        self.relative = Phrases((self.keys(one), name) for name, said in data.relative.items() for one in said)
        """Words for times by how far they are from now."""
        self.year = frozenset(map(self.key, data.year))
        self.century = frozenset(map(self.key, data.century))
        self.date_parts = Phrases((self.keys(one), part) for part, said in data.date_parts.items() for one in said)
        self.decade = frozenset(map(self.key, data.decade))
        self.units: dict[str, tuple[str, float]] = {}
        """For each unit's stems, separated by spaces, its dimension and the factor to the dimension's base."""
        self.unit_phrases: Phrases[str] = Phrases()
        for dimension, units in data.units.items():
            for unit, factor in units.items():
                self._add_unit(unit, dimension, factor)
        if self.english is not self:
            for phrase, unit in data.unit_words.items():
                self._add_unit(phrase, *self.english.units[" ".join(self.english.stem_list(unit))])
            for dimension, units in self.english.data.numbers.units.items():
                for unit, factor in units.items():
                    self._add_unit(unit, dimension, factor)
        sizes = self.english.data.numbers.dimensions
        self.dimensions = {one: self._with_called(self.measures_of([], names)) for one, names in sizes.items()}
        """For each dimension the names of relations that hold such values."""

    def _add_unit(self, unit: str, dimension: str, factor: float) -> None:
        stems = self.stem_list(unit)
        if dimension == "money":  # one cannot be converted into another
            dimension = f"money {currency(unit) or currency(unit.upper()) or unit}"
        if self.units.setdefault(" ".join(stems), (dimension, factor)) == (dimension, factor):
            self.unit_phrases.add(stems, " ".join(stems))

    def _compile_degrees(self, entries: Iterable[DegreeEntry]) -> None:
        found = [(entry, self._degree(entry)) for entry in entries]
        self.plain = Phrases((self.stem_list(one), degree) for entry, degree in found for one in entry.plain)
        self.more = Phrases((self.stem_list(one), degree) for entry, degree in found for one in entry.more)
        self.comparatives = tuple({fold(one).split()[0] for entry in entries for one in entry.more})
        """What comparatives begin with, where their stems are those of other forms: leichter, and not leichten."""
        self.most = Phrases((self.stem_list(one), degree) for entry, degree in found for one in entry.most)

    def _degree(self, entry: DegreeEntry) -> Degree:
        own = self.measures_of(entry.mean, entry.english)
        if entry.like is None:
            return Degree(
                self._with_called(own), not entry.down, entry.attributive, frozenset(map(self.stem, entry.plain))
            )
        like = self.english.degree(entry.like)
        plain = like.plain.union(map(self.stem, entry.plain))
        return replace(like, measures=self._with_called((*own, *like.measures)), plain=plain)

    def _with_called(self, measures: Measures) -> Measures:
        """Return names of measures, and after them what this language calls the same."""
        called = (one for english in measures for one in self._called.get(english, ()))
        return tuple(dict.fromkeys((*measures, *called)))


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list | tuple):
        for one in data.values() if isinstance(data, dict) else data:
            yield from _texts(one)


@remembered(1_000)
def load_pack(language: str) -> Pack:
    """Return the pack of a language by its tag, as of ``de-AT`` that of German; English for a language without one.

    Raises:
        ConfigError: The file of the language is malformed.
    """
    code = language.lower().replace("_", "-").partition("-")[0]
    with _loading:
        return _load(code if code in languages() else _DEFAULT)


@cache
def _load(code: str) -> Pack:
    return Pack(code, pack_data(code), None if code == _DEFAULT else _load(_DEFAULT))
