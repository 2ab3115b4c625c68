"""Voice: who does what to whom, by the place of a verb beside a name.

A graph that says "depends on" of packages and packages has two answers for each name: what it depends on, and what
depends on it. English tells them apart by what stands before the verb and what behind it, and by whether it is in the
passive.
"""

from collections.abc import Sequence
from functools import lru_cache

from triad.language.analysis import Analysis
from triad.language.lexical_database import derived, is_noun_only, is_verb_only, kinds, lemmas
from triad.language.mentions import is_capital
from triad.language.normalize import fold
from triad.language.pack import load_pack
from triad.language.relatedness import is_kind_of
from triad.language.tokens import Word

_LASTING = "person", "location", "structure", "facility", "body of water"  # somebody and places, which are no deeds
_DOING = frozenset(("do", "does", "did"))
_APART = _DOING | {"of", "is", "are", "was", "were", "has", "have", "had"}  # which no verb stands before


def is_turned(analysis: Analysis, label: str, start: int, end: int, subject: bool, *, either: bool = False) -> bool:
    """Return whether a relation called after a verb, or after who does it, is followed against what the words say.

    Args:
        analysis: The question.
        label: What the relation is called: depends on, operated by, supervisor.
        start: Position of the first word for the thing.
        end: Position after the last one.
        subject: Whether the query has the thing as the subject of the relation.
        either: Whether the thing might be its object as well, since both ends are alike, so that a word that may be a
            noun, too, is a verb right before a name: "who trains Ann" is not what Ann's trains are.
    """
    pack = load_pack("en")
    name = fold(label).split()
    while name and name[0] in pack.empty:
        del name[0]  # is part of
    words = analysis.words
    if analysis.language != "en" or not name:  # whose superior somebody is: Vorgesetzter von Ann
        own = load_pack(analysis.language)
        said = [word.stem for word in words[max(0, start - 2) : start]]
        return not subject and said == [own.stem(fold(label)), own.stem(own.data.references.of.split()[0])]
    ends_in_of = len(name) > 1 and name[-1] in pack.data.references.of.split()
    if ends_in_of and (whose := _is_subject_of(analysis, name[-2], name[-1], start, end)) is not None:
        return subject is not whose
    bound = len(name) > 1 and name[-1] in pack.empty
    passive = pack.forms["agent"].longest(name[-1:], 0) is not None
    noun = name[-1 - bound] if not passive else ""
    verb = bound or (either and start == 2 and words[0].empty)
    done = bool(done_by(noun, either))  # whose supervisor somebody is, is supervised by them
    if not done and not (kinds(name[0]) == {"v"} or (verb and "v" in kinds(name[0]))):
        return False
    before = next((at for at in range(start - 1, -1, -1) if not words[at].empty), None)
    for at in (before, end if end < len(words) else None):
        if at is None or not (is_done(analysis, at, noun, either) if done else words[at].stem == pack.stem(name[0])):
            continue
        after = [word.folded for word in words[at + 1 : at + 3]]
        behind = not _APART.isdisjoint(after[: start - at - 1])
        if behind and not done and "n" in kinds(words[at].folded):
            continue  # the orders of somebody, and those that they placed
        if bound and not done and not passive and name[-1] not in after:
            continue
        turned = _has_agent(analysis, at) != (passive or (done and not bound))
        return subject != ((at == end) != turned)
    return False


def _is_subject_of(analysis: Analysis, noun: str, of: str, start: int, end: int) -> bool | None:
    """Return whether a thing is called by a noun with "of" or is that of which another thing is; None for neither.

    Whom Ann is a student of has her as a student; "Ann's student" and "a student of Ann" are students of hers.
    """
    pack, words = load_pack("en"), analysis.words
    called = [pack.stem(noun), pack.stem(of)]
    near = next((at for at in range(end, len(words)) if not words[at].empty), end)
    after = [word.stem for word in words[near : near + 2]]
    if end < near and words[end].text in pack.endings and after[:1] == called[:1]:
        return False
    if after == called:
        return True
    return False if start > 1 and [word.stem for word in words[start - 2 : start]] == called else None


def is_done(analysis: Analysis, at: int, label: str, alike: bool) -> bool:
    """Return whether a word is an English verb for what they do whom a label calls after it: supervised, supervisor.

    Between things ``alike``, also where the noun is the verb: who coaches whom.
    """
    stems = map(load_pack("en").stem, done_by(_head(label), alike))
    return analysis.language == "en" and analysis.words[at].stem in stems and is_verb_at(analysis, at)


def is_passive(analysis: Analysis, at: int) -> bool:
    """Return whether a word is an English verb in the passive, of what is done to somebody: was rescued."""
    words = analysis.words[: at + 1]
    said = is_verb_only(words[at].folded) and any("be" in lemmas(word.folded) for word in words[-2:-1])
    return analysis.language == "en" and said


def is_deed(analysis: Analysis, label: str) -> bool:
    """Return whether an English label calls what a verb of the question does, and nobody and no place: a *launch*."""
    pack, head = load_pack("en"), _head(label)
    deeds = {pack.stem(one) for one in (head, *derived(head))}
    forms = ((at, {word.stem, *map(pack.stem, lemmas(word.folded))}) for at, word in enumerate(analysis.words))
    said = (is_verb_at(analysis, at) for at, stems in forms if deeds & stems)
    is_other = bool(done_by(head)) or any(is_kind_of(head, kind) for kind in _LASTING)
    return analysis.language == "en" and any(said) and not is_other


def _head(label: str) -> str:
    """Return the last word of a label; nothing if it has none."""
    return fold(label).rstrip().rpartition(" ")[2]


def is_verb_at(analysis: Analysis, at: int) -> bool:
    """Return whether a word is a verb of English; one that may be a noun, too, by what stands beside it."""
    words, of = analysis.words, kinds(analysis.words[at].folded)
    apart = at and words[at - 1].folded != "not" and (words[at - 1].empty or words[at - 1].folded == "same")
    does = not apart and any(word.folded in _DOING for word in words[:at])  # and does not have a mentor
    return "v" in of and ("n" not in of or does or _has_agent(analysis, at) or (at == 1 and words[0].folded == "who"))


def _has_agent(analysis: Analysis, at: int) -> bool:
    """Return whether who does something is named behind a word: founded by."""
    agent = load_pack("en").forms["agent"]
    return any(agent.longest([word.folded], 0) for word in analysis.words[at + 1 : at + 3])


def infinitive(analysis: Analysis) -> int | None:
    """Return the position of the English verb that ends a question, behind "do" and a name: did Ann *win*?"""
    if analysis.language != "en" or not any("do" in lemmas(word.folded) for word in analysis.words[:-2]):
        return None
    before, last = analysis.words[-2:]
    named = is_capital(before.text) or is_noun_only(before.folded)
    verb = last.folded in lemmas(last.folded) and "v" in kinds(last.folded)
    return len(analysis.words) - 1 if named and verb else None


def subject_at(words: Sequence[Word]) -> int:
    """Return where the subject of an English question begins, behind "do"; the number of words where it has none."""
    return next((at + 1 for at, word in enumerate(words) if word.folded in _DOING), len(words))


@lru_cache(maxsize=1 << 10)
def done_by(noun: str, same: bool = False) -> frozenset[str]:
    """Return the verbs of what they do whom an English noun calls after it, or by the ``same`` word; none if unknown.

    >>> sorted(done_by("supervisor")), sorted(done_by("coach", same=True)), sorted(done_by("student"))
    (['supervise'], ['coach'], [])
    """
    if "v" in kinds(noun):
        return frozenset((noun,) if same and is_kind_of(noun, "person") else ())
    bases = (*derived(noun), noun[:-2], noun[:-1]) if noun.endswith(("er", "or")) else ()
    return frozenset(word for word in bases if "v" in kinds(word))
