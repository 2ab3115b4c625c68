"""Taggings: which of the spans that overlap are meant together, by a beam over the words from left to right.

A question as one tagging reads it has these spans, its operators, and what these apply to.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from triad.grouping import grouped
from triad.language.analysis import Analysis
from triad.language.lexical_database import derived, is_plural, is_verb_only, kinds, lemmas
from triad.language.mentions import is_capital
from triad.language.normalize import fold
from triad.language.operators import Bound, Operator
from triad.language.pack import load_pack
from triad.language.recurring import is_recurring
from triad.language.relatedness import is_kind_of
from triad.language.tokens import Word
from triad.lexical.composition.elements import INDIRECT, NEARLY, Span
from triad.lexical.composition.names import Names
from triad.lexical.composition.wording import NEAR, Wording
from triad.lexical.voice import subject_at

_BEAM: Final = 24
_DOING: Final = frozenset(("make", "give", "place"))
_KEPT: Final = 12
_LONGER: Final = 0.1  # for each word after the first of a span: longer names are surer
_WORD: Final = 0.7  # for each word of an operator or a bound, and against one that nothing accounts for


@dataclass(frozen=True, slots=True)
class Tagging:
    """A way to account for the words of a question."""

    spans: tuple[Span, ...]
    """In the order of the text, none over another."""
    operators: tuple[Operator, ...]
    bounds: tuple[Bound, ...]
    score: float


def find_taggings(
    analysis: Analysis, spans: Sequence[Span], operators: Sequence[Operator], bounds: Sequence[Bound], names: Names
) -> list[Tagging]:
    """Return the best taggings, the best first."""
    size = len(analysis.words)
    nouns = (one for one in spans if one.kind == "class" and not is_verb_only(analysis.words[one.end - 1].folded))
    called = {(one.start, fold(one.text)) for one in nouns if one.exact}
    # What could be taken for the same as the class behind it says which of its things are meant: cargo ships.
    nouns_at = {one.start for one in spans if "n" in kinds(analysis.words[one.end - 1].folded)}
    spans = [one for one in spans if one.exact or one.start not in nouns_at or (one.end, fold(one.text)) not in called]
    relations = [one for one in spans if one.kind == "relation"]
    numeric = {one.end for one in relations if names.schema.value_kind(one.iri) == "number"}
    averaged = {(one.start, one.end) for one in operators if one.kind == "aggregate" and one.start in numeric}
    spans = [one for one in spans if one.kind != "text" or (one.start, one.end) not in averaged]  # durée moyenne
    literal = [one for one in relations if fold(one.text) == fold(analysis.said(one.start, one.end))]
    named = [(frozenset(one.positions), one.iri) for one in literal]
    parts = [one for one in relations if any({*one.positions} < at and one.iri != iri for at, iri in named)]
    whole = [_whole(one, operators, analysis, names) for one in spans if one not in parts]
    starting = grouped((one.start, one) for one in _best([*whole, *_compounds(whole, analysis, names)]))
    apart = (
        one
        for one in operators
        if not (one.kind == "sort" and _leads_to_name(one, spans, analysis))
        and not (one.kind == "both" and any(one.start in at for at, _ in named))  # the vote share
    )
    of_operators = grouped((one.start, one) for one in apart)
    of_bounds = {bound[0].start: bound for bound in bounds}
    # A state is the score with what was chosen; a bound lets spans stand in its words, for they may name its measure.
    beams: list[list[tuple[float, tuple[object, ...]]]] = [[] for _ in range(size + 1)]
    beams[0].append((0.0, ()))
    for at in range(size):
        for score, chosen in sorted(beams[at], key=lambda state: -state[0])[:_BEAM]:
            beams[at + 1].append((score + (0.0 if analysis.words[at].empty else -_WORD), chosen))
            for span in starting.get(at, ()):
                content = sum(not analysis.words[one].empty for one in span.positions)
                gain = span.score * content + _LONGER * (content - 1) - (0.3 if span.inside else 0.0)
                beams[span.end].append((score + gain, (*chosen, span)))
            for operator in of_operators.get(at, ()):
                gain = _WORD * sum(not analysis.words[one].empty for one in range(at, operator.end)) + 0.3
                beams[operator.end].append((score + gain, (*chosen, operator)))
            if (bound := of_bounds.get(at)) is not None:
                core = bound_end(analysis, bound)
                content = sum(not analysis.words[one].empty for one in range(at, core))
                beams[core].append((score + _WORD * max(1, content), (*chosen, bound)))
    ranked = sorted(beams[size], key=lambda state: -state[0])
    forms: dict[frozenset[int], tuple[float, tuple[object, ...]]] = {}
    for state in ranked:
        # Words of an operator may be a part of a name, too: "total population".
        forms.setdefault(frozenset(id(one) for one in state[1] if not isinstance(one, Span)), state)
    kept = [*ranked[:_KEPT], *(state for state in forms.values() if state not in ranked[:_KEPT])]
    return [
        Tagging(
            tuple(one for one in chosen if isinstance(one, Span)),
            tuple(one for one in chosen if isinstance(one, Operator)),
            tuple(one for one in chosen if isinstance(one, tuple)),
            score,
        )
        for score, chosen in kept
    ]


def without_idle_parts(
    analysis: Analysis, spans: Sequence[Span], operators: Sequence[Operator], names: Names
) -> tuple[Analysis, list[Span]]:
    """Leave out the adjective that only asks for the quantity after it, and a verb of words that only connect.

    How *large* is the population, and what *took place*, where no longer name has these words. So is the verb of a name
    before a superlative: who *won* the most seats, by the seats won. What is *still* open is open.
    """
    words, pack = list(analysis.words), names.packs[0]
    keys = [pack.key(word.text) for word in words]
    named = {at for one in spans if one.exact and one.end - one.start > 2 for at in one.positions}
    pairs = [(at, words[at].folded, words[at + 1].folded) for at in range(len(words) - 1) if at not in named]
    pairs = [(at, one, other) for at, one, other in pairs if pack.connecting.issuperset((one, other))]
    acts = [at for at, one, other in pairs if any("v" in kinds(f"{base} {other}") for base in lemmas(one))]
    said = {at + part for at in acts for part in (0, 1)}
    exact = {at for one in spans if one.exact for at in one.positions}
    classes = (one for one in spans if one.kind == "class" and one.exact)
    said.update(at for one in classes for at in _supporting(words, one, names) if at not in exact)
    for sense in analysis.senses if pack is not pack.english and not analysis.by_date else ():
        last = words[sense.end - 1]
        verb = sense.end - sense.start > 1 or pack.may_be_verb(last.text, last.stem)
        if verb and sense.stems == pack.english.stems("take place") and not analysis.expected - {"number"}:
            said.update(at for at in range(sense.start, sense.end) if at not in exact)  # ont lieu
    near = [one for one in spans if one.score >= NEARLY and words[one.start].text.islower()]
    values = {one.start for one in near if one.kind in ("text", "thing") or one.kind_by}
    said.update(one for at, end, _ in pack.forms["still"].all(keys) if end in values for one in range(at, end))
    for at, end, _ in pack.forms["how"].all(keys):
        degree = pack.plain.longest([word.stem for word in words], end)
        noun = next((one for one in range(degree[0], len(words)) if not words[one].empty), None) if degree else None
        sizes = (one for one in spans if one.kind == "relation" and one.start == noun and one.score >= INDIRECT)
        if degree and any(names.schema.value_kind(one.iri) == "number" for one in sizes):
            said.update(range(at, degree[0]))
    ranked = [
        replace(one, start=best.end)
        for one, best in product(spans if pack is pack.english else (), operators)
        if (one.kind, best.kind) == ("relation", "superlative") and one.start < best.start and best.end < one.end
        if words[best.end - 1].folded not in fold(one.text).split()
    ]
    said.update(one.start for one in spans for other in ranked if one.end == other.end and one.start < other.start)
    emptied = tuple(replace(word, empty=True) if at in said else word for at, word in enumerate(words))
    return replace(analysis, words=emptied), [*(one for one in spans if said.isdisjoint(one.positions)), *ranked]


def _supporting(words: Sequence[Word], span: Span, names: Names) -> Iterator[int]:
    """Yield verbs that say nothing beside an English noun for what is done: *made* a donation, visits were *made*.

    A noun that is a verb, too, is one for what is done where that has no name: which orders she *placed*.
    """
    noun, pack = words[span.end - 1].folded, names.packs[0]
    deed = any("v" in kinds(base) for base in derived(noun)) and "v" not in kinds(noun)
    deed |= "v" in kinds(noun) and names.are_facts(span.iri)
    done = pack is pack.english and deed and not is_kind_of(noun, "person")
    content = [at for at, word in enumerate(words) if not (word.empty or at in span.positions)]
    before, after = [at for at in content if at < span.start][-1:], [at for at in content if at >= span.end]
    near = [*before, *(after if span.end in range(subject_at(words)) else after[:1])]  # which orders did she place
    yield from (at for at in near if done and not _DOING.isdisjoint(lemmas(words[at].folded)))


def _whole(span: Span, operators: Iterable[Operator], analysis: Analysis, names: Names) -> Span:
    """Return a relation with the "for each" that is part of its name: the price per metre."""
    for one in operators if span.kind == "relation" else ():
        if one.kind == "each" and one.end <= span.start:
            said = fold(analysis.said(one.start, span.end))
            if any(said in fold(name.text) for name in names.of(span.iri)):
                return replace(span, start=one.start, score=max(NEARLY, span.score))
    return span


def _leads_to_name(operator: Operator, spans: Iterable[Span], analysis: Analysis) -> bool:
    """Return whether a name stands behind words that sort, which is no key: ordered by Ann."""
    here = [one for one in spans if one.start == operator.end]
    keys = [one.end for one in here if one.kind in ("class", "relation", "name")]
    named = any(one.kind in ("thing", "text") and one.end > max(keys, default=0) for one in here)
    return named and is_capital(analysis.words[operator.end].text)


def bound_end(analysis: Analysis, bound: Bound) -> int:
    """Return where the words of a bound itself end: those after the number may name what is compared."""
    comparison, pack = bound[0], load_pack(analysis.language)
    if not comparison.measures:
        return comparison.end
    folded = [word.folded for word in analysis.words]
    said = range(comparison.start, comparison.end)
    numbers = [at for at in said if folded[at] in pack.number_words or any(map(str.isdigit, folded[at]))]
    if numbers and not is_recurring(comparison.date):
        after = numbers[-1] + 1
        ends = (pack.compare[name].longest(folded, after) for name in ("or_more", "or_less"))
        return max((found[0] for found in ends if found and found[0] <= comparison.end), default=after)
    end = comparison.end
    while end - 1 > comparison.start and not analysis.words[end - 1].empty:
        end -= 1
        if end - comparison.start <= 2:
            break
    return end


def _compounds(spans: Iterable[Span], analysis: Analysis, names: Names) -> Iterator[Span]:
    """Yield what is called by two nouns that are one word of English, or by people and what was done to them.

    The stations are by "train stations", and the numbers of the injured by "people injured".
    """
    classes = [one for one in spans if one.kind == "class" and one.exact]
    taken = {(one.start, one.end) for one in classes}
    for one, head in product(classes, spans):
        if one.iri == head.iri or not head.exact or (one.start, head.end) in taken or head.start < one.end:
            continue
        said, people = analysis.words[head.end - 1].folded, analysis.words[one.end - 1].folded
        if head.kind == "class":
            called = one.end == head.start and bool(lemmas(analysis.said(one.start, head.end)))
        else:
            done = "v" in kinds(said) and said not in lemmas(said)[:1] and "person" in (people, *lemmas(people))
            numeric = head.kind == "relation" and names.schema.value_kind(head.iri) == "number"
            called = numeric and done and all(word.empty for word in analysis.words[one.end : head.start])
        if called:
            yield replace(head, start=one.start, score=NEARLY * head.score)


def _best(spans: Iterable[Span]) -> list[Span]:
    """Return the spans without the poorer ones where many name the same words."""
    kept = []
    for group in grouped(((span.start, span.end, span.kind), span) for span in spans).values():
        group.sort(key=lambda span: (-span.score, span.iri))
        kept += [span for span in group if span.score >= 0.75 * group[0].score]
    return kept


class TaggedQuestion:
    """A question whose words one tagging accounts for."""

    def __init__(self, wording: Wording, tagging: Tagging) -> None:
        self.wording = wording
        self.analysis = wording.analysis
        self.schema = wording.schema
        self.spans = [span for span in tagging.spans if span.kind not in ("source", "part")]
        self.parts = [span for span in tagging.spans if span.kind == "part"]
        self.operators = list(tagging.operators)
        self.bounds = list(tagging.bounds)
        self.tagging = tagging

    def operand(self, operator: Operator) -> Span | None:
        """Return the span that an operator applies to: the next one, with nothing but operators between.

        An average may stand behind what it is of: la taille moyenne des joueuses.
        """
        at = operator.end
        behind = operator.kind == "aggregate" and (operator.function == "AVG" or operator.end == operator.start + 1)
        relations = [one for one in self.spans if one.kind == "relation"] if behind else []
        numbers = [one for one in relations if self.schema.value_kind(one.iri) == "number"]
        before = {one.iri for one in numbers if one.end == operator.start}
        if before and not any(one.start >= at for one in numbers):
            return next(one for one in numbers if one.iri in before)  # how much area they cover together
        for span in self.spans:
            nouns = (one.kind in ("class", "relation") for one in self.spans if one.start == span.end)
            if span.start < at or (operator.kind == "count" and span.kind == "thing" and not any(nouns)):
                continue
            between = span.start - at
            skipped = sum(one.end - one.start for one in self.operators if at <= one.start and one.end <= span.start)
            if between - skipped > NEAR or any(at <= bound[0].start < span.start for bound in self.bounds):
                return None
            return self._qualified(span, operator)
        return None

    def is_of(self, before: Span, span: Span) -> bool:
        """Return whether "of" joins what two spans stand for, and articles at most: the votes of the players."""
        of = self.wording.names.packs[0].data.references.of.split()
        between = range(before.end, span.start)
        plain = all(self.analysis.words[one].empty for one in between)
        return plain and bool(between) and self.wording.sentence.folded[before.end] in of

    def _qualified(self, span: Span, operator: Operator) -> Span:
        """Return what a text, a name, a truth or a class before it qualifies: "active users", "channel owners"."""
        at = self.spans.index(span)
        after = self.spans[at + 1] if at + 1 < len(self.spans) else None
        if after is None or after.start != span.end:
            return span
        if span.kind == "class" and after.kind == "relation" and after.exact and self.schema.is_literal(after.iri):
            found = kinds(self.analysis.words[after.end - 1].folded) & {"n", "v"}
            noun = operator.kind in ("aggregate", "each", "superlative")
            noun |= not is_plural(self.analysis.words[span.end - 1].folded)  # how many captain ranks, but captains rank
            return after if found == {"n"} or (noun and "n" in found) else span
        qualified = {"text": ("class", "relation"), "thing": ("class",)}.get(span.kind, ())
        qualified = ("class",) if span.iri in self.schema.truths else qualified
        return after if after.kind in qualified else span
