"""The last question put together with what is said, so that both are read as one question.

What is said stands in place of a part of the last question ("and from Peru?", after one about Chile), besides its parts,
or with what was asked for in place of the words that point back to it ("the average of the capacity of all
stadiums"). What each word means is left to the solver, as in any question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from triad.conversation.sets import AboutSet
from triad.conversation.turns import Interpretation, Turn, is_sure
from triad.conversation.utterance import Utterance
from triad.language.cues import asks
from triad.language.normalize import bare, fold
from triad.language.pack import Pack
from triad.language.tokens import Sentence


def exchanged_part(said: Utterance) -> Iterator[Turn]:
    """Yield the turns for the last question with what is said in place of one of its parts."""
    text, part = _asked(said), said.part
    uses = said.last.answer.words if said.last.answer and not asks(Sentence(part, said.pack)) else ()
    spans = dict.fromkeys(span for use in uses for span in _parts(text, use.words, said.pack))
    bare_part = _without_article(part, said.pack)
    yield from _put(said, (f"{text[:a]}{bare_part if a else part}{text[b:]}" for a, b in spans))


def added_part(said: Utterance) -> Iterator[Turn]:
    """Yield the turn for the last question with what is said besides its parts."""
    follow_up, forms = said.follow_up, said.pack.data
    part = follow_up.what if follow_up and follow_up.kind == "only" else said.part
    if follow_up and follow_up.kind == "sort":
        down = follow_up.descending
        way = "" if down is None else (forms.sorting.down if down else forms.sorting.up)[0]
        part = f"{forms.sorting.by[0]} {follow_up.by} {way}"
    elif follow_up and follow_up.kind == "column":
        part = f"{forms.forms.beside[0]} {follow_up.what}"
    if not asks(Sentence(part, said.pack)):
        yield from _put(said, [f"{_asked(said)} {part}"])


def quoted(said: Utterance) -> Iterator[Turn]:
    """Yield the turns for what is said with what the last question asked for in place of what points back to it."""
    text = _asked(said)
    sentence = Sentence(text, said.pack)
    at = 0
    while at < len(sentence) - 1 and ((end := sentence.form("ask", at)) or not sentence.content(at)):
        at = end or at + 1
    about = AboutSet(said.pack, text[sentence.words[at].start :])
    yield from _put(said, [*about.explicit(said.text), *about.pointed(said.text, alone=True)])


def _asked(said: Utterance) -> str:
    """Return the last question, in words that the solver read."""
    return bare(said.last.answer.question.text if said.last.answer else said.last.standalone)


def _put(said: Utterance, questions: Iterable[str]) -> Iterator[Turn]:
    for question in dict.fromkeys(questions):
        whole = Interpretation("", question, said.last.things, within=said.last.about)
        turn = said.answers.turn(said.request, whole, dependent=True)
        if is_sure(turn):
            yield turn


def _parts(text: str, words: str, pack: Pack) -> Iterator[tuple[int, int]]:
    """Yield where words that became a part of the query stand in a text: all of them, then each that says something."""
    start = text.find(words)
    if start < 0:
        return
    yield start, start + len(words)
    sentence = Sentence(words, pack)
    for at, word in enumerate(sentence.words):
        if sentence.content(at):
            yield start + word.start, start + word.end


def _without_article(text: str, pack: Pack) -> str:
    """Return a text without an article before it."""
    first, _, rest = text.partition(" ")
    return rest if rest and fold(first) in map(fold, pack.references.data.definite) else text
