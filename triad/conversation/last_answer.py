"""What is said of the last answer: "which of these", "their mayors", "what else", another order, "and Chile?".

Whether the last answer is meant, the words tell: what stands for it, what is only a part of a question, what goes on
from it. Then it is asked of the answer's entities, or operated on its query; where the words do not fit anything that
the entities have, the turn says so. In a correction ("no, I meant the film", "not him, the other one") what was said
before is answered again, with another thing of the same name, another name or another relation in place of what was not
meant.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from triad.conversation import operations, replies
from triad.conversation.alone import joined, resolved
from triad.conversation.dialogue import Dialogue, Utterance
from triad.conversation.mentions import names_in
from triad.conversation.options import chosen, homonyms, named_apart
from triad.conversation.referents import class_names, pair
from triad.conversation.sets import AboutSet, points_to_set, set_of_pair
from triad.conversation.turns import Interpretation, Turn, given_in, is_sure, named_answers, things_in
from triad.errors import AnswerError, QuerySyntaxError
from triad.language.acts import without_joining
from triad.language.cues import asks, besides, pointers
from triad.language.follow_ups import FollowUp
from triad.language.normalize import bare, fold
from triad.language.tokens import Sentence
from triad.language.units import comparative_at
from triad.questions import Candidate
from triad.rdf import NUMERIC, Literal

_NEAR: Final = 3  # turns whose things "else" leaves out: what one still has in mind


def added_to(said: Utterance) -> Iterator[Turn]:
    """Understand "and those of Austria too": the last answer together with that for another name."""
    last = said.discussed
    for match in said.matches("too") if last.answer else ():
        if (what := match.groupdict().get("x")) is None:
            other = next((turn for turn in said.dialogue.lists if turn is not last), None)
        elif asks(Sentence(what, said.pack)) or any(pointers(what, said.pack)):
            continue
        else:
            other = next(filter(is_sure, _others_named(said, what)), None)
        if other and other.answer and (turn := joined(said.request, said.text, (last, other))):
            yield turn
            break


def _others_named(said: Utterance, what: str) -> Iterator[Turn]:
    """Yield the turns for what is to be added to the last answer: another name, or other ones of the list."""
    yield from instead(said, what)
    before = replace(said, text=what, dialogue=said.dialogue.without_last(), ask_back=False)
    if before.dialogue.last and before.listed:
        yield limited(before, before.listed.fragment(what), before.listed)


def measured(said: Utterance) -> Iterator[Turn]:
    """Understand "which of them has more?" and "has less?": of the number that was asked for of each."""
    sentence, answer = said.sentence, said.discussed.answer
    values = [value.term for value in answer.values] if answer else []
    numbers = bool(values) and all(isinstance(one, Literal) and one.datatype in NUMERIC for one in values)
    if not numbers or not any(True for _ in sentence.all("which")) or any(map(sentence.content, range(len(sentence)))):
        return
    answers = (turn.answer for turn in reversed(said.dialogue.turns) if turn.answer)
    words = next((use.words for one in answers for use in one.words if use.kind == "relation"), "")
    found = (comparative_at(sentence, at) for at in range(len(sentence)))
    if words and any(one and one[0] is None and one[1] == len(sentence) for one in found):
        yield from among(said.saying(f"{bare(said.text)} {words}?"))


def amount(said: Utterance) -> Iterator[Turn]:
    """Understand "how much?" and "how many hours?" after what has the most: of the number by which it has."""
    sentence, answer = said.sentence, said.discussed.answer
    asked = any(kind == "number" for *_, kind in said.pack.expected.all(sentence.folded))
    if not asked or said.pointed_at or answer is None or not operations.is_extreme(answer):
        return
    known = said.pack.stems(answer.question.text)
    if {sentence.stems[at] for at in range(len(sentence)) if sentence.content(at)} <= known:
        turn = operated(said, FollowUp("count"))
        if turn.answer and turn.answer.answer_type != "count":  # when is no number
            yield replace(turn, things={one.label: one for things in given_in(said.discussed) for one in things})


def others(said: Utterance) -> Iterator[Turn]:
    """Understand "what else": the answer leaves out what was spoken of."""
    follow_up = said.follow_up
    # In some languages "the other" is "the second", too.
    if follow_up and (follow_up.kind == "first" or follow_up == FollowUp("except")):
        return
    if not (question := _without_besides(said)):
        return
    first, *_ = besides(said.sentence)
    led = any(said.sentence.form(name, at) == first for name in ("which", "count") for at in range(first))
    alone = led and not points_to_set(said.text, said.pack)  # which other ones does she keep; not: … than another one
    near = said.dialogue.turns[-_NEAR:]
    spoken_of = {one.iri for turn in near for one in turn.things.values() if one.iri}
    spoken_of |= {iri for turn in near for iri in things_in(turn)}
    for turn in resolved(said.saying(question)):
        empty = alone and not turn.each
        rest = operations.without_entities(said.context, turn.answer, spoken_of, empty=empty) if turn.answer else None
        reply = replies.in_a_sentence(said.pack, said.text, rest) if rest else ""
        if rest or not turn.answer:
            yield replace(turn, kind="follow_up", answer=rest, reply=reply) if rest else turn


def _without_besides(said: Utterance) -> str | None:
    """Return the text without the words that leave out what was spoken of; None if it has none."""
    sentence = said.sentence
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
    counted = any(said.sentence.all("count"))  # how many have their port there
    if (follow_up is None or follow_up.kind == "only") and not counted and (what := next(owned, "")):  # their capitals
        follow_up = FollowUp("column", what=what)
    elif follow_up is None and said.listed:
        follow_up = said.listed.kept(said.text)
    if follow_up:
        yield operated(said, follow_up)


def part_of_question(said: Utterance) -> Iterator[Turn]:
    """Understand what is a part of a question about the last list: "longer than 1000 km", "how many per country"."""
    about, wish = said.listed, said.follow_up
    if about and wish and wish.kind == "only" and wish.what and not points_to_set(said.text, said.pack):
        named = about.names_class(Sentence(wish.what, said.pack))
        yield limited(said, wish.what if named else about.fragment(wish.what), about)
        return
    if about and about.set == said.sets[0].set and not (said.follow_up or said.pointed_at or said.renames):
        yield from (limited(said, question, about) for question in about.completed(said.text))


# Operations ---------------------------------------------------------------------------------------------


def limited(said: Utterance, question: str, about: AboutSet) -> Turn:
    """Answer a question that is limited to the entities of an earlier answer."""
    turn = said.answers.turn(said.request, Interpretation("", question, within=about.set), dependent=True)
    if turn.answer is not None:
        # It is right only if the answer whose entities it is about is right, too.
        answer = replace(turn.answer, confidence=round(turn.answer.confidence * about.confidence, 4))
        reply = turn.reply if turn.error or turn.unknown else replies.in_a_sentence(said.pack, said.text, answer)
        turn = replace(turn, answer=answer, reply=reply)
    return replace(turn, kind="follow_up", standalone=said.request.after(said.discussed, said.text), about=about.set)


def operated(said: Utterance, follow_up: FollowUp) -> Turn:
    """Return the turn for an operation on the query of the answer that it is about."""
    request, last, turn = said.request, said.discussed, meant(said, follow_up)
    if turn.answer is None or turn.answer.boolean is not None:
        reply = said.pack.replies["no_answer"]
        return request.turn(request.text, reply, kind="follow_up", dependent=True, error=reply)
    others = last.answer.values if last.answer and follow_up == FollowUp("except") else ()
    try:
        answer = operations.apply(said.context, said.pack, turn.answer, follow_up, others)
    except (AnswerError, QuerySyntaxError) as error:
        kept = {"answer": turn.answer, "things": turn.things}
        return request.turn(turn.standalone, str(error), kind="follow_up", dependent=True, error=str(error), **kept)
    return request.with_answer(turn, said.text, answer)


def meant(said: Utterance, follow_up: FollowUp) -> Turn:
    """Return the turn whose answer an operation is about: the list that a thing or a count comes from."""
    last, lists = said.discussed, said.dialogue.lists
    if follow_up.of_one or (len(things_in(last)) > 1 and follow_up != FollowUp("except")):
        return last
    if last.answer and (rows := operations.behind(said.context, last.answer, ranked=follow_up.of_order(said.pack))):
        last = replace(last, answer=rows)
        return next((turn for turn in lists if things_in(turn) == things_in(last)), last)
    things = things_in(last)
    if not named_answers(last):
        things = {one.iri for one in last.things.values() if one.iri} or things  # how long is the Rhine
    for turn in lists:
        if turn is not last and (not things or things < things_in(turn)):
            return turn
    named = [one for one in last.things.values() if one.iri]
    if len(named) < 2 and follow_up.of_order(said.pack):
        named = [thing for one in pair(said.dialogue.turns) for thing in one.things if thing.iri]
    if len(named) > 1:
        return replace(last, answer=operations.listed(said.context, named))
    return lists[0] if lists and last.answer and last.answer.boolean is not None else last  # does Madrid have a river


def exchanged(said: Utterance) -> Iterator[Turn]:
    """Yield the turn for the last answer's query with another entity in place of one: "and Chile?"."""
    context, pack, last, name = said.context, said.pack, said.discussed, said.name
    if last.answer is None or name is None or asks(Sentence(said.part, pack)):
        return
    new = name.thing
    kinds = class_names(context, new)
    for old in operations.entities_in(last.answer):
        thing = Candidate(old, "entity", context.schema.labels([old])[old])
        its_kinds = class_names(context, thing)
        if old == new.iri or (kinds != its_kinds and not kinds & its_kinds):
            continue
        if (answer := operations.swapped(context, last.answer, thing, new)) and answer.values:
            others = {key: one for key, one in last.things.items() if one.iri != old}
            yield replace(said.request.with_answer(last, said.text, answer), things={name.text: new, **others})
            return


def instead(said: Utterance, what: str) -> Iterator[Turn]:
    """Yield the turn for the last question with another name, or another relation, as "and what?" asks for it."""
    understood = said.saying(f"{said.pack.data.compare.and_[0]} {what}?").understood
    if understood.dependent:
        yield said.answers.turn(said.request, understood.interpretations[0], dependent=True)


def compared(said: Utterance) -> Iterator[Turn]:
    """Yield the turns for a question that holds the last answer against another: "is that more than Peru?"."""
    # A further comparison is of what was compared before: "and is it less than Chile?".
    turns = reversed(said.dialogue.turns)
    last = next((turn for turn in turns if turn.answer is None or turn.answer.boolean is None), None)
    match = next(said.matches("held"), None)
    if match is None or last is None or last.answer is None or len([*last.answer.values]) != 1 or named_answers(last):
        return
    less = any(True for _ in said.pack.compare["less"].all(said.pack.keys(match["more"])))
    falls = [not degree.descending for _, _, degree in said.pack.more.all(said.pack.stem_list(match["more"]))]
    sign = "<" if less or falls[:1] == [True] else ">"
    for other in instead(said, match["x"]):
        if other.answer and (answer := operations.held(said.context, last.answer, sign, other.answer)):
            yield replace(said.request.with_answer(last, said.request.text, answer), things=last.things)


# Corrections ----------------------------------------------------------------------------------------------


def corrected(said: Utterance, *, other: bool) -> Iterator[Turn]:
    """Yield the turns that may be meant in place of the last one, as far as that is said; or just another one."""
    what, options = said.text, said.last.choices
    named = bool(what) and bool(names_in(said.context, what, said.pack))
    if named:
        yield from instead(said, what)
    option = (chosen(said.context, said.pack, what, options) if what else options[0]) if options else None
    if option:
        left = tuple(one for one in options if one != option)
        yield said.answers.turn(said.request, option, dependent=True, options=left)
    if other:
        yield from _other_of_pair(said)
    if what:
        for name, thing in _of_same_name(said):
            known = {**said.last.things, name: thing}
            yield said.answers.turn(said.request, Interpretation("", said.last.standalone, known), dependent=True)
    if what and not named:
        yield from instead(said, what)


def dialogues_about(said: Utterance) -> Iterator[Dialogue]:
    """Yield the dialogues in which the thing that is meant was spoken of last."""
    last = said.last.things
    found = [{**{key: last[key] for key in last if key != name}, name: thing} for name, thing in _of_same_name(said)]
    if named := {name.text: name.thing for name in names_in(said.context, said.text, said.pack)}:
        found.append(named)
    for things in found:
        yield Dialogue([*said.dialogue.turns[:-1], replace(said.last, things=things, answer=None)])


def _of_same_name(said: Utterance) -> Iterator[tuple[str, Candidate]]:
    """Yield the things that have the name of something in the last turn and fit the words, with the name."""
    linked = said.last.answer.links.items() if said.last.answer else ()
    things = {**{name: one for name, one in linked if one.kind == "entity"}, **said.last.things}
    for name, thing in things.items():
        others = [one for one in homonyms(said.context, thing.label or name, every=True) if one.iri != thing.iri]
        if not others:
            continue
        _, *options = named_apart(said.context, Interpretation("", ""), name, [thing, *others])
        if option := chosen(said.context, said.pack, said.text, options):
            yield name, option.known[name]


def _other_of_pair(said: Utterance) -> Iterator[Turn]:
    """Yield the turn for the last question about the other one of the two things that were spoken of."""
    named = {one.iri for one in said.last.things.values()}
    two = [one.things[0] for one in pair(said.dialogue.turns)]
    for old, new in zip(two, reversed(two), strict=True):
        if old.iri in named and fold(old.label) in fold(said.last.standalone):
            question = said.last.standalone.replace(old.label, new.label)
            yield said.answers.turn(said.request, Interpretation("", question, {new.label: new}), dependent=True)
            return
