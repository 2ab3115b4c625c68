"""The last question put together with what is said, so that both are read as one question.

What is said stands in place of a part of the last question ("and from Peru?", after one about Chile), besides its
parts, or with what was asked for in place of the words that point back to it ("the average of the capacity of all
stadiums"). What each word means is left to the solver, as in any question.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from triad.answers import WordUse
from triad.conversation.dialogue import Utterance
from triad.conversation.mentions import names_in, valued
from triad.conversation.referents import class_names
from triad.conversation.sets import AboutSet, points_to_set
from triad.conversation.turns import Interpretation, Turn, is_sure, named_answers, things_in
from triad.language.comparisons import Comparison, find_comparisons
from triad.language.cues import asks
from triad.language.mentions import guessed_name
from triad.language.normalize import bare
from triad.language.operators import Operator, find_operators
from triad.language.pack import Pack
from triad.language.tokens import Sentence


def exchanged_part(said: Utterance) -> Iterator[Turn]:
    """Yield the turns for the last question with what is said in place of one of its parts."""
    text, part = _asked(said), said.part
    wish, stems = said.follow_up, said.pack.stems(text)
    repeated = wish and wish.kind == "except" and wish.what and stems >= said.pack.stems(wish.what)  # and not rated
    kept = wish and wish.kind != "only" and not repeated
    bound = _bound(bare(said.text), said.pack)
    if said.discussed.answer is None or kept or not (bound or _is_part(part, said.pack)):
        return
    uses, spans = said.discussed.answer.words, dict[tuple[int, int], None]()
    kinds = [class_names(said.context, one.thing) for one in names_in(said.context, part, said.pack)]
    links = said.discussed.answer.links
    part = bound or part
    for use in uses:
        old = class_names(said.context, links[use.words]) if use.words in links else set()
        if bound:  # "and in 2022", after one about 2023
            limit = _bound(use.words, said.pack, alone=False)
            start = text.find(limit) if limit else -1
            spans |= {(start, start + len(limit)): None} if start >= 0 else {}
        elif not old.isdisjoint(kinds[0]) if old and len(kinds) == 1 and kinds[0] else not said.renames:
            spans |= dict.fromkeys(_parts(text, use, said.pack))
    bare_part = said.pack.references.without_article(part)
    yield from _put(said, (f"{text[:a]}{bare_part if a else part}{text[b:]}" for a, b in spans), part)


def exchanged_superlative(said: Utterance) -> Iterator[Turn]:
    """Yield the turn for the last question with another superlative in place of its own: and the lowest?

    Not where it chose several, among which is chosen then, nor where now a thing is asked for, and not its value.
    """
    answer, text, new_text = said.discussed.answer, _asked(said), bare(said.text)
    if answer is None or answer.answer_type != "select" or len(answer.rows) != 1 or said.discussed.about:
        return
    if points_to_set(said.text, said.pack) or (_is_asked(new_text, said.pack) and not named_answers(said.discussed)):
        return
    known = {word.stem for word in Sentence(text, said.pack).words}
    new, old = _superlative(new_text, said.pack, known), _superlative(text, said.pack, None)
    if new and old:
        put = said.pack.references.without_article(new_text[slice(*new)])
        yield from _put(said, [f"{text[: old[0]]}{put}{text[old[1] :]}"], put)


def negated(said: Utterance) -> Iterator[Turn]:
    """Yield the turn for the last question with the negation that is all that is said: and which are not?

    It is put before what the things have, and leaves none of those that were given; how many, if that is asked now.
    """
    answer, sentence, asked = said.discussed.answer, said.sentence, Sentence(_asked(said), said.pack)
    denied = any(sentence.all("negated")) and _is_asked(said.text, said.pack) and not any(asked.all("negated"))
    if not (denied and answer and named_answers(said.discussed)) or any(map(sentence.content, range(len(sentence)))):
        return
    forms, which = said.pack.data.forms, next(asked.all("which"), None)
    if which and any(sentence.all("count")):
        asked = Sentence(f"{forms.count[0]}{asked.text[asked.words[which[1] - 1].end :]}", said.pack)
    content = [word.start for at, word in enumerate(asked.words) if asked.content(at)][1:]
    had = {asked.text.find(use.words) for use in answer.words if use.kind in ("relation", "value")}
    places = (*(at for at in content if at in had), *reversed(content))
    for turn in _put(said, (f"{asked.text[:at]}{forms.negated[0]} {asked.text[at:]}" for at in places), said.text):
        if things_in(turn).isdisjoint(things_in(said.discussed)):
            yield replace(turn, kind="follow_up", standalone=said.request.after(said.discussed, said.text))
            return


def added_part(said: Utterance) -> Iterator[Turn]:
    """Yield the turn for the last question with what is said besides its parts."""
    answer = said.discussed.answer
    listed = answer is not None and answer.answer_type == "select"
    if (part := _as_part(said)) and (listed or not said.follow_up):
        for turn in _put(said, [f"{_asked(said)} {part}"], part):
            # A name that changes nothing was not meant so: how high is Mount Elbert, and of Utah.
            if said.follow_up or not (turn.answer and answer and turn.answer.rows == answer.rows):
                yield turn


def _as_part(said: Utterance) -> str:
    """Return what is said as a part of a question: "in Germany", "with their capitals"; empty for a question."""
    data, follow_up = said.pack.data, said.follow_up
    if follow_up is None:
        return said.part if _is_part(said.part, said.pack) and not said.renames else ""
    before = {"column": f"{data.forms.beside[0]} ", "only": "", "except": f"{data.forms.negated[0]} "}
    return before[follow_up.kind] + follow_up.what if follow_up.what and follow_up.kind in before else ""


def quoted(said: Utterance) -> Iterator[Turn]:
    """Yield the turns for what is said with what the last question asked for in place of what points back to it.

    Where its answer names things, these stand for themselves.
    """
    text, answer = _asked(said), said.discussed.answer
    sentence = Sentence(text, said.pack)
    if named_answers(said.discussed) or not len(sentence) or (answer and answer.boolean is not None):
        return
    at = 0
    while at < len(sentence) - 1 and ((end := sentence.form("ask", at)) or not sentence.content(at)):
        at = end or at + 1
    about = AboutSet(said.pack, text[sentence.words[at].start :])
    yield from _put(said, [*about.explicit(said.text), *about.pointed(said.text)], said.text)


def _asked(said: Utterance) -> str:
    """Return the last question, in words that the solver read."""
    return bare(said.discussed.answer.question.text if said.discussed.answer else said.discussed.standalone)


def _put(said: Utterance, questions: Iterable[str], part: str) -> Iterator[Turn]:
    """Yield the turns for questions, unless what is said is a name that nothing in the graph has."""
    guess = None if said.pack.data.capital_nouns else guessed_name(part, said.pack)
    if guess and not (names_in(said.context, part, said.pack) or valued(said.context, part)):
        return
    left_out = said.discussed.answer.ignored if said.discussed.answer else ()  # as before, of the same words
    for question in dict.fromkeys(questions):
        whole = Interpretation("", question, said.discussed.things, within=said.discussed.about)
        turn = said.answers.turn(said.request, whole, dependent=True)
        if is_sure(turn, left_out):
            yield turn


def _is_asked(text: str, pack: Pack) -> bool:
    """Return whether a text has a question word: and which is the newest."""
    sentence = Sentence(text, pack)
    expected = any(True for _ in pack.expected.all(sentence.folded))
    return expected or any(True for _ in sentence.all("which", "count", "how"))


def _bound(text: str, pack: Pack, *, alone: bool = True) -> str:
    """Return the words of a text that hold something against a number or a date; empty if it says more than these."""
    sentence = Sentence(text, pack)
    found = _place(sentence, find_comparisons(sentence, boolean=False), frozenset() if alone else None)
    return text[slice(*found)] if found else ""


def _superlative(text: str, pack: Pack, known: Set[str] | None) -> tuple[int, int] | None:
    """Return where the only superlative of a text stands, without an article; None if it has another, or says more."""
    found = [one for one in find_operators(text, pack) if one.kind == "superlative"]
    place = _place(Sentence(text, pack), found, known) if len({one.start for one in found}) == 1 else None
    if place is None:
        return None
    words = text[slice(*place)]
    return place[0] + words.index(pack.references.without_article(words)), place[1]


def _place(sentence: Sentence, made: Sequence[Comparison | Operator], known: Set[str] | None) -> tuple[int, int] | None:
    """Return where the words of what was found stand; None if the sentence has others whose stems are not known."""
    start, end = min((one.start for one in made), default=0), max((one.end for one in made), default=0)
    others = (at for at in range(len(sentence)) if sentence.content(at) and not start <= at < end)
    if not made or (known is not None and not {sentence.stems[at] for at in others} <= known):
        return None
    return sentence.words[start].start, sentence.words[end - 1].end


def _is_part(text: str, pack: Pack) -> bool:
    """Return whether a text says something, and asks nothing by itself, wherever a question word stands in it."""
    sentence = Sentence(text, pack)
    says = any(sentence.content(at) and word.text.strip("?!.") for at, word in enumerate(sentence.words))
    return says and not (asks(sentence) or any(True for _ in sentence.all("which", "count")))


def _parts(text: str, use: WordUse, pack: Pack) -> Iterator[tuple[int, int]]:
    """Yield where words that became a part of the query stand in a text: all of them, then each that says something.

    Words of a name say nothing one by one.
    """
    if (start := text.find(use.words)) < 0:
        return
    yield start, start + len(use.words)
    sentence = Sentence(use.words, pack)
    for at, word in enumerate(sentence.words if use.kind != "name" else ()):
        if sentence.content(at):
            yield start + word.start, start + word.end
