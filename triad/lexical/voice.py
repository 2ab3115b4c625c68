"""Voice: who does what to whom, by the place of a verb beside a name.

A graph that says "depends on" of packages and packages has two answers for each name: what it depends on, and what
depends on it. English tells them apart by what stands before the verb and what behind it, and by whether it is in the
passive. A verb on both sides of a name is done twice.
"""

from collections.abc import Collection

from triad.language.analysis import Analysis
from triad.language.lexical_database import kinds
from triad.language.normalize import fold
from triad.language.pack import load_pack


def said_again(analysis: Analysis, start: int, end: int, named: Collection[int]) -> int | None:
    """Return the position of a content word behind a name that stands before it, too; None if there is none."""
    words = analysis.words
    before = {word.stem for at, word in enumerate(words[:start]) if not word.empty and at not in named}
    return next((at for at in range(end, len(words)) if words[at].stem in before and at not in named), None)


def is_turned(analysis: Analysis, label: str, start: int, end: int, subject: bool, *, either: bool = False) -> bool:
    """Return whether a relation with a verb for a name is followed from a thing against what the words say.

    Args:
        analysis: The question.
        label: What the relation is called: depends on, operated by.
        start: Position of the first word for the thing.
        end: Position after the last one.
        subject: Whether the query has the thing as the subject of the relation.
        either: Whether the thing might be its object as well, so that a word that may be a noun, too, is a verb right
            before a name: "who trains Ann" is not what Ann's trains are.
    """
    pack = load_pack("en")
    agent = pack.forms["agent"]
    name = fold(label).split()
    while name and name[0] in pack.empty:
        del name[0]  # is part of
    if analysis.language != "en" or not name:
        return False
    bound = len(name) > 1 and name[-1] in pack.empty
    words = analysis.words
    verb = bound or (either and start == 2 and words[0].empty)
    if not (kinds(name[0]) == {"v"} or (verb and "v" in kinds(name[0]))):
        return False
    before = next((at for at in range(start - 1, -1, -1) if not words[at].empty), None)
    for at in (before, end if end < len(words) else None):
        if at is None or words[at].stem != pack.stem(name[0]):
            continue
        after = [word.folded for word in words[at + 1 : at + 3]]
        passive = agent.longest(name[-1:], 0) is not None
        if bound and not passive and name[-1] not in after:
            continue
        turned = any(agent.longest([word], 0) for word in after) != passive
        return subject != ((at == end) != turned)
    return False
