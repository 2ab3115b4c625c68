"""Whether a turn leans on those before it, as its words, the label index and the classes of what was spoken of tell.

A turn that has no cue is asked as it stands: a complete question has nothing to do with the answer before it.
"""

import re
from collections.abc import Sequence

from triad.conversation.mentions import names_class, names_in
from triad.conversation.referents import nouns_for, referents
from triad.conversation.turns import Turn
from triad.language.cues import SHORT, asks, asks_behind, definites, is_fragment, joins, pointers, set_pointers
from triad.language.mentions import guessed_name
from triad.language.normalize import bare, fold
from triad.language.operators import singles_out
from triad.language.pack import Pack
from triad.language.tokens import Sentence
from triad.phases.context import Context


def leans(context: Context, pack: Pack, text: str, turns: Sequence[Turn]) -> bool:
    """Return whether a text leans on the turns before: by its words, or for it is no whole question."""
    if pointed_at(context, pack, text) or joins(text, pack) or _is_part(context, pack, text):
        return True
    if any(name.sure for name in names_in(context, text, pack)):
        return False
    return drops_subject(context, pack, text) or points_by_noun(context, pack, text, turns)


def pointed_at(context: Context, pack: Pack, text: str) -> str:
    """Return the first words of a text that stand for something that was spoken of; empty if there are none."""
    names = [name for name in names_in(context, text, pack) if name.sure]
    of_set = list(set_pointers(text, pack, pair=len(names) < 2))
    taken = [(name.start, name.end) for name in names]
    taken += [match.span() for match in pack.references.expletive.finditer(text)]
    first = min((name.end for name in names), default=len(text) + 1)
    for form, of in pack.references.possessives:
        # The planets with their radius: what comes before says whose.
        for match in form.finditer(text) if {"group", "thing"} & {*of} else ():
            said = text[: match.start()]
            if names_class(context, said, pack) or (not pack.data.capital_nouns and guessed_name(said, pack)):
                taken.append(match.span())
    early = [(start, end) for start, end in pointers(text, pack) if start < first]
    found = [one for one in early if not any(one[0] < end and start < one[1] for start, end in taken)] or of_set
    return text[slice(*min(found))] if found else ""


def drops_subject(context: Context, pack: Pack, text: str) -> bool:
    """Return whether a text names nothing, in a language in which the subject may then be left out."""
    within = bare(text)[:1].lower() + bare(text)[1:]  # the first word has a capital in any case
    references = pack.references
    if not references.data.drops_subject or references.expletive.search(text) or guessed_name(within, pack):
        return False
    return lacks_subject(text, pack) or not names_class(context, text, pack, "entity")


def lacks_subject(text: str, pack: Pack) -> bool:
    """Return whether a verb in the singular stands behind a noun in the plural: which plants does she care for."""
    *_, noun, verb = ("", "", *fold(bare(text)).split())
    singular = re.compile(pack.references.data.singular_verb)
    return bool(singular.search(verb)) and not singular.search(noun) and pack.empty.isdisjoint((noun, verb))


def _is_part(context: Context, pack: Pack, text: str) -> bool:
    """Return whether a text is only a part of a question: "in Germany", "which is the longest", "the release date"."""
    names = names_in(context, text, pack)
    sentence = Sentence(text, pack)
    if not asks(sentence):
        if len(sentence) <= SHORT:
            return True
        opened = sentence.words[0].empty and sentence.words[0].folded not in pack.references.articles
        return opened or not (any(name.sure for name in names) or names_class(context, text, pack))
    if names or names_class(context, text, pack):
        return asks_behind(text, pack)
    return is_fragment(text, pack) or _asks_for_relation(sentence)


def _asks_for_relation(sentence: Sentence) -> bool:
    """Return whether all that a question asks for is "the release date", without saying of what."""
    pack, words = sentence.pack, sentence.words
    content = [at for at in range(len(sentence)) if sentence.content(at)]
    if len(content) > SHORT or content[-1] - content[0] >= len(content):
        return False
    aggregated = any(sentence.all("average", "total", "number"))
    if aggregated or singles_out(sentence.text[words[content[0]].start : words[content[-1]].end], pack):
        return False
    articles = pack.references.articles
    return not articles or (content[0] > 0 and words[content[0] - 1].folded in articles)


def points_by_noun(context: Context, pack: Pack, text: str, turns: Sequence[Turn]) -> bool:
    """Return whether "the film" stands in a text, and a film was spoken of.

    So it is if "the caretaker" is all that the text asks for, and a thing that was spoken of last has one.
    """
    found = referents(turns)
    classes = {name for one in found for thing in one.things[:1] for name in nouns_for(context, thing)}
    last = [one.things[0].iri for one in found if not (one.is_list or one.age)]
    of = pack.references.data.of.replace("{x}", "").strip()
    for match in definites(text, pack):
        noun = bare(match["noun"])
        words = noun.split()
        words = words[: next((at for at, word in enumerate(words) if at and pack.is_idle(word)), len(words))]
        after = text[match.start("noun") + len(words[0]) :].strip()
        chosen = Sentence(after, pack).compare("having", 0) and singles_out(after, pack)  # the film with the most
        if fold(words[0]) in classes and not (chosen or after.startswith(f"{of} ")):
            return True
        alone = pack.is_idle(f"{text[: match.start()]} {bare(text[match.start('noun') + len(noun) :])}")
        card = [hop for iri in last if iri for hop in context.schema.card(iri)] if alone else []
        kinds = context.schema.labels(iri for hop in card if hop.direction == "out" for iri in hop.classes)
        called = {fold(one) for one in (*kinds.values(), *(hop.label for hop in card))}
        if fold(noun) in called and not singles_out(noun, pack):
            return True
    return False
