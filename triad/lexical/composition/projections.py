"""Projections: what a question asks for, before it is known whose it is.

What stands at the beginning is asked for, as long as it is joined: "the name, the age and the average salary". So is
what stands in a last sentence that demands something, and what a row is wanted for each of.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triad.language.analysis import second_clause
from triad.language.lexical_database import is_verb_only, kinds
from triad.language.normalize import fold
from triad.language.operators import Operator, asks_what_is_done, is_of_frequency
from triad.language.pack import Expected
from triad.lexical.composition import demands
from triad.lexical.composition.demands import counted_again, first_key, further_demands, last_demand, ranks_each
from triad.lexical.composition.elements import Span
from triad.lexical.composition.tagging import TaggedQuestion
from triad.lexical.narrowing import said_to_be

_QUALIFIED: Final = {"text": ("class", "relation"), "thing": ("class", "relation"), "relation": ("class",)}
"""What words of a kind say more about where it stands right behind them."""


@dataclass(frozen=True, slots=True)
class Projection:
    """What is asked for, before it is known whose it is."""

    span: Span | None
    functions: tuple[str, ...] = ()
    """Aggregates of it; ``COUNT`` for how many."""
    key: bool = False
    """True if the question asks for one row for each."""
    said: frozenset[int] = frozenset()
    """The positions of its words."""
    further: bool = False
    """True for a further column of what is asked for: "with their length"."""


def find_projections(tagged: TaggedQuestion) -> Iterator[tuple[list[Projection], set[int]]]:
    """Yield what may be asked for, with the indices of the operators that this accounts for."""
    if tagged.analysis.answer_type == "boolean":
        yield [], set()
        return
    functions, words, used = _functions(tagged)
    first = first_key(tagged)
    region = _region(tagged, first)
    further = [at for at in _beside(tagged) if at not in region]
    projections, summed = _with_totals(tagged, _projections(tagged, [*region, *further], functions, words), used)
    spans = [tagged.spans[at] for at in further]
    projections = [replace(one, further=one.span in spans) for one in projections]
    ranked = not functions and ranks_each(tagged.wording, tagged.operators)
    for span, spot in _keys(tagged, bool(functions)):
        if tagged.spans.index(span) in region:
            projections = [
                replace(one, key=True, said=one.said | spot) if one.span is span else one for one in projections
            ]
        elif span is first and not functions:
            alone = [Projection(span, key=ranked, said=spot)] if len(projections) == 1 else []
            projections = [*alone, *projections]  # whose that is; several say what a row has
        elif (ranked and len(projections) == 1) or _is_counted(tagged, projections):
            projections.insert(0, Projection(span, (), key=True, said=spot))
        elif (told := projections[0].span if len(projections) == 1 else None) is None:
            continue
        elif _may_be_summed(tagged, projections[0], told) and not tagged.schema.has(span.iri, told.iri):
            projections.insert(0, Projection(span, said=spot))  # costs per workshop, not the price of each car
    plain = not ranked and not any(projection.functions for projection in projections)
    if plain and any(projection.key for projection in projections):
        counted = [one for one in projections if one.span is not None and one.span.kind == "class" and not one.key]
        projections = [replace(one, functions=("COUNT",)) if one in counted else one for one in projections]
    superlative = any(one.kind == "superlative" for one in tagged.operators)
    chosen = superlative and not ranked  # each of what the greatest has
    if chosen and not any(projection.functions for projection in projections):
        projections = [replace(projection, key=False) for projection in projections]
    last = next((one for one in tagged.spans[-1:] if one.kind == "relation"), None)
    ends = last and last.end == len(tagged.analysis.words) and asks_what_is_done(tagged.wording.sentence)
    if last and ends and tagged.schema.value_kind(last.iri) == "number":
        total = tuple(functions.get(tagged.spans.index(last), ()))
        yield [Projection(last, total, said=frozenset(last.positions))], used  # what did the treatment cost
    expected = tagged.analysis.expected
    choice = tagged.analysis.either and superlative
    if expected and not functions and not tagged.analysis.asked and not choice:
        yield from _expected_projections(tagged, expected, [tagged.spans[at] for at in _beside(tagged)], used)
    elif projections:
        yield projections, summed
        if len(region) > 1 and len(projections) > 1:
            yield [projections[0], *projections[len(region) :]], summed
    else:
        yield [Projection(None)], used


def _functions(tagged: TaggedQuestion) -> tuple[dict[int, list[str]], dict[int, set[int]], set[int]]:
    """Return the aggregates that are asked for, and their words, by the spans that they apply to; and the operators."""
    functions: dict[int, list[str]] = {}
    words: dict[int, set[int]] = {}
    used: set[int] = set()
    begin = last_demand(tagged)
    for index, operator in enumerate(tagged.operators):
        if (span := tagged.operand(operator)) is None or (begin and operator.start < begin):
            continue
        if function := _function(tagged, operator, span):
            at = tagged.spans.index(span)
            if function not in functions.setdefault(at, []):
                functions[at].append(function)
            words.setdefault(at, set()).update(range(operator.start, operator.end))
            used.add(index)
    expected = tagged.wording.pack.expected.all(tagged.wording.sentence.folded)
    asked = {end for _, end, kind in expected if kind == "number"}
    for at, span in enumerate(tagged.spans):  # "how much honey", of harvests without names
        if at not in functions and span.start in asked and span.kind == "relation":
            named = any(map(tagged.wording.names.have_names, tagged.schema.sources(span.iri)))
            if not named and tagged.schema.value_kind(span.iri) == "number":
                functions[at] = ["COUNT"]
    if (again := counted_again(tagged)) is not None and words:
        words[min(words)] |= set(range(again.start, again.end))
    for at, (one, other) in enumerate(itertools.pairwise(tagged.spans)):  # "the average height and weight"
        numeric = other.kind == "relation" and tagged.schema.value_kind(other.iri) == "number"
        joined = numeric and tagged.wording.joined(one.end, other.start) == "and"
        if joined and functions.get(at) == ["AVG"] and at + 1 not in functions:
            functions[at + 1] = ["AVG"]
    return functions, words, used


def _function(tagged: TaggedQuestion, operator: Operator, span: Span) -> str:
    """Return the aggregate that an operator asks for; nothing if it is a condition."""
    if operator.kind == "count":
        ends = max((one.end for one in tagged.operators if one.end <= operator.start), default=operator.start)
        numeric = span.kind == "relation" and tagged.schema.value_kind(span.iri) == "number"
        if numeric and tagged.wording.joined(ends, operator.start) == "and":
            return "SUM"  # "the greatest and total number of passengers"
        if numeric and any(one.kind == "sort" and one.start < operator.start for one in tagged.operators):
            return ""  # "sorted by the number of people killed"
        ranks = (one for one in tagged.operators if one.kind == "superlative" and one.counted)
        return "" if any(one.start <= operator.start <= one.end + 1 for one in ranks) else "COUNT"
    if span.kind != "relation":
        return ""
    if operator.kind == "aggregate" and span.iri in tagged.schema.amounts:
        return operator.function
    if tagged.schema.value_kind(span.iri) not in ("number", "date"):
        return ""
    if operator.kind == "aggregate":
        ranked = any(one.kind == "superlative" and one.end == operator.start for one in tagged.operators)
        if ranked and any(one.end <= operator.start for one in tagged.spans):
            return ""  # "which department has the highest average salary"
        return "" if operator.function == "AVG" and tagged.wording.beyond(operator) else operator.function
    counted = operator.counted and not operator.measures
    value = operator.kind == "superlative" and not (counted or is_of_frequency(operator, tagged.wording.pack))
    if tagged.schema.value_kind(span.iri) == "date" and not span.exact:
        value &= {tagged.wording.pack.english.stem("size")} not in operator.measures  # the biggest is not the last
    if value and (operator.first, operator.count) == (1, 1) and _asks_value(tagged, operator, span):
        return "MAX" if operator.descending else "MIN"
    return ""


def _projections(
    tagged: TaggedQuestion, region: Sequence[int], functions: dict[int, list[str]], words: dict[int, set[int]]
) -> list[Projection]:
    """Return what the spans of the region ask for, and those that aggregates apply to."""
    projections: list[Projection] = []
    for place, at in enumerate([*region, *(at for at in functions if at not in region)]):
        span = tagged.spans[at]
        behind = [
            tagged.spans[one] for one in region[place + 1 : place + 2] if span.kind == "class" and at not in functions
        ]
        if at in region and any(one.kind == "relation" and one.start == span.end for one in behind):
            continue  # "building descriptions" asks for no buildings
        before = tagged.spans[region[place - 1]] if place and at in region else None
        right_after = before is not None and before.end == span.start and before.kind in ("class", "thing", "relation")
        if span.kind == "name" and right_after:
            continue  # the building names are the buildings
        said = frozenset(words.get(at, ())) | frozenset(span.positions)
        projections.append(Projection(span, tuple(functions.get(at, ())), said=said))
    return projections


def _with_totals(tagged: TaggedQuestion, asked: list[Projection], used: set[int]) -> tuple[list[Projection], set[int]]:
    """Return the projections with sums where a total is asked for, how many in total, and the operators used then."""
    for index, operator in enumerate(tagged.operators):
        if operator.kind == "aggregate" and operator.function == "SUM" and index not in used:
            said = frozenset(range(operator.start, operator.end))
            summed = [one.span is not None and _may_be_summed(tagged, one, one.span) for one in asked]
            pairs = [(one, replace(one, functions=("SUM",), said=one.said | said)) for one in asked]
            asked = [total if sums else one for (one, total), sums in zip(pairs, summed, strict=True)]
            used = used | {index} if any(summed) else used
    return asked, used


def _may_be_summed(tagged: TaggedQuestion, projection: Projection, span: Span) -> bool:
    if span.kind != "relation" or projection.further:
        return False
    functions = projection.functions
    return functions == ("COUNT",) or (not functions and tagged.schema.value_kind(span.iri) == "number")


def _is_counted(tagged: TaggedQuestion, projections: Sequence[Projection]) -> bool:
    """Return whether what is asked for can be counted for each of something: "packages per maintainer"."""
    superlative = any(one.kind == "superlative" for one in tagged.operators)
    alone = not superlative and [one.span.kind if one.span else "" for one in projections] == ["class"]
    return not projections or alone or any(projection.functions for projection in projections)


def _keys(tagged: TaggedQuestion, counting: bool) -> Iterator[tuple[Span, frozenset[int]]]:
    """Yield what the question asks for a row each of: "for each country", "the number of packages by licence"."""
    for operator in tagged.operators:
        if operator.kind == "each" and (span := tagged.operand(operator)) is not None:
            yield span, frozenset(range(operator.start, operator.end)) | frozenset(span.positions)
    ranked = any(one.kind in ("superlative", "sort") for one in tagged.operators)
    for at in range(len(tagged.analysis.words) if counting and not ranked else 0):
        end = tagged.wording.sentence.compare("by", at)
        span = next((one for one in tagged.spans if one.start == end), None)
        if end is not None and span is not None and span.kind in ("relation", "class") and at > tagged.spans[0].start:
            near = next((one for one in tagged.spans if one.start >= span.end), None)
            said = kinds(tagged.analysis.words[at - 1].folded) if any(one.end == at for one in tagged.spans) else ""
            if near is None and ("v" not in said or "n" in said):  # and not who does something: requested by
                yield span, frozenset(range(at, end)) | frozenset(span.positions)


def _asks_value(tagged: TaggedQuestion, operator: Operator, span: Span) -> bool:
    """Return whether a superlative asks for the greatest value itself: the maximum age, the highest price."""
    owners = (one for one in tagged.spans if one.kind == "class" and one.start == span.end)  # the last founded company
    words = tagged.analysis.words
    plain = (one for one in owners if not any("v" in kinds(word.folded) for word in words[one.end : one.end + 1]))
    if any(not is_verb_only(words[one.start].folded) for one in plain) or _asks_owner(tagged, operator):
        return False
    key = first_key(tagged)
    earlier = tagged.spans[tagged.spans.index(key) + 1 if key else 0 : tagged.spans.index(span)]
    before = [one for one in earlier if (one.kind, one.end) != ("class", span.start)]
    ends = [one.start for one in before[1:]]
    ends += [operator.start if before and before[-1].end <= operator.start else span.start]
    pairs = zip(before, ends, strict=False)
    return all(one.kind in ("relation", "name") and tagged.wording.joined(one.end, end) for one, end in pairs)


def _asks_owner(tagged: TaggedQuestion, operator: Operator) -> bool:
    """Return whether a superlative asks for what has the value, and not for the value: who has the highest salary."""
    sentence, verbs = tagged.wording.sentence, tagged.wording.pack.forms["copula"]
    having = (sentence.compare("having", at) for at in range(1, operator.start) if verbs.end(sentence.folded, at))
    has = any(end is not None and operator.start - end <= 1 for end in having)
    opens = all(at in tagged.analysis.used or tagged.analysis.words[at].empty for at in range(operator.start))
    return bool(tagged.analysis.expected & {"person", "organisation"}) or (has and opens)


def _region(tagged: TaggedQuestion, first: Span | None) -> list[int]:
    """Return the indices of the spans that say what is asked for: the first ones, as long as they are joined."""
    region: list[int] = []
    begin = max(last_demand(tagged), first.end if first else 0)
    stops = [bound[0].start for bound in tagged.bounds]
    stops += [one.start for one in tagged.operators if one.kind in ("not", "sort")]
    limit = min(stops, default=len(tagged.analysis.words))
    limit = limit if limit > begin else len(tagged.analysis.words)
    superlatives = [one for one in tagged.operators if one.kind == "superlative"]
    choosing = superlatives if tagged.analysis.either else []
    chosen_by = [tagged.operand(one) for one in choosing if one.counted]
    chosen_by += [tagged.operand(one) for one in superlatives if _asks_owner(tagged, one)]
    begins = {one.start for one in choosing}
    chosen_by += [span for span in tagged.spans if span.kind == "relation" and span.end in begins]
    forms = (one for one in tagged.operators if one.kind in ("count", "aggregate", "superlative", "both"))
    operators = {at for one in forms for at in range(one.start, one.end)}
    owner: Span | None = None
    for at, span in enumerate(tagged.spans):
        if span.start < begin or (not region and span in chosen_by):
            continue  # "which has more inhabitants, France or Italy" asks for a country, "who was born later" for one
        if span.start >= limit and region:
            break
        if not region:
            after = next(iter(tagged.spans[at + 1 :]), None)
            gap = after.start - span.end if after is not None else len(tagged.analysis.words)
            qualifies = after is not None and gap == 0 and after.kind in _QUALIFIED.get(span.kind, ())
            does = span.kind == "text" and tagged.analysis.answer_type == "select"
            if qualifies and not (does and is_verb_only(tagged.analysis.words[span.end].folded)):
                continue  # "Python packages", "the least downloaded package", and not "which doctor joined"
            if span.kind != "thing" or gap > 1:  # and not "Kyle's friends"
                region.append(at)
            continue
        before, owner = owner or tagged.spans[region[-1]], None
        between = range(before.end, span.start)
        content = [one for one in between if one not in operators and not tagged.analysis.words[one].empty]
        plain = [one for one in between if one not in operators]
        compound = not between and (span.kind != "relation" or tagged.schema.is_literal(span.iri))
        if compound and span.kind == "relation" and _is_said_of(tagged, at):
            break  # "buildings managed by Emma", "pilots aged 30"
        end = before.end + len(plain) if len(plain) < len(between) else span.start
        joined = bool(tagged.wording.joined(before.end, end))
        ands = (tagged.wording.sentence.compare("and", one) for one in between)
        joined |= bool(operators & set(between)) and (any(ands) or "," in tagged.wording.gap(before.end, span.start))
        if compound or (joined and len(content) <= 1):
            if span.kind in ("thing", "text"):
                break
            region.append(at)
            continue
        names = all(tagged.spans[one].kind == "name" for one in region)
        if (names or (before.kind == "name" and tagged.is_of(before, span))) and _is_noun(tagged, span):
            region = [at] if names else [*region[:-1], at]  # "names of singers" are the singers
            continue
        if _owns_both(tagged, before, at):
            owner = span
            continue
        break
    return region


def _owns_both(tagged: TaggedQuestion, before: Span, at: int) -> bool:
    """Return whether what is asked for goes on after what has it: the themes *of parties* and the names of hosts."""
    span, after = tagged.spans[at], next(iter(tagged.spans[at + 1 :]), None)
    if after is None or after.kind not in ("relation", "name") or (before.kind, span.kind) != ("relation", "class"):
        return False
    return tagged.is_of(before, span) and tagged.wording.joined(span.end, after.start) == "and"


def _is_noun(tagged: TaggedQuestion, span: Span) -> bool:
    """Return whether a span is a class, or a relation to texts by the noun for them: the names of directors."""
    words = tagged.analysis.words[span.start : span.end]
    is_text = span.kind == "relation" and tagged.schema.value_kind(span.iri) == "text"
    nouns = tagged.wording.names.nouns_of(span.iri) if is_text else ()
    return span.kind == "class" or any(fold(word.text) in nouns for word in words)


def _beside(tagged: TaggedQuestion) -> list[int]:
    """Return the indices of the spans that further columns are asked for by: "with their length", "and by whom"."""
    starts = [(one.end, frozenset[Expected]()) for one in tagged.operators if one.kind == "beside"]
    pack = tagged.wording.pack
    starts += [(end, frozenset[Expected]()) for end in further_demands(tagged)]
    if clause := second_clause(tagged.analysis, pack):
        keys = [pack.key(word.text) for word in tagged.analysis.words]
        starts.append((clause[1], frozenset(kind for _, kind in pack.expected.at(keys, clause[1]))))
    found: list[int] = []
    for start, expected in starts:
        end: int | None = None
        for at, span in enumerate(tagged.spans):
            if span.start < start or span.kind not in ("relation", "class", "name"):
                continue
            if expected and not (span.kind == "relation" and _answers(tagged, span, expected)):
                continue
            if end not in (None, span.start) and not tagged.wording.joined(end, span.start):
                break
            found.append(at)
            end = span.end
        if end is None and expected:  # the clause leaves its verb out: "founded in the 1970s, and by whom"
            steps = [one for one in tagged.spans if one.kind == "relation" and not tagged.schema.is_literal(one.iri)]
            found += [tagged.spans.index(one) for one in steps if _answers(tagged, one, expected)][-1:]
    return found


def _is_said_of(tagged: TaggedQuestion, at: int) -> bool:
    """Return whether a relation stands before the value or the bound that it has, or says by itself what is so."""
    span, words = tagged.spans[at], tagged.analysis.words
    if span.iri in tagged.schema.truths:
        return True  # "persons retired"
    capitals = [words[one].text[0].isupper() for one in (span.start - 1, span.start)]
    if tagged.wording.pack.data.capital_nouns and capitals == [True, False]:
        return True  # "welches Werk dauert"
    done = is_verb_only(words[span.end - 1].folded) if tagged.analysis.language == "en" else not span.exact
    done &= tagged.spans[at - 1].kind == "class"
    if done and all(tagged.operand(one) is not span for one in tagged.operators):
        return True  # "customers joined"
    after = tagged.spans[at + 1] if at + 1 < len(tagged.spans) else None
    if after is not None and after.kind == "text" and after.iri == span.iri and after.start - span.end <= 2:
        return True
    near = range(span.end, span.end + 2)
    chosen = (one for one in tagged.operators if one.counted or (one.kind == "superlative" and one.start == span.end))
    if any(one.start in near and tagged.operand(one) is None for one in chosen):
        return True  # "the plant produced the most", "which opera premiered first"
    if any(one.start == span.end for one in tagged.analysis.comparisons):
        return True  # "hives yield more than that one"
    bounded = any(bound[0].start in near for bound in tagged.bounds)
    return bounded or any(word.text[:1].isdigit() for word in words[span.end : span.end + 2])


def _expected_projections(
    tagged: TaggedQuestion, expected: frozenset[str], further: Sequence[Span], used: set[int]
) -> Iterator[tuple[list[Projection], set[int]]]:
    """Yield what "who", "when", "where" and "how much" may ask for, with further columns."""
    columns = [Projection(span, said=frozenset(span.positions), further=True) for span in further]
    counting = (tagged.operand(one) for one in tagged.operators if one.kind == "superlative" and one.counted)
    counted = {one.iri for one in counting if one is not None and tagged.schema.is_literal(one.iri)}
    who, called = expected & {"person", "organisation"}, said_to_be(tagged.analysis, tagged.wording.pack)
    names = tagged.wording.names
    for span in tagged.spans:
        if span in further or span.iri in counted:
            continue
        person = names.is_person(span.iri) or (span.exact and span.end - 1 in called)
        if span.kind == "text" and who and any(map(names.are_facts, tagged.schema.sources(span.iri))):
            yield [Projection(span, said=frozenset(span.positions)), *columns], used  # who chairs it: its chair
        if (person and who) if span.kind == "class" else span.kind == "relation" and _answers(tagged, span, expected):
            summed = expected == {"number"} and not columns and demands.is_of_several(tagged, span)
            one = Projection(span, ("SUM",) if summed else (), said=frozenset(span.positions))
            yield _with_totals(tagged, [one, *columns], used)
    yield [Projection(None), *columns], used


def _answers(tagged: TaggedQuestion, span: Span, expected: frozenset[str]) -> bool:
    """Return whether the values of a relation are of a kind that the question expects."""
    if (kind := tagged.schema.value_kind(span.iri)) == "date":
        return "date" in expected
    if kind == "number":
        return "number" in expected or "date" in expected
    return span.iri not in tagged.schema.truths and bool(expected & {"person", "organisation", "place", "text"})
