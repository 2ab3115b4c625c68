"""What is said of the last answer: "which of these", "the ones from Leipzig", "their mayors", "what else", "calories?".

Whether the last answer is meant, the words tell: what stands for it, what is only a part of a question, what goes on
from it. Then it is asked of the answer's entities, or operated on its query.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from triad.conversation import operations, replies
from triad.conversation.alone import resolved_by_words
from triad.conversation.cues import pointed_at
from triad.conversation.operating import instead, limited, operated
from triad.conversation.referents import pair
from triad.conversation.sets import AboutSet, set_of_pair
from triad.conversation.turns import Turn, is_sure, named_answers, things_in
from triad.conversation.utterance import Utterance
from triad.language.acts import without_joining
from triad.language.cues import asks, besides, pointers
from triad.language.follow_ups import FollowUp
from triad.language.normalize import bare
from triad.language.tokens import Sentence

_NEAR: Final = 3  # turns whose things "else" leaves out: what one still has in mind


def added_to(said: Utterance) -> Iterator[Turn]:
    """Understand "and those of Austria too": the last answer together with that for another name."""
    last = said.discussed
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


def _others_named(said: Utterance, what: str) -> Iterator[Turn]:
    """Yield the turns for what is to be added to the last answer: another name, or other ones of the list."""
    yield from instead(said, what)
    before = replace(said, text=what, dialogue=said.dialogue.without_last(), ask_back=False)
    if before.dialogue.last and before.listed:
        yield limited(before, before.listed.fragment(what), before.listed)


def others(said: Utterance) -> Iterator[Turn]:
    """Understand "what else": the answer leaves out what was spoken of."""
    follow_up = said.follow_up
    # In some languages "the other" is "the second", too.
    if follow_up and (follow_up.kind == "first" or follow_up == FollowUp("except")):
        return
    question = _without_besides(said)
    if not question:
        return
    near = said.dialogue.turns[-_NEAR:]
    spoken_of = {one.iri for turn in near for one in turn.things.values() if one.iri}
    spoken_of |= {iri for turn in near for iri in things_in(turn)}
    for turn in resolved_by_words(said.saying(question)):
        answer = operations.without_entities(said.context, turn.answer, spoken_of) if turn.answer else None
        reply = replies.in_a_sentence(said.pack, said.text, answer) if answer else ""
        if answer or not turn.answer:
            yield replace(turn, kind="follow_up", answer=answer, reply=reply) if answer else turn


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


def among(said: Utterance) -> Iterator[Turn]:
    """Understand what stands for several things of an earlier answer: "which of these", "their mayors", "the two"."""
    if said.follow_up and said.follow_up.is_whole:
        return
    answer = said.discussed.answer
    single = answer is not None and len(answer.rows) == 1 and not named_answers(said.discussed)
    for about in said.sets:
        yield from (limited(said, question, about) for question in about.explicit(said.text, single=single))
    if two := set_of_pair(said.context, pair(said.dialogue.turns)):
        about = AboutSet.of(said.context, said.pack, two)
        yield from (limited(said, question, about) for question in about.explicit(said.text, pair=True))


def operation(said: Utterance) -> Iterator[Turn]:
    """Understand a follow-up by its words: only those, without the Rhine, sorted by length, their capitals."""
    follow_up = said.follow_up
    matches = (form.search(said.text) for form, of in said.pack.references.possessives if "group" in of)
    owned = (match["owned"] for match in matches if match and not said.pack.is_idle(match["owned"]))
    if (follow_up is None or follow_up.kind == "only") and (what := next(owned, "")):  # their capitals
        follow_up = FollowUp("column", what=what)
    elif follow_up is None and said.listed:
        follow_up = said.listed.kept(said.text)
    if follow_up:
        yield operated(said, follow_up)


def part_of_question(said: Utterance) -> Iterator[Turn]:
    """Understand what is a part of a question about the last list: "longer than 1000 km", "how many per country"."""
    about = said.listed
    points = said.follow_up or pointed_at(said.context, said.pack, said.text)
    if about and about.set == said.sets[0].set and not (points or said.renames):
        yield from (limited(said, question, about) for question in about.completed(said.text))
