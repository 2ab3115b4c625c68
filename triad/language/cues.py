"""Cues: the words by which a turn leans on those before it. A turn without one is asked as it stands.

Words that point back (she, those, of them, the second one) are `pointers`. Other cues join a turn to what was said
(and, what about), narrow it (only), order it, or continue it (too, else, the same); the packs have them as ``cues``.

>>> from triad.language.pack import load_pack
>>> english = load_pack("en")
>>> [text for text in ("Who wrote Dune?", "and Germany?", "only those in Italy") if joins(text, english)]
['and Germany?', 'only those in Italy']
>>> text = "Who wrote that book?"
>>> [text[start:end] for start, end in pointers(text, english)]
['that book']
"""

import re
from collections.abc import Iterator
from typing import Final

from triad.language.follow_ups import recognise
from triad.language.mentions import is_capital
from triad.language.normalize import bare, fold
from triad.language.operators import find_order
from triad.language.pack import Pack
from triad.language.phrases import Phrases
from triad.language.quantities import number_in, place_in
from triad.language.tokens import Sentence

SHORT: Final = 3
"""Words of what may be only a part of a question: "in Germany", "how many seats", "the release date"."""
_ASKING: Final = ("which", "count", "number", "boolean", "how", "ask")


def set_pointers(text: str, pack: Pack, *, pair: bool = True) -> Iterator[tuple[int, int]]:
    """Yield the places of words that stand for the things of an earlier answer, or for a pair: of these, both."""
    data = pack.data.conversation
    for forms in (data.of_set, data.the_set):
        yield from (match.span() for match in pack.templates.searched(forms).finditer(text))
    joining = {pack.key(one) for one in pack.data.compare.and_}
    for match in pack.templates.searched(data.of_pair).finditer(text) if pair else ():
        if " " in match[0] or joining.isdisjoint(pack.keys(text[match.end() :])):  # both of them, and not both A and B
            yield match.span()


def pointers(text: str, pack: Pack) -> Iterator[tuple[int, int]]:
    """Yield the places of other words that stand for what was spoken of; a name before them may be what they mean."""
    references = pack.references
    for form, _ in references.possessives:
        yield from (match.span() for match in form.finditer(text) if not pack.is_idle(match["owned"]))
    sentence = Sentence(text, pack)
    after_content = {word.start for at, word in enumerate(sentence.words) if at and sentence.content(at - 1)}
    for match in references.demonstrative.finditer(text):
        noun = match["noun"].split()[0]
        end = match.start("noun") + len(noun)
        relates = match.start() in after_content and bare(text[end:])  # the rivers that flow through it
        named = pack.stem(noun) in pack.stems(text[: match.start()])  # which books …, and who wrote those books
        if not (relates or named or pack.is_idle(noun)):
            yield match.start(), end
    yield from standing_alone(text, pack)
    for form, _ in (*references.pronouns, *references.pairs):
        yield from (match.span() for match in form.finditer(text) if not pack.is_name(text, *match.span()))
    for match in references.definite.finditer(text):
        ordinal, *rest = match["noun"].split()
        if place_in(ordinal, pack) and not number_in(ordinal, pack) and (not rest or pack.is_idle(rest[0])):
            yield match.start(), match.start("noun") + len(ordinal)


def definites(text: str, pack: Pack) -> list[re.Match[str]]:
    """Return what has an article, from left to right: "the names of the books", and "the books" in it."""
    form = pack.references.definite
    starts = [0, *(match.start("noun") for match in form.finditer(text))]
    return list({match.start(): match for at in starts for match in form.finditer(text, at)}.values())


def standing_alone(text: str, pack: Pack) -> Iterator[tuple[int, int]]:
    """Yield the places of words such as "that" with no noun after them, and none before them that they relate to.

    >>> from triad.language.pack import load_pack
    >>> list(standing_alone("which license is that under?", load_pack("en")))
    [(17, 21)]
    """
    sentence = Sentence(text, pack)
    words = Phrases((pack.keys(phrase), True) for phrase in pack.data.conversation.that)
    at = 0
    while at < len(sentence):
        if (found := words.longest(sentence.folded, at)) is None or (at and sentence.content(at - 1)):
            at += 1
            continue
        after = found[0]
        compared = any(table.longest(sentence.stems, after) for table in (pack.more, pack.most, pack.plain))
        compared = compared or any(sentence.compare(name, after) for name in ("more", "less"))
        if after - at > 1 or after == len(sentence) or sentence.words[after].empty or compared:
            yield sentence.words[at].start, sentence.words[after - 1].end
        at = after


def joins(text: str, pack: Pack) -> bool:
    """Return whether words other than those that point back join a text to what was said before."""
    plain, references, data = bare(text), pack.references, pack.data.conversation
    if any(form.fullmatch(plain) for form in references.ellipsis) or references.then.search(text):
        return True
    if (follow_up := recognise(text, pack)) is not None and follow_up.is_whole:
        return True
    return pack.templates.searched(data.cues).search(plain) is not None or bool(besides(Sentence(text, pack)))


def besides(sentence: Sentence) -> list[int]:
    """Return the positions of words such as "else" and "other", where they do not make a superlative as Spanish más."""
    found = {sentence.pack.key(word) for word in sentence.pack.data.conversation.besides}
    order = find_order(sentence, either=True)
    ordering = range(order.start, order.end) if order else ()
    said = {at for start, end in sentence.all("transitive") for at in range(start, end)}  # directly or through others
    return [at for at, word in enumerate(sentence.folded) if word in found and at not in ordering and at not in said]


def asks(sentence: Sentence) -> bool:
    """Return whether words begin as a question or a request."""
    opens = any(sentence.form(name, 0) is not None for name in _ASKING)
    return opens or sentence.pack.expected.longest(sentence.folded, 0) is not None


def second_question(text: str, pack: Pack) -> tuple[str, str] | None:
    """Return the two questions that a text is, the words of the second after an "and"; None if it is one."""
    sentence, joining = Sentence(text, pack), {pack.key(one) for one in pack.data.compare.and_}
    found: list[tuple[bool, int]] = []
    for at in (at for at, word in enumerate(sentence.folded[:-1]) if at and word in joining):
        begins = any(sentence.form(name, at + 1) is not None for name in ("which", "count", "how"))
        if fold(bare(text[sentence.words[at].end :])) in pack.references.asks:
            found.append((True, at))
        elif at + 2 < len(sentence) and (begins or pack.expected.longest(sentence.folded, at + 1)):
            found.append((False, at))
    if not found:
        return None
    _, at = max(found)  # rather where the second is only a question word: when was he born and where
    return text[: sentence.words[at].start].rstrip(" ,"), text[sentence.words[at].end :].strip()


def is_fragment(text: str, pack: Pack) -> bool:
    """Return whether a text is too short to be a question by itself, unless it names a class or an entity."""
    sentence = Sentence(text, pack)
    counted = sentence.form("count", 0)
    if counted is not None and sentence.content(counted) and len(sentence) > SHORT:
        return False  # how many seats are there
    content = [word for word in sentence.words if not (word.empty or pack.is_idle(word.text))]
    return len(content) <= 1 or _asks_of_what(sentence)


def asks_behind(text: str, pack: Pack) -> bool:
    """Return whether a text only asks for a noun, behind a preposition, and not whose that is: in which hall?"""
    sentence = Sentence(text, pack)
    content = list(filter(sentence.content, range(len(sentence)))) if next(pointers(text, pack), None) is None else []
    begins = any(start == 1 and content[:1] == [end] for start, end in sentence.all("which"))
    alone = begins and not any(is_capital(sentence.words[at].text) for at in content[1:])
    return alone and sentence.words[0].empty and len(sentence) - content[0] == len(content) <= SHORT


def _asks_of_what(sentence: Sentence) -> bool:
    """Return whether a question word has no noun after it: how many were released, which has the largest area."""
    order, content = find_order(sentence, either=True), filter(sentence.content, range(len(sentence)))
    ordered = order is not None and all(order.start <= at < order.end for at in content)
    for name in ("count", "which"):
        after = sentence.form(name, 0)
        if after is not None and after < len(sentence) and sentence.words[after].empty:
            following = {word.folded for word in sentence.words[after + 1 : after + 2]}
            whole = not following.isdisjoint(sentence.pack.references.articles)  # which is the largest city
            return name == "count" or not whole or (ordered and sentence.compare("having", after) is not None)
    return False
