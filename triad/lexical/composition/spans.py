"""Spans: words of a question, and what of the schema or of the graph they may name.

Classes and relations are found by their names: by stems, with typos, by the synonyms of the language's pack and by the
meanings of the lexical database. Things and texts come from mention detection, which looks them up in the label index.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise, permutations
from typing import Final

from triad.cancelling import check
from triad.language.analysis import Analysis
from triad.language.exonyms import load_naming
from triad.language.glossary import Glossary
from triad.language.lexical_database import is_known, is_verb_only, kinds, lemmas
from triad.language.mentions import is_acronym, is_capital
from triad.language.normalize import fold
from triad.language.pack import Pack
from triad.language.relatedness import OPPOSITE, is_kind_of, is_value_of, relatedness
from triad.language.similarity import are_cognates, is_typo
from triad.language.tokens import Word
from triad.lexical.asked_units import asked_units
from triad.lexical.composition.elements import INDIRECT, NEARLY, Span
from triad.lexical.composition.names import Names
from triad.lexical.composition.value_spans import dated, inflected, is_form, is_of_past, of_kind
from triad.lexical.matching import LEAST_FIT, TYPO_LENGTH
from triad.lexical.mention_detection import Mentions
from triad.lexical.voice import infinitive, is_passive, is_verb_at
from triad.rdf import IRI

_AGENT: Final = 0.8  # of a verb and who does it: to brew, a brewer
_RELATED: Final = OPPOSITE  # words that mean nearly the same are more related
_RELATED_DATE: Final = 0.4  # and of dates, which verbs tell of: earnings are no births
_RELATED_PHRASE: Final = 0.5  # the same of two words, whose heads may be all that is alike
_AMOUNTS: Final = "cost", "money", "amount", "quantity"  # whatever is one of these is a number
_GAP: Final = 2  # function words between two words of a name


def find_spans(analysis: Analysis, names: Names, mentions: Mentions, classes: Mentions) -> list[Span]:
    """Return all that the words of a question may name."""
    best: dict[tuple[str, int, int, str], Span] = {}

    def note(span: Span) -> None:
        key = (span.kind, span.start, span.end, f"{span.iri}\n{fold(span.text) if span.kind == 'text' else ''}")
        if (known := best.get(key)) is None or known.score < span.score:
            best[key] = span

    named = {at for one in mentions if one.candidate.exact and not one.inside for at in one.positions}
    meanings = [*_meanings(analysis, names, named)]
    pack = names.packs[0]
    senses = (one for one in dict.fromkeys((*analysis.senses, *analysis.by_date)) if one.weight < 1)
    several = (one for one in meanings if len(one.stems) > 1 or one.end - one.start > 1)  # others are read together
    meant = ((_meant(names, one.stems, one.start, one.end, one.weight) for one in some) for some in (senses, several))
    by_senses, translated = map(chain.from_iterable, meant)
    further = chain(by_senses, _asked_for(analysis, names), translated)
    for span in chain(_named(analysis, names, named, meanings), further):
        last = analysis.words[span.end - 1]
        if span.kind != "class" or not pack.may_be_verb(last.text, last.stem):
            note(span)
    called = {at for at, word in enumerate(analysis.words) if names.asks_for_names(word.text)}
    for at in called:
        note(Span("name", at, at + 1, "", 1.0))
    for mention in classes:
        thing = mention.candidate
        if thing.iri in names.schema.classes:
            said = " ".join(word.folded for word in analysis.words[mention.start : mention.end])
            own = len(names.packs) == 1 or fold(thing.label) == said
            note(Span("class", mention.start, mention.end, thing.iri, 0.95 * thing.score, exact=thing.exact and own))
    sure = {at for span in best.values() if span.score >= NEARLY for at in span.positions}
    sure.update(one.start for one in mentions if one.start == infinitive(analysis))
    units = (one for one in asked_units(analysis, (), pack) if pack.units[one[2]][0] != "time")  # in metres
    sure.update(at for one in units for at in range(*one[:2]))
    near = (_related(analysis, names, sure, meanings), _abbreviated(analysis, names), _coded(analysis, names, meanings))
    others = (inflected(analysis, names, sure), dated(analysis, names), _mentioned(analysis, mentions, names))
    for span in chain.from_iterable((*near, *others)):
        if span.exact or span.kind != "class" or len(span.positions) == 1 or named.isdisjoint(span.positions):
            note(span)  # "aspirin interacts" is no drug interaction
    steps = {one.positions for one in best.values() if one.kind == "relation"}
    kinds_by = ((one.positions, one.kind_by) for one in best.values() if one.kind_by)
    told = {(at, iri) for at, step in kinds_by for iri in (step.relation, step.target)}  # a woman is no sex
    wholes = [one for one in best.values() if one.kind == "class" and not one.kind_by]
    values = {(one.positions, one.iri): one.score for one in best.values() if one.kind == "text"}  # white, and no color
    kinds_said = {one.positions for one in wholes if one.exact}  # which the graph calls so, and nothing else
    for one, other in permutations(wholes, 2):  # planes are all aircraft rather than the jets
        if one.positions == other.positions and one.score <= other.score and one.iri != other.iri:
            told |= {(one.positions, one.iri)} if names.schema.is_a(one.iri, other.iri) or other.score >= 1 else set()
    folded = [word.folded for word in analysis.words]
    exactly = {one.positions for one in best.values() if one.kind in ("text", "thing") and one.exact}
    no = {at for at in range(1, len(folded)) if pack.forms["negated"].end(folded, at) is not None}
    spelt = _without_other_names(best.values(), analysis, pack) if pack is pack.english else best.values()
    return [
        one
        for one in spelt
        if (not called.issuperset(one.positions) or _is_said(one, analysis))
        and (one.exact or (one.positions, one.iri) not in told)
        and not (one.kind == "relation" and one.score < values.get((one.positions, one.iri), 0.0))
        and (one.kind != "class" or no.isdisjoint(one.positions[1:]))  # farms that are not organic
        and not (one.kind == "text" and one.iri in names.schema.names and one.positions in kinds_said)
        and not (one.kind == "thing" and not one.exact and one.positions in exactly)  # Africa, and not South Africa
        and not (one.kind == "class" and not one.exact and _is_amount(analysis, one, names))
        and not (one.kind == "relation" and is_of_past(one.iri, one.start, analysis, names))
        and not (one.kind == "class" and _is_done(analysis, one, names, acts=one.positions in steps))
    ]


def _without_other_names(spans: Collection[Span], analysis: Analysis, pack: Pack) -> Iterator[Span]:
    """Yield English spans, but not of names that share only stems with what is the very name of something else.

    Performers are no performances, and what is "made of" something is not made for it.
    """
    said = {one for word in analysis.words for one in (word.folded, *lemmas(word.folded))}
    stems = {word.stem for word in analysis.words}

    def content(span: Span) -> tuple[str, ...]:
        return tuple(word for word in fold(span.text).split() if word not in pack.empty and pack.stem(word) in stems)

    terms = [one for one in spans if one.kind in ("class", "relation") and one.exact and content(one)]
    spelt = [one for one in terms if all(said.intersection((word, *lemmas(word))) for word in content(one))]
    whole = {(one.positions, content(one)) for one in spelt if said.issuperset(fold(one.text).split())}
    nouns = {one.positions for one in spelt if kinds(analysis.words[one.end - 1].folded) <= {"n"}}
    for one in spans:
        last = fold(one.text).split()[-1:]  # it may end with another preposition
        part = (one.positions, content(one)) in whole and pack.empty.issuperset(last) and said.isdisjoint(last)
        other = one not in spelt and one.positions in nouns and all(kinds(word) <= {"n"} for word in content(one))
        if one not in terms or not (part or other):
            yield one


def _is_done(analysis: Analysis, span: Span, names: Names, *, acts: bool) -> bool:
    """Return whether a word says what is done to others than those of a class, or with ``acts`` what these do."""
    word, agents = analysis.words[span.end - 1].folded, names.packs[-1].data.kinds
    heads = names.heads(span.iri)
    called = {lemma for head in heads for lemma in (head, *lemmas(head))}
    does = acts and analysis.language == "en" and ("v" in kinds(word) if span.exact else is_verb_only(word))
    said = not span.kind_by and (does or is_passive(analysis, span.end - 1)) and called.isdisjoint(lemmas(word))
    return said and any(is_kind_of(head, one) for head in heads for one in (agents.people[0], agents.groups[0]))


def _is_amount(analysis: Analysis, span: Span, names: Names) -> bool:
    """Return whether the words for a class are nearer to a number: the rent is monthly, and no lease."""
    word = analysis.words[span.end - 1]
    noun = "n" in kinds(word.folded) and not is_verb_at(analysis, span.end - 1)
    return noun and word.stem not in names.stems_of(span.iri) and names.is_amount(word.stem)


def _is_said(span: Span, analysis: Analysis) -> bool:
    """Return whether words that ask for names stand for something else as they are: "name" for neither NAM nor Nama."""
    if span.kind in ("text", "thing"):
        return fold(span.text) == " ".join(word.folded for word in analysis.words[span.start : span.end])
    return span.exact or span.kind != "relation"


def of_glossary(glossary: Glossary, analysis: Analysis, names: Names) -> list[Span]:
    """Return what words of the glossary stand for."""
    spans: list[Span] = []
    for term in glossary.terms(analysis.words, names.packs[0]):
        for iri in term.iris:
            if (one := glossary.defined.get(iri)) and one.value is None and one.cls in names.schema.classes:
                spans.append(Span("class", term.start, term.end, one.cls, 1.0, defined=iri))
            elif iri in names.schema.classes:
                spans.append(Span("class", term.start, term.end, iri, 1.0))
            elif iri in names.schema.relations:
                spans.append(Span("relation", term.start, term.end, iri, 1.0))
    return spans


def _abbreviated(analysis: Analysis, names: Names) -> Iterator[Span]:
    """Yield terms whose names have the initials of words, as mpg has, and classes whose initials are words: MPs."""
    words, empty = analysis.words, names.packs[0].empty
    for at, word in enumerate(words):
        short = word.text.removesuffix("s")
        for name in (one for cls in names.schema.classes for one in names.of(cls)) if is_acronym(short) else ():
            said = fold(name.text).split()
            whole, content = "".join(one[0] for one in said), "".join(one[0] for one in said if one not in empty)
            if short.lower() in (whole, content):
                yield Span("class", at, at + 1, name.iri, NEARLY, exact=False, text=name.text)
    for start in range(len(words)):
        for end in range(start + 2, min(len(words), start + 5) + 1):
            initials = "".join(word.folded[:1] for word in words[start:end])
            for index in names.by_stem.get(initials, ()):
                name = names.all[index]
                share = names.weight([initials]) / names.weight(name.stems)
                yield Span(name.kind, start, end, name.iri, NEARLY * math.sqrt(share), exact=False, text=name.text)


def _coded(analysis: Analysis, names: Names, meanings: Iterable[_Meaning]) -> Iterator[Span]:
    """Yield values that are short for the adjectives of the question: M, the sex, for male."""
    said = [(one.start, one.end, one.english) for one in meanings]
    if analysis.language == "en":
        content = ((at, word) for at, word in enumerate(analysis.words) if not word.empty)
        bases = ((at, (*lemmas(word.folded), *load_naming(analysis.language).sexes(word.text))) for at, word in content)
        said = [(at, at + 1, base) for at, words in bases for base in words]  # females, women: female
    for iri, codes in names.schema.codes.items():
        for start, end, word in said:
            fits = [code for code in codes if (short := fold(code)) and word.startswith(short)]
            if len(fits) == 1 and any(is_value_of(word, name.text) for name in names.of(iri)):
                yield Span("text", start, end, iri, INDIRECT, text=fits[0], exact=False)


def _mentioned(analysis: Analysis, mentions: Mentions, names: Names) -> Iterator[Span]:
    for mention in mentions:
        thing = mention.candidate
        literal = thing.kind == "literal"
        said = analysis.said(mention.start, mention.end)
        common = literal or thing.label.islower()  # handlers and agents, as roles
        exact = thing.exact or (common and is_form(said, thing.label, names.packs[0]))
        plain = "".join(one for one in thing.label if not one.isdigit()).strip()
        kind = plain != thing.label and not exact and is_form(said, plain, names.packs[0])  # a visit is not visit 711
        kind |= "@" in thing.label and not exact  # a clinic is not its address
        if kind or (literal and thing.iri not in names.schema.relations):
            continue
        span = Span(
            "text" if literal else "thing",
            mention.start,
            mention.end,
            thing.iri,
            thing.score if exact else NEARLY * thing.score,
            text=thing.label if literal else thing.matched or thing.label,
            classes=tuple(iri for iri in thing.types if iri in names.schema.classes),
            exact=exact,
            inside=mention.inside,
            terms=tuple(map(IRI, mention.things or (thing.iri,))),
        )
        kinds_by = () if literal else tuple(of_kind(span, analysis, names))
        alone = kinds_by and analysis.answer_type != "boolean" and not is_form(said, thing.label, names.packs[0])
        yield from kinds_by if alone else (span, *kinds_by)


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What words of another language mean in English."""

    start: int
    end: int
    english: str
    stems: tuple[str, ...]
    weight: float


def _meanings(analysis: Analysis, names: Names, known: set[int]) -> Iterator[_Meaning]:
    """Yield what words of another language mean in English, by the vocabulary and as cognates of the graph's words.

    Words at known positions are names of things as they stand, and not translated.
    """
    pack, english = names.packs[0], names.packs[-1]
    if pack is english:
        return
    words = analysis.words
    spelt = [word.text for word in words]
    stems = [word.stem for word in words]
    for at, word in enumerate(words):
        if word.empty or at in known or pack.is_idle(word.text):
            continue
        for one in pack.vocabulary.meanings(spelt, at, stems):
            if meant := tuple(stem for stem in english.stem_list(one.english) if stem not in english.empty):
                same = one.end - at == 1 and are_cognates(word.text, one.english)
                yield _Meaning(at, one.end, one.english, meant, 1.0 if same else one.weight)
        for name, stem in names.words.items():
            if are_cognates(word.text, name):
                yield _Meaning(at, at + 1, name, (stem,), INDIRECT)


def _meant(names: Names, stems: Collection[str], start: int, end: int, weight: float) -> Iterator[Span]:
    """Yield classes and relations whose names have all of some stems, which words mean."""
    for index in set.intersection(*(set(names.by_stem.get(stem, ())) for stem in stems)):
        name = names.all[index]
        share = names.weight(set(stems)) / names.weight(name.stems)
        if (score := weight * math.sqrt(min(1.0, share))) >= LEAST_FIT:
            yield Span(name.kind, start, end, name.iri, score, exact=False, text=name.text)


def _named(analysis: Analysis, names: Names, known: set[int], meanings: Iterable[_Meaning]) -> Iterator[Span]:
    """Yield classes and relations whose names have words of the question, misspelt and translated ones among them.

    Words at known positions are names of things as they stand, and not misspelt.
    """
    hits: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    is_english = analysis.language == "en"
    for at, word in enumerate(analysis.words):
        if word.empty:
            continue
        if word.stem in names.by_stem:
            hits[word.stem].append((at, 1.0))
        elif len(word.stem) >= TYPO_LENGTH and at not in known and not (is_english and is_known(word.folded)):
            near = {stem for stem in names.by_stem if len(stem) >= TYPO_LENGTH and is_typo(word.stem, stem)}
            near |= {stem for name, stem in names.words.items() if stem in names.by_stem and is_typo(word.folded, name)}
            for stem in sorted(near):
                hits[stem].append((at, INDIRECT))
        if degree := names.packs[0].most.longest([word.stem], 0):
            for stem in degree[1].plain.intersection(names.by_stem):
                hits[stem].append((at, NEARLY))
    for one in meanings:
        if len(one.stems) == 1 and one.end - one.start == 1 and one.stems[0] in names.by_stem:
            hits[one.stems[0]].append((one.start, one.weight))
    for index in sorted({at for stem in hits for at in names.by_stem[stem]}):
        name = names.all[index]
        for chosen in _windows(analysis, name.stems, hits, names.packs[0]):
            share = names.weight(stem for stem, _, _ in chosen) / names.weight(name.stems)
            fit = sum(weight for _, _, weight in chosen) / len(chosen)
            places = [at for _, at, _ in chosen]
            heads = (name.stems[-1], *(() if names.packs[0].data.head_last else name.stems[:1]))
            if name.kind == "class" and all(stem not in heads for stem, _, _ in chosen):
                share *= 0.6  # "power" alone is a poor name of power plants
            score = fit * math.sqrt(share) if share < 1 else fit
            if score >= LEAST_FIT:
                yield Span(name.kind, min(places), max(places) + 1, name.iri, score, exact=score >= 1, text=name.text)
    for at, (word, after) in enumerate(pairwise(analysis.words)):
        joined = names.packs[0].stem(word.folded + after.folded)
        for index in names.by_stem.get(joined, ()) if not (word.empty or after.empty) else ():
            if (name := names.all[index]).stems == (joined,):
                yield Span(name.kind, at, at + 2, name.iri, 1.0, text=name.text)


def _begins_clause(before: Word, between: Sequence[Word], pack: Pack) -> bool:
    """Return whether another noun follows words: "do" or "have" with an article or the like, "by" behind a noun."""
    by = any(pack.compare["by"].end([word.folded], 0) for word in between) and "v" not in kinds(before.folded)
    verbs = (word for word in between[:-1] if pack.forms["copula"].longest([pack.key(word.text)], 0))
    return by or (pack is pack.english and any("be" not in lemmas(word.folded) for word in verbs))


def _windows(
    analysis: Analysis, stems: Sequence[str], hits: Mapping[str, list[tuple[int, float]]], pack: Pack
) -> Iterator[list[tuple[str, int, float]]]:
    """Yield runs of words that are all in a name: each stem of it at most once, few function words between."""
    found = sorted((at, stem, weight) for stem in set(stems) for at, weight in hits.get(stem, ()))
    for first in range(len(found)):
        chosen: list[tuple[str, int, float]] = []
        left = list(stems)
        last = found[first][0]
        for at, stem, weight in found[first:]:
            between = analysis.words[last + 1 : at]
            if stem not in left or len(between) > _GAP or any(not word.empty for word in between):
                continue
            if _begins_clause(analysis.words[last], between, pack):
                continue
            left.remove(stem)
            chosen.append((stem, at, weight))
            last = at
            yield list(chosen)


def _asked_for(analysis: Analysis, names: Names) -> Iterator[Span]:
    """Yield relations that a question word asks for: where, what "located in" says."""
    said = [word.stem for word in analysis.words]
    for at, word in enumerate(analysis.words if analysis.expected else ()):
        if not word.empty or at not in analysis.used:
            continue
        for end, way in names.packs[0].ways.at(said, at):
            if way.expecting is not None and way.expecting not in analysis.expected:
                continue
            for stems in way.measures:
                found = _meant(names, stems, at, end, INDIRECT)
                yield from (replace(one, exact=True) for one in found if one.kind == "relation")


def _related(analysis: Analysis, names: Names, sure: set[int], meanings: Iterable[_Meaning]) -> Iterator[Span]:
    """Yield classes and relations whose names mean nearly what words mean, by the lexical database."""
    words = analysis.words
    empty = names.packs[-1].empty
    told = ((name, [word for word in fold(name.text).split() if word not in empty]) for name in names.all)
    texts = dict.fromkeys((name.kind, name.iri, " ".join(content) or fold(name.text)) for name, content in told)
    for one in meanings:
        check()
        if sure.isdisjoint(range(one.start, one.end)):
            found = {term: one.weight * relatedness(one.english, term[2]) for term in texts}
            nearest = max(_RELATED, NEARLY * max(found.values(), default=0.0))
            for (kind, iri, text), value in found.items():
                if value >= nearest:
                    yield Span(kind, one.start, one.end, iri, INDIRECT * math.sqrt(value), exact=False, text=text)
    if analysis.language != "en" or all(word.empty or len(word.folded) == 1 for word in words):
        return  # the database knows letters as signs, such as those of elements, and a question of letters asks nothing
    verb = infinitive(analysis)
    agents = [one for one in texts if one[0] == "relation" and is_kind_of(one[2], "person")]
    for at, word in enumerate(words):
        check()
        if word.empty or not word.folded.isalpha() or (at and is_capital(word.text)):
            continue  # a name is not said by what it is a kind of
        if at in sure:  # who brewed it is its brewer, although it is brewed in something, too
            by = names.packs[0].forms["agent"].longest([one.folded for one in words[at + 1 : at + 2]], 0)
            for kind, iri, text in agents if "v" in kinds(word.folded) and (by or not is_passive(analysis, at)) else ():
                if (near := relatedness(word.folded, text)) >= _AGENT:
                    yield Span(kind, at, at + 1, iri, NEARLY * math.sqrt(near), exact=False, text=text)
            continue
        for end in range(at + 1, at + 2 + (at + 1 < len(words) and not words[at + 1].empty)):
            said = " ".join(one.folded for one in words[at:end])
            amount = any(is_kind_of(said, one) for one in _AMOUNTS)
            for kind, iri, text in texts:
                if amount and kind == "relation" and names.schema.value_kind(iri) == "thing":
                    continue  # a salary is no place of birth
                if kind == "class" and at == verb:
                    continue
                near = relatedness(said, text)
                modifiers = text.split()[:-1]
                apart = modifiers and not any(relatedness(word.folded, one) for one in modifiers)
                if end - at > 1 and (apart or near <= relatedness(words[end - 1].folded, text)):
                    continue  # its head alone says as much, and nothing was made of the other word
                least = _RELATED if end - at == 1 else _RELATED_PHRASE
                if kind == "relation" and names.schema.value_kind(iri) == "date":
                    least = max(least, _RELATED_DATE)
                if near > least:
                    yield Span(kind, at, end, iri, INDIRECT * math.sqrt(near), exact=False, text=text)
