"""What is said of the last answer: "which of these", "the ones from Leipzig", "their mayors", "what else", "calories?".

Whether the last answer is meant, the words tell: what stands for it, what is only a part of a question, what goes on
from it. Then it is asked of the answer's entities, or operated on its query.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from triad.conversation import conditions, operations, replies
from triad.conversation.alone import alone, resolved_by_words
from triad.conversation.operating import limited, meant, operated, swapped
from triad.conversation.referents import pair
from triad.conversation.sets import AboutSet, set_of_pair
from triad.conversation.turns import Attempts, Turn, is_sure, things_in
from triad.conversation.utterance import Utterance
from triad.language.acts import without_joining
from triad.language.comparisons import find_comparisons
from triad.language.cues import asks, besides, pointers
from triad.language.follow_ups import FollowUp
from triad.language.normalize import bare
from triad.language.tokens import Sentence

_NEAR: Final = 3  # turns whose things "else" leaves out: what one still has in mind


def added_to(said: Utterance) -> Attempts:
    """Understand "and those of Austria too": the last answer together with that for another name."""
    last = said.last
    for match in said.matches("too") if last.answer else ():
        what = match.groupdict().get("x")
        if what is None:
            other = next((turn for turn in said.dialogue.lists if turn is not last), None)
        elif asks(Sentence(what, said.pack)) or any(pointers(what, said.pack)):
            continue
        else:
            other = next(filter(is_sure, _others_named(said, what)), None)
        if last.answer and other and other.answer:
            answer = operations.united(said.context, last.answer, other.answer)
            if answer:
                things = {**last.things, **other.things}
                yield replace(said.request.with_answer(last, said.text, answer), things=things)
                break
    return False


def _others_named(said: Utterance, what: str) -> Iterator[Turn]:
    """Yield the turns for what is to be added to the last answer: another name, or other ones of the list."""
    yield from swapped(said, what)
    before = replace(said, text=what, dialogue=said.dialogue.without_last(), ask_back=False)
    if before.dialogue.last and before.listed:
        yield limited(before, before.listed.fragment(what), before.listed)


def choosing_of_two(said: Utterance) -> Attempts:
    """Understand "which of the two is larger" and "who is older", after two things were spoken of."""
    found = set_of_pair(said.context, pair(said.dialogue.turns))
    if found is None:
        return False
    about, follow_up = AboutSet(said.context, said.pack, found), said.follow_up
    if follow_up and follow_up.of_order(said.pack) and _compares(said, follow_up.what):
        question = about.fragment(follow_up.what)
    elif questions := about.explicit(said.text, pair=True):
        question = questions[0]
    else:
        return False
    yield limited(said, question, about)
    return True


def _compares(said: Utterance, text: str) -> bool:
    """Return whether a text is a comparative: older, not oldest."""
    stems = said.pack.stem_list(text)
    found = [at for at, _, _ in said.pack.more.all(stems)]
    return bool(found) and not any(said.pack.most.longest(stems, at) for at in found)


def measured(said: Utterance) -> Attempts:
    """Understand what has one reading only: a further column, or what is more or less than a number or a date."""
    follow_up = said.follow_up
    if follow_up and follow_up.kind == "only":
        if find_comparisons(Sentence(follow_up.what, said.pack), boolean=False):
            yield operated(said, follow_up)
    elif follow_up and follow_up.kind == "column":
        yield operated(said, follow_up)
    return False


def others(said: Utterance) -> Attempts:
    """Understand "what else": the answer leaves out what was spoken of."""
    follow_up = said.follow_up
    # In some languages "the other" is "the second", too.
    if follow_up and (follow_up.kind == "first" or follow_up == FollowUp("except")):
        return False
    question = _without_besides(said)
    if not question:
        return False
    near = said.dialogue.turns[-_NEAR:]
    spoken_of = {one.iri for turn in near for one in turn.things.values() if one.iri}
    spoken_of |= {iri for turn in near for iri in things_in(turn)}
    for turn in resolved_by_words(said.saying(question)):
        if not (turn.answer and is_sure(turn)):
            yield turn
            continue
        answer = operations.without_entities(said.context, turn.answer, spoken_of)
        reply = replies.in_a_sentence(said.pack, said.text, answer) if answer else ""
        if answer is None and said.cue == "join":
            yield from alone(said)  # other than what the question itself names
        yield replace(turn, answer=answer, reply=reply) if answer else turn
        break
    return True


def _without_besides(said: Utterance) -> str | None:
    """Return the text without the words that leave out what was spoken of; None if it has none."""
    sentence = Sentence(said.text, said.pack)
    found = [sentence.words[at] for at in besides(sentence)]
    rest = without_joining(said.text, said.pack)
    if found and found[0].start == 0 and rest != bare(said.text) and not asks(Sentence(rest, said.pack)):
        found = found[1:]  # a word for "else" may be that for "and", too
    if not found or len(found) == len(sentence):
        return None
    return " ".join((said.text[: found[0].start] + said.text[found[0].end :]).split())


def of_list(said: Utterance) -> Attempts:
    """Understand what says that it is about the last list: "which of these", "the ones in Bonn", "their mayors"."""
    about, follow_up = said.listed, said.follow_up
    if about is None or (follow_up and follow_up.is_whole):
        return False
    questions = about.explicit(said.text, alone=said.last_is_list)
    if not questions:
        return False
    yield from _continued(said)
    turns: Iterator[Turn] = (limited(said, question, about) for question in questions)
    if owned := _owned(said):
        own = things_in(said.dialogue.lists[0])
        turns, theirs = itertools.tee(turns)
        yield from (turn for turn in theirs if not things_in(turn) <= own)
        yield operated(said, FollowUp("column", what=owned))
    yield from turns
    if kept := follow_up or about.kept(said.text):
        yield operated(said, kept)
    return True


def _continued(said: Utterance) -> Iterator[Turn]:
    """Yield the turns for "their", which goes on with what the last turn was about rather than with its answer."""
    if said.last.about and _owned(said):
        about = AboutSet(said.context, said.pack, said.last.about)
        for question in about.explicit(said.text):
            yield limited(said, question, about)


def _owned(said: Utterance) -> str | None:
    """Return what is asked of each of the last answer's entities: their capitals."""
    for form, features in said.pack.references.possessives:
        if "group" in features and (match := form.search(said.text)) and not said.pack.is_idle(match["owned"]):
            return match["owned"]
    return None


def operation(said: Utterance) -> Attempts:
    """Understand a follow-up by its words: only those, without the Rhine, sorted by length, the first three."""
    about, follow_up = said.listed, said.follow_up
    if follow_up is None:
        return False
    if follow_up.kind == "only" and follow_up.falls(said.pack) is not None:
        yield operated(said, follow_up)
    elif about and follow_up.kind == "only":
        yield limited(said, about.fragment(follow_up.what), about)
    elif about and follow_up.kind == "except":
        yield from _left_out(said, follow_up, about)
    yield operated(said, follow_up)
    return follow_up.kind == "sort"


def _left_out(said: Utterance, follow_up: FollowUp, about: AboutSet) -> Iterator[Turn]:
    """Yield the turn for the last answer without those of its entities that a phrase describes."""
    last = meant(said, follow_up)
    if not follow_up.what or last.answer is None:
        return
    if operations.has_named(said.context, said.pack, last.answer, follow_up.what):
        return
    yield limited(said, about.fragment(said.text), about)
    described = limited(said, about.fragment(follow_up.what), about)
    if is_sure(described) and described.answer:
        left_out = set(conditions.things_of(described.answer)[1])
        if answer := operations.without_entities(said.context, last.answer, left_out):
            yield said.request.with_answer(last, said.text, answer)


def part_of_question(said: Utterance) -> Attempts:
    """Understand what is a part of a question about the last list: "longer than 1000 km", "how many per country"."""
    about = said.listed
    if about is None or said.follow_up or not said.is_part or not said.last_is_list:
        return False
    turns = [limited(said, question, about) for question in about.completed(said.text)]
    yield from sorted(turns, key=lambda turn: _leaves_all(said, turn))
    return False


def _leaves_all(said: Utterance, turn: Turn) -> bool:
    """Return whether a condition leaves out nothing, and so is none: "any side effects?" asks for these."""
    only = turn.answer is not None and len(turn.answer.variables) == 1
    return only and things_in(turn) == things_in(said.dialogue.lists[0])
