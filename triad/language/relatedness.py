"""How near the meanings of two short names are, by the lexical database.

People say "wife" where a graph says "spouse", and "how expensive" where it says "price".

>>> relatedness("wife", "wives"), relatedness("film", "movie"), relatedness("wife", "banana")
(1.0, 0.95, 0.0)
>>> relatedness("wife", "spouse") > relatedness("wife", "relative") > relatedness("wife", "husband")
True

How near two words are is a number from 0 to 1, found as follows.

A word counts by its senses. A sense that texts have `n` times and that is the `r`-th of the word weighs
``(n + 2/r) ** (1/3)``, as a share of what the heaviest weighs, so that rare senses count little. The same word in the
same sense has 1, synonyms have `SYNONYM`. From a sense, paths go to derived words (`DERIVED`), to similar adjectives
(`SIMILAR_TO`), from an adjective to what it is a value of (`VALUE_OF`: old, age) and to what is more general: a step up
from a meaning to a more general one has `STEP` times ``2 g / (g + s)``, where `g` and `s` are what the general and the
special one say (none at the top, 1 at the leaves; Seco, Veale and Hayes 2004). A path has the product of its steps and
of the weights of the senses at both ends; the best path counts. Where both words go up they are of one kind but not the
same, as rivers and lakes are: such paths have `SISTERS` only. A word and one derived from it have `FAMILY` at least, in
whatever senses, and opposites have `OPPOSITE` at most.

In phrases that WordNet does not have, heads are compared with heads and the other words with each other. A word and a
phrase are compared by the definition of the word, too: "headcount" and "number of people".
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from triad.language.lexical_database import Sense, antonyms, derived, lemmas, meaning_at, senses_of, synonyms
from triad.language.normalize import fold, other_numbers
from triad.language.pack import load_pack

SYNONYM: Final = 0.95
"""The relatedness of two words with one meaning."""
DERIVED: Final = 0.85
"""What a step to a derived word leaves: director, direct."""
DERIVED_SYNONYM: Final = 0.75
"""What a step leaves to a word that is derived from a synonym: author, write."""
FAMILY: Final = 0.6
"""The least that a word has with one that is derived from it in any sense."""
VALUE_OF: Final = 0.9
"""What a step from an adjective to its noun leaves: heavy, weight."""
SIMILAR_TO: Final = 0.75
"""What a step to a similar adjective, or to a verb of the same group, leaves: costly, expensive."""
STEP: Final = 0.9
"""What a step to a more general meaning leaves at most."""
SISTERS: Final = 0.6
"""What is left where two meanings meet in what is more general than both."""
OPPOSITE: Final = 0.3
"""The most that opposites have: wife, husband."""
DEFINITION: Final = 0.85
"""What a comparison with a definition leaves."""
COVERED: Final = 0.8
"""How well a word of a definition stands for what is a special case of it: people, employees."""
_LEAST: Final = 0.15  # what is less near counts as not near at all
_UP: Final = 5  # steps up, at most
_MAIN: Final = 0.7  # the weight of senses that a definition may mean
_TELLING: Final = 0.15  # what a word of a definition must say at least
_HEAD: Final = 0.6  # the share of the heads where phrases are compared


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a word or phrase, for comparisons with others."""

    senses: dict[tuple[str, int], float]
    """The weights of its senses, by the base form and the meaning; none if it is unknown."""
    level: dict[int, float]  # meanings where paths from it lead that do not go up, with the best product of steps
    up: dict[int, float]  # the same by paths that go up
    places: frozenset[int]  # all these meanings
    lemmas: tuple[str, ...]
    family: frozenset[str]  # words that are derived from it, or it from them
    opposites: frozenset[str]
    numbers: frozenset[str]  # the word in the other number


def relatedness(one: str, other: str) -> float:
    """Return how near the meanings of two short names are, from 0 to 1; the module tells how."""
    one, other = sorted((fold(one), fold(other)))
    return _related(one, other)


def are_sisters(one: str, other: str) -> bool:
    """Return whether two words are different kinds of one thing, and are not nearer to each other in any other way.

    >>> are_sisters("width", "length"), are_sisters("wage", "salary"), are_sisters("lake", "sea")
    (True, False, True)
    """
    one, other = fold(one), fold(other)
    return _least_near(one, other) < SISTERS * _meet(_known(one).up, _known(other).up) >= _LEAST


def is_kind_of(special: str, general: str, *, rarely: bool = False) -> bool:
    """Return whether a word says more than another one, which is true of it, too: lake, and body of water.

    With ``rarely``, by any of its meanings as a noun: a chair may be somebody.
    """
    if special == general or general in synonyms(special):
        return False
    return not _above(special, rarely=rarely).isdisjoint(_main(general))


def is_value_of(word: str, name: str) -> bool:
    """Return whether an adjective says a value of what a name's head calls: male, and sex."""
    places = {sense.place for sense in senses_of(fold(name).split()[-1])}
    return any(place in places for sense in senses_of(word) if sense.kind != "n" for place, _ in _values(sense))


@lru_cache(maxsize=1 << 15)
def _related(one: str, other: str) -> float:
    if one == other:
        return 1.0
    first, second = _content(one), _content(other)
    if not first or not second:
        return 0.0
    found = _near(one, other)
    if len(first) > 1 or len(second) > 1:
        found = max(found, _aligned(first, second))
    if (len(first) > 1) != (len(second) > 1):
        word, phrase = (other, first) if len(first) > 1 else (one, second)
        found = max(found, _by_definition(word, phrase, found))
    return round(found, 3) if found >= _LEAST else 0.0


@lru_cache(maxsize=1 << 16)
def _near(one: str, other: str) -> float:
    """Return how near two words or phrases are that the database has."""
    here, there = _known(one), _known(other)
    if (found := _least_near(one, other)) < 1.0 and not here.up.keys().isdisjoint(there.up):
        found = max(found, SISTERS * _meet(here.up, there.up))
    if found > OPPOSITE and not here.opposites.isdisjoint(there.lemmas):
        found = min(found, OPPOSITE)
    return found


@lru_cache(maxsize=1 << 16)
def _least_near(one: str, other: str) -> float:
    """Return how near two words are that do not only meet in what is more general than both."""
    here, there = _known(one), _known(other)
    if one == other or other in here.numbers:
        return 1.0
    if not here.senses or not there.senses:
        return 0.0
    found = 0.0
    if not here.places.isdisjoint(there.places):  # as those of most words are, which is told at once
        shared = here.senses.keys() & there.senses.keys()
        own = max((here.senses[sense] * there.senses[sense] for sense in shared), default=0.0)
        levels = (_meet(here.level, there.level), _meet(here.level, there.up), _meet(here.up, there.level))
        found = max(own, *levels)
    return FAMILY if found < FAMILY and not here.family.isdisjoint(there.lemmas) else found


def _meet(one: dict[int, float], other: dict[int, float]) -> float:
    if one.keys().isdisjoint(other):
        return 0.0  # telling it is much faster than looking at each place
    return max([one[place] * other[place] for place in one.keys() & other.keys()])


def _aligned(first: tuple[str, ...], second: tuple[str, ...]) -> float:
    """Return how near two phrases are, word by word; the head is the first word of each."""
    if not (heads := _near(first[0], second[0])):
        return 0.0
    modifiers = first[1:], second[1:]
    pairs = ((word, others) for words, others in (modifiers, modifiers[::-1]) for word in words)
    best = [max((_near(word, another) for another in others), default=0.0) for word, others in pairs]
    # A head that does not fit cannot be made good by what goes with it: a name of a street is no name of a town.
    return math.sqrt(heads) * (_HEAD * math.sqrt(heads) + (1 - _HEAD) * sum(best) / len(best))


@lru_cache(maxsize=1 << 14)
def _content(text: str) -> tuple[str, ...]:
    """Return the words of a name that carry meaning, its head first."""
    idle = load_pack("en").empty
    before, _, after = text.partition(" of ")
    *modifiers, head = [word for word in before.split() if word not in idle] or [""]
    found = [head, *modifiers, *(word for word in after.split() if word not in idle)]
    return tuple(word for word in found if word)


def _by_definition(word: str, phrase: tuple[str, ...], least: float) -> float:
    """Return how well a phrase says what a word is defined as, if that is more than the least that counts."""
    for weight, kind, others in _definitions(word):
        if weight <= least or weight < _LEAST:
            break  # the others weigh less still
        if (most := weight * _near(phrase[0], kind)) <= least or most < _LEAST:
            continue  # whatever the other words are, which takes long to find out
        best = [max((_covers(another, word) for another in others), default=0.0) for word in phrase[1:]]
        least = max(least, most * sum(best) / len(best))
    return least


@lru_cache(maxsize=1 << 13)
def _definitions(word: str) -> tuple[tuple[float, str, tuple[str, ...]], ...]:
    """Return the definitions of a word: what each counts, what kind of thing it says, and its other words."""
    found = ((sense.weight, meaning_at(sense.place).definition) for sense in senses_of(word))
    return tuple((DEFINITION * weight, said[0], said[1:]) for weight, said in found if said)


def _covers(general: str, special: str) -> float:
    """Return how well a word of a definition stands for a word: people for employees."""
    near = _near(general, special)
    return near if near >= COVERED or _above(special).isdisjoint(_main(general)) else COVERED


@lru_cache(maxsize=1 << 13)
def _main(word: str) -> tuple[int, ...]:
    places = (sense.place for sense in senses_of(word) if sense.weight >= _MAIN)
    return tuple(place for place in places if meaning_at(place).information >= _TELLING)


@lru_cache(maxsize=1 << 13)
def _above(word: str, *, rarely: bool = False) -> frozenset[int]:
    """Return what is more general than the meanings that a word has most often, and most often or rarely as a noun."""
    senses = senses_of(word)
    most = max((sense.weight for sense in senses if sense.kind == "n"), default=1.0)  # a guide, rather than to guide
    least = {"n": 0.0 if rarely else _MAIN * most}
    reached = {sense.place for sense in senses if sense.weight >= least.get(sense.kind, _MAIN)}
    above: set[int] = set()
    for _ in range(_UP):
        reached = {pointer.place for place in reached for pointer in meaning_at(place).pointers("@")}
        above |= reached
    return frozenset(above)


@lru_cache(maxsize=1 << 13)
def _known(text: str) -> _Known:
    if not (senses := senses_of(text)):
        return _Known({}, {}, {}, frozenset(), (), frozenset(), frozenset(), other_numbers(text))
    level: dict[int, float] = {}
    up: dict[int, float] = {}
    for sense in senses:
        if sense.weight < _LEAST:
            continue
        # Each side has the root, so that synonyms have `SYNONYM`.
        start = sense.weight * math.sqrt(SYNONYM)
        for place, share in ((sense.place, 1.0), *_beside(sense)):
            level[place] = max(level.get(place, 0.0), start * share)
        for place, share in _values(sense):
            up[place] = max(up.get(place, 0.0), start * share)
    for place, share in list(_upwards(level | up)):
        up[place] = max(up.get(place, 0.0), share)
    weights = {(sense.lemma, sense.place): sense.weight for sense in senses}
    places = frozenset((*(sense.place for sense in senses), *level, *up))
    made, opposite = frozenset(map(fold, derived(text))), frozenset(map(fold, antonyms(text)))
    return _Known(weights, level, up, places, lemmas(text), made, opposite, other_numbers(text))


def _beside(sense: Sense) -> Iterator[tuple[int, float]]:
    """Yield the meanings that a sense leads to by derivation and likeness."""
    meaning = meaning_at(sense.place)
    own = [fold(word) for word in meaning.words].index(sense.lemma)
    for sign in "+\\":
        for pointer in meaning.pointers(sign):
            yield pointer.place, DERIVED if pointer.own == own else DERIVED_SYNONYM
    yield from ((pointer.place, SIMILAR_TO) for pointer in meaning.pointers("&"))


def _values(sense: Sense) -> Iterator[tuple[int, float]]:
    """Yield what an adjective is a value of."""
    meaning = meaning_at(sense.place)
    yield from ((pointer.place, VALUE_OF) for pointer in meaning.pointers("="))
    for similar in meaning.pointers("&"):
        yield from ((one.place, SIMILAR_TO * VALUE_OF) for one in meaning_at(similar.place).pointers("="))


def _upwards(reached: dict[int, float]) -> Iterator[tuple[int, float]]:
    """Yield the meanings that are more general, with what the steps leave."""
    for _ in range(_UP):
        further: dict[int, float] = {}
        for before, share in reached.items():
            said = meaning_at(before)
            for pointer in said.pointers("@"):
                information = meaning_at(pointer.place).information
                low, both = min(information, said.information), information + said.information
                left = share * STEP * (2 * low / both if both else 0.0)
                if left >= _LEAST:
                    further[pointer.place] = max(further.get(pointer.place, 0.0), left)
        yield from further.items()
        reached = further
