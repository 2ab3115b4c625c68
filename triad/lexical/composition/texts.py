"""Texts that a question gives in its own words: what a name contains, how it begins, a value between quotes.

The label index knows the names and values of the graph. It does not know "Dummy" of "films with the word 'Dummy' in
their titles", nor the "London" that three airports have in their names. Such words are spans of the kind ``part``; they
limit the relation that is named beside them, or else the names of the things.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from triad.grouping import grouped
from triad.language.analysis import Analysis
from triad.language.lexical_database import is_known
from triad.language.normalize import fold
from triad.language.tokens import Sentence
from triad.lexical.composition.elements import INDIRECT, NEARLY, Constraint, Part, Span, Thing
from triad.lexical.composition.names import Names
from triad.lexical.composition.parse import Parse
from triad.lexical.composition.wording import NEAR
from triad.lexical.mention_detection import LinkedMention

_QUOTED: Final = re.compile(r"(?<!\w)[\"“„«‘‚'*](?P<text>[^\"“”„«»*]+?)[\"“”»’'*](?!\w)")
_WAYS: Final[dict[str, Part]] = {"containing": "within", "starting": "start", "ending": "end"}


def find_parts(analysis: Analysis, names: Names, mentions: Iterable[LinkedMention]) -> Iterator[Span]:
    """Yield the texts that a question gives, and the words that several things of one class have in their names."""
    mentions, words = list(mentions), analysis.words
    pack = names.packs[0]
    sentence = Sentence(analysis.text, pack)
    places = (match.span("text") for match in _QUOTED.finditer(analysis.text))
    within = ([at for at, one in enumerate(words) if one.start >= start and one.end <= end] for start, end in places)
    quotes = [(inside[0], inside[-1] + 1) for inside in within if inside]
    called = {at for at, word in enumerate(words) if names.asks_for_names(word.text)}
    for start, end in quotes:
        text = analysis.said(start, end)
        if (found := _introduced(sentence, start) or _followed(sentence, names, end)) is not None:
            first, last, part = found
            yield Span("part", min(first, start), max(last, end), "", 1.0, text=text, part=part)
        elif not any(one.candidate.exact and (one.start, one.end) == (start, end) for one in mentions):
            yield Span("part", start, end, "", NEARLY, text=text, part="whole")
    quoted = {at for start, end in quotes for at in range(start, end)}
    for at in range(len(words)):
        for name, part in _WAYS.items():
            if (after := sentence.compare(name, at)) is None:
                continue
            start = sentence.compare("wording", after) or after
            quote = next((one for one in quotes if after <= one[0] <= after + NEAR), None)
            if quote is not None:  # the French word "Moulin"
                yield Span("part", at, quote[1], "", 1.0, text=analysis.said(*quote), part=part)
                continue
            follows = start < len(analysis.words) and start not in quoted
            if not follows or (start == after and called.isdisjoint(range(at - NEAR, at))):
                continue  # and not "whose name contains"
            end = _run(analysis, start)
            yield Span("part", at, end, "", 1.0, text=analysis.said(start, end), part=part)
        given = sentence.compare("wording", at)
        if given is None or given >= len(analysis.words) or given in quoted:
            continue
        end = _run(analysis, given)
        if (found := _followed(sentence, names, end)) is not None:  # the word Dummy in their titles
            yield Span("part", at, found[1], "", 1.0, text=analysis.said(given, end), part=found[2])
    yield from _shared(analysis, names, mentions)


def _introduced(sentence: Sentence, at: int) -> tuple[int, int, Part] | None:
    """Return where the words begin that introduce a text, and how it stands in what is meant."""
    wording = _phrase_before(sentence, "wording", at)
    for name, part in _WAYS.items():
        if (start := _phrase_before(sentence, name, at if wording is None else wording)) is not None:
            return start, at, part
    return None if wording is None else (wording, at, "within")


def _phrase_before(sentence: Sentence, name: str, end: int) -> int | None:
    """Return where a phrase begins that ends at a position, or before one function word there."""
    for stop in (end, end - 1):
        if stop < end and (stop < 0 or sentence.content(stop)):
            break
        for start in range(max(0, stop - NEAR), stop):
            if sentence.compare(name, start) == stop:
                return start
    return None


def _followed(sentence: Sentence, names: Names, at: int) -> tuple[int, int, Part] | None:
    """Return where the words end that say after a text how it stands in what is meant: "in their names"."""
    for name, part in _WAYS.items():
        if (after := sentence.compare_after(name, at)) is None:
            continue
        following = range(after, min(len(sentence), after + NEAR))
        if part != "within" or any(names.asks_for_names(sentence.words[one].text) for one in following):
            return at, after, part
    return None


def _run(analysis: Analysis, start: int) -> int:
    """Return where a text without quotes ends: with the run of content words, but after one word at least."""
    end = start + 1
    while end < len(analysis.words) and not analysis.words[end].empty:
        if analysis.text[analysis.words[end - 1].end : analysis.words[end].start].strip():
            break
        end += 1
    return end


def _shared(analysis: Analysis, names: Names, mentions: Sequence[LinkedMention]) -> Iterator[Span]:
    """Yield words in the names of several things of a class, and the name of none, for these: a Nobel Prize."""
    spans = grouped(((one.start, one.end), one.candidate) for one in mentions if one.candidate.kind == "entity")
    pack, schema = names.packs[0], names.schema
    for (start, end), found in spans.items():
        said = pack.stem_list(analysis.said(start, end))
        if not any(map(str.isalpha, "".join(said))) or any(thing.exact for thing in found):
            continue  # a number is no part of a name
        words = analysis.words[start:end]
        if analysis.language == "en" and all(word.text.islower() and is_known(word.folded) for word in words):
            continue  # a common word says what it means, whatever is called by it: mountains, space
        texts: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for thing in found:
            name = {pack.stem(word): word for word in fold(thing.matched or thing.label).split()}
            for iri in thing.types if not thing.exact and name.keys() > set(said) else ():  # a longer name
                if iri in schema.classes:
                    texts[iri, " ".join(name[stem] for stem in said)].add(thing.iri)
        for (iri, text), things in texts.items():
            if len(things) > 1 and schema.name_of(iri) is not None:
                yield Span("class", start, end, iri, INDIRECT, text=text, part="within", exact=False)


def place_parts(parse: Parse) -> None:
    """Make constraints of the texts that a question gives."""
    for span in parse.tagged.parts:
        if (found := _beside(parse, span)) is None:
            continue
        thing, relation, said = found
        said |= frozenset(span.positions)
        if not span.part or span.part == "whole":
            parse.constraints.append(Constraint(thing.id, relation, options=(span.text,), said=said))
        else:
            parse.constraints.append(Constraint(thing.id, relation, contained=(span.text,), place=span.part, said=said))
    for span in parse.tagged.spans:
        called = parse.schema.name_of(span.iri) if span.kind == "class" and span.part else None
        if called is not None:
            own, words = parse.of_span[id(span)], tuple(span.text.split())
            parse.constraints.append(Constraint(own, called, contained=words, said=frozenset(span.positions)))


def _beside(parse: Parse, span: Span) -> tuple[Thing, str, frozenset[int]] | None:
    """Return the things and the relation of theirs that a text is a value, or a part of a value, of."""
    spans = parse.tagged.spans
    near = _anchor(spans, span)
    said = frozenset[int]()
    if near is not None and near.kind == "name":
        said, near = frozenset(near.positions), _named(spans, near, span)
    if (thing := parse.thing_of(near)) is None and near is not None and near.kind == "relation":
        thing = parse.owner(near.iri, near)
        parse.taken.add(id(near))
        said |= frozenset(near.positions)
        if parse.schema.is_literal(near.iri):
            return thing, near.iri, said
        thing = parse.end(thing, near.iri, near)
    thing = thing or next((one for one in parse.things if not one.terms), None)
    relation = parse.schema.name_of(thing.cls) if thing is not None else None
    if thing is not None and relation is not None:
        return thing, relation, said
    texts = [one for one in spans if one.kind == "relation" and one.end <= span.start]
    other = next((one for one in reversed(texts) if parse.schema.value_kind(one.iri) == "text"), None)
    return (parse.owner(other.iri, other), other.iri, said) if other is not None else None


def _anchor(spans: Sequence[Span], span: Span) -> Span | None:
    """Return what a text stands beside: words after it if only these say what it is a part of, else words before it."""
    able = [one for one in spans if one.kind in ("name", "relation", "class")]
    before = [one for one in able if one.end <= span.start and span.start - one.end <= NEAR]
    after = next((one for one in able if span.end <= one.start < span.end + NEAR), None)
    if before and before[-1].kind != "class" and span.start - before[-1].end <= NEAR:
        return before[-1]
    if after is not None and after.kind in ("name", "relation") and span.part != "whole":
        return after
    return before[-1] if before else after


def _named(spans: Sequence[Span], name: Span, span: Span) -> Span | None:
    """Return what a word for names speaks of: what stands before it, or after it where nothing does."""
    able = [one for one in spans if one.kind in ("relation", "class")]
    before = [one for one in able if one.end <= name.start and not one.overlaps(span)]
    return before[-1] if before else next((one for one in able if one.start >= name.end), None)
