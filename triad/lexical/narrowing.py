"""Narrowing: words that say which things are meant, and that a query leaves out; it gives too much then, or others."""

import re
from collections.abc import Collection, Iterator, Sequence

from triad.language.analysis import Analysis, second_clause
from triad.language.lexical_database import is_often, kinds, lemmas, uses
from triad.language.mentions import is_capital
from triad.language.pack import Pack
from triad.language.turn_schema import Feature
from triad.language.vocabulary import TRANSLATED
from triad.lexical.asked_units import asked_units
from triad.lexical.contract import Cue


def narrowing(analysis: Analysis, missed: Collection[int], pack: Pack, called: Collection[int] = ()) -> Iterator[Cue]:
    """Yield content words that a query misses though they say which things are meant: it gives too much, or others.

    They are written like a name, other than those that things are ``called``, follow each other ("love pizza"), stand
    beside a word that the query uses ("free beds", "population density"), are said in a question for yes or no, or of
    things ("are free", "which flights landed"), are all that is asked for ("which hotels"), the verb of a question for
    a time, a place or a person, or pronouns that stand for nothing in the question.
    """
    yield from (Cue("kind", at, at + 1) for at in dangling(analysis, pack))
    used = set(range(len(analysis.words))).difference(missed)
    yield from (Cue("kind", start, end) for start, end, _ in asked_units(analysis, used, pack))
    keys = [pack.key(word.text) for word in analysis.words]
    which = pack.forms["which"].end(keys, 0) is not None or pack.expected.longest(keys, 0) is not None
    asked = {at for at in analysis.asked if not analysis.words[at].empty}
    asked = asked if asked.issubset(missed) else set()
    for at in set(missed) - analysis.used:
        word = analysis.words[at]
        number = word.folded in pack.number_words
        # What the lexical database does not know is a name, or said of one: Texan cities.
        unknown = frozenset("an") if pack is pack.english else frozenset()
        said = frozenset() if number else _kinds(word.text, pack) or unknown
        within = at > 0 and not analysis.text[analysis.words[at - 1].end : word.start].strip()
        capital = within and at not in called and is_capital(word.text) and not number and not pack.data.capital_nouns
        verb = "v" in said and (is_often(word.folded, "v") or at + 1 == len(analysis.words))
        known = bool(said) and (verb or said <= {"n", "a"})
        named = (number or known) and analysis.answer_type == "boolean"
        does = "v" in said and bool(analysis.expected & {"date", "place", "person"})
        whole = at in asked and "n" in said and not pack.is_by_name(word.text)
        begins = at == 0 or analysis.words[at - 1].folded in pack.data.references.definite
        modifies = "a" in said or said == {"n"} or ("n" in said and begins)
        before = modifies and _stands_by(analysis, at, at + 1, missed)
        before |= at + 1 not in {*missed, *called} and _is_inflected(analysis, at, pack)
        follower = next((one for one in range(at + 1, len(analysis.words)) if not analysis.words[one].empty), at)
        heads = said == {"n"} or ("n" in said and at > 0 and "a" in kinds(analysis.words[at - 1].text))
        ends = follower == at or _follows_copula(analysis, at + 2, pack)
        heads |= ends and pack is not pack.english  # recettes italiennes
        after = heads and {at - 1, at} <= analysis.asked and _stands_by(analysis, at, at - 1, missed)
        plain = lemmas(word.folded) == (word.folded,) or said == {"a"}
        is_so = "a" in said and plain and _follows_copula(analysis, at, pack)
        is_what = which and is_said_of_asked(analysis, at, pack)
        last = which and "v" in said and at - 1 in analysis.asked and at + 1 == len(analysis.words)
        between = analysis.text[word.end : analysis.words[follower].start]
        small = not (is_capital(word.text) or is_capital(analysis.words[follower].text))
        phrase = small and follower in set(missed) - analysis.asked and between.replace(" ", "a").isalpha()
        if capital or named or does or whole or before or after or is_so or is_what or last or phrase:
            yield Cue("kind", at, at + 1)


def dangling(analysis: Analysis, pack: Pack) -> Iterator[int]:
    """Yield the pronouns before which nothing is named that they could stand for: what does *it* cost, who wrote *it*.

    They do not stand for what is asked for where a verb is between: how many rooms does *it* have. But possessives do:
    which director made *her* first film, and who.
    """
    words = analysis.words
    clause = second_clause(analysis, pack)
    text = analysis.text[: words[clause[0]].start] if clause is not None else analysis.text
    asked = analysis.asked if 0 not in analysis.asked else ()  # "Dune, who directed it?" begins with a name
    for start, features, owns in _pronouns(text, pack):
        at = sum(word.start < start for word in words)
        named = [one for one in range(at) if not words[one].empty and uses(words[one].folded).get("v") != 1]
        capital = not pack.data.capital_nouns and any(is_capital(words[one].text) for one in named)
        who = "person" in analysis.expected and features != ("thing",) and not _follows_copula(analysis, at, pack)
        apart = all(one in asked and one != at - 1 for one in named)
        if apart and not capital and not (owns and (named or who)):
            yield at


def _pronouns(text: str, pack: Pack) -> Iterator[tuple[int, Sequence[Feature], bool]]:
    """Yield where pronouns begin, what they may stand for, and whether they are possessives."""
    idle = {at for match in pack.references.expletive.finditer(text) for at in range(*match.span())}
    forms = ((form, features, True) for form, features in pack.references.possessives)
    others = ((form, features, False) for form, features in pack.references.pronouns if features != ("place",))
    for form, features, owns in (*forms, *others):  # "her" is a possessive first
        for match in form.finditer(text):
            if match.start() not in idle and (owns or not pack.is_name(text, *match.span())):
                idle.add(match.start())
                yield match.start(), features, owns


def _kinds(word: str, pack: Pack) -> frozenset[str]:
    """Return the kinds that a word may be of; one of another language is of those that all it means are of."""
    if pack is pack.english:
        return kinds(word)
    found = [kinds(one.english) for one in pack.vocabulary.meanings([word], 0) if one.weight >= TRANSLATED]
    return frozenset.intersection(*found) if found else frozenset()


def _follows_copula(analysis: Analysis, at: int, pack: Pack) -> bool:
    return at > 0 and pack.forms["copula"].longest([pack.key(analysis.words[at - 1].text)], 0) is not None


def is_said_of_asked(analysis: Analysis, at: int, pack: Pack) -> bool:
    """Return whether a word says what all that is asked for is, or has: "which ships are steamers", "were sold"."""
    word, after = analysis.words[at].folded, [word.folded for word in analysis.words[at + 1 :]]
    noun = is_often(word, "n") or not uses(word)
    noun &= after[:1] != pack.data.references.of.split()[:1]  # who is a member of something is connected with it
    if not noun and (after or "v" not in kinds(word) or not _follows_copula(analysis, at, pack)):
        return False
    while at > 0 and analysis.words[at - 1].empty and not _follows_copula(analysis, at, pack):
        at -= 1
    return at - 2 in analysis.asked and _follows_copula(analysis, at, pack)


def said_to_be(analysis: Analysis, pack: Pack) -> frozenset[int]:
    """Return the positions of the words for what is asked for behind "who is": the oldest *animal*."""
    words = analysis.words
    verb = next((at for at, word in enumerate(words) if word.folded in pack.be), len(words))
    start = next((at for at in range(verb, len(words)) if not words[at].empty), len(words))
    end = next((at for at in range(start, len(words)) if words[at].empty), len(words))
    return frozenset(range(start, end) if "person" in analysis.expected and verb == 1 else ())


def _is_inflected(analysis: Analysis, at: int, pack: Pack) -> bool:
    """Return whether a word has the ending of an adjective before a noun that has a capital: die geplanten Einsätze."""
    if not pack.data.capital_nouns or at + 1 == len(analysis.words):
        return False
    word, noun = analysis.words[at : at + 2]
    joined = is_capital(noun.text) and word.text.islower() and not analysis.text[word.end : noun.start].strip()
    article = at > 0 and analysis.words[at - 1].folded in pack.data.references.definite
    verb = pack.may_be_verb(word.text, word.stem) and not article
    return joined and not verb and re.search(f"{pack.data.superlative}$", word.folded) is not None


def _stands_by(analysis: Analysis, at: int, by: int, missed: Collection[int]) -> bool:
    """Return whether a word stands right beside another one that is not left out and is no name, or beside "ones"."""
    if not 0 <= by < len(analysis.words) or by in missed:
        return False
    first, last, other = analysis.words[min(at, by)], analysis.words[max(at, by)], analysis.words[by]
    solid = (not other.empty or other.stem == "one") and not is_capital(other.text)
    return solid and not analysis.text[first.end : last.start].strip()
