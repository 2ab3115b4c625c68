"""Why the solver does not know: names that nothing has, properties that are missing, words that were not understood.

The best candidate query accounts for some words of the question. Of the others, capitals are a name that nothing in the
graph has, words beside an entity or a class are a property that it lacks, and the rest was not understood. Only a
relation that gives reasons answers a why-question, and a graph without one does not say why.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from triad.answers import LEAST_GUESS, Answer, Reason, Unknown, WordUse
from triad.errors import GraphError, SearchError
from triad.kg.schema import DOCUMENTATION
from triad.language.acts import read_act
from triad.language.analysis import Analysis
from triad.language.exonyms import load_naming
from triad.language.lexical_database import is_known, kinds
from triad.language.mentions import capital_runs, is_capital, runs
from triad.language.normalize import fold
from triad.language.pack import Pack, load_pack
from triad.lexical.asked_units import unknown_units
from triad.lexical.candidates import CandidateQuery
from triad.lexical.meanings import OFFERED
from triad.lexical.mention_detection import MEANINGS, LinkedMention, found_mentions
from triad.lexical.word_uses import WordRange, left_out, word_uses
from triad.phases.context import Context
from triad.queries.questions import Questions
from triad.questions import Kind
from triad.rdf import IRI, RDF_TYPE
from triad.search.base import CLOSE, Lookup
from triad.sparql.patterns import EdgePattern, Variable
from triad.sparql.query_graph import QueryGraph
from triad.text import one_line

_NEAR: Final = 0.7  # the least score of a name that is near words
_CLASSES: Final = 8  # classes that are told
_TOLD: Final = 5  # reasons that are told, and properties of an entity or a class
_THINGS: Final = ("entity", "class")  # kinds of what may have a property


def explain_unknown(
    context: Context, analysis: Analysis, ranked: Sequence[CandidateQuery], *, guess: Answer | None = None
) -> Unknown:
    """Return why a question has no answer, by its candidate queries, the best of which may have given a guess."""
    best, pack = ranked[0] if ranked else None, load_pack(analysis.language)
    reasons: list[Reason] = []
    if read_act(context.question.text, pack).kind in ("social", "help"):
        text = help_with(context, pack).rstrip(".")
        return Unknown(context.question, (Reason("words", context.question.text, text),))
    with suppress(GraphError, SearchError):  # an explanation must not fail in place of the question
        reasons += _Explanation(context, analysis, best).reasons()
    if not reasons:
        reasons.append(low_confidence(context, guess) if guess else _nothing_fits(context))
    if best is None:
        left = tuple(WordUse(reason.words, "left_out") for reason in reasons if reason.kind != "empty")
        return Unknown(context.question, tuple(reasons), words=left)
    words = guess.words if guess else word_uses(analysis, best, context.schema)
    ignored = " ".join(one.words for one in words if one.kind == "left_out")
    if any(reason.kind == "name" and reason.words in ignored for reason in reasons):
        guess = None  # what is asked of an unknown thing is never answered by dropping it
    doubted = guess.readings if guess and all(one.kind == "doubt" for one in reasons) else ()
    return Unknown(context.question, tuple(reasons), guess, words, doubted)


def help_with(context: Context, pack: Pack) -> str:
    """Return what can be asked: what the graph is about, as far as its profile says."""
    sizes = sorted(context.profile.classes, key=lambda one: -one.instances) if context.profile else []
    iris = [one.iri for one in sizes if one.named and not one.statement][:_CLASSES]
    labels = context.schema.labels(iris)
    classes = pack.data.comma.join(one_line(labels[iri]) for iri in iris)
    return pack.replies["help"] + (" " + pack.replies["help_classes"].format(classes=classes) if classes else "")


def low_confidence(context: Context, guess: Answer) -> Reason:
    """Return the reason that the confidence in the best answer is too low, or that it is far from the question."""
    if guess.confidence < LEAST_GUESS:
        return _nothing_fits(context)
    text = load_pack(context.question.language).replies["in_doubt"]
    numbers = {"confidence": f"{guess.confidence:.2f}", "least": f"{context.min_confidence:.2f}"}
    return Reason("doubt", context.question.text, text.format(**numbers))


def not_compared(context: Context, analysis: Analysis, things: Sequence[LinkedMention]) -> Unknown:
    """Return that nothing is known by which some things could be compared, the likeliest first."""
    compares = analysis.order or analysis.comparisons[0]
    words = analysis.said(compares.start, compares.end)
    replies = load_pack(analysis.language).replies
    if not things:
        return Unknown(context.question, (Reason("words", words, replies["not_understood"].format(words=words)),))
    text = replies["not_compared"].format(words=words, thing=one_line(things[0].candidate.label))
    return Unknown(context.question, (Reason("relation", words, text),))


def missing_units(context: Context, analysis: Analysis, graph: QueryGraph) -> Iterator[Reason]:
    """Yield the units that a question says and its graph does not: what its numbers are in is not known."""
    pack = load_pack(analysis.language)
    for start, end, relation in unknown_units(graph, analysis, context.profile, pack) if context.profile else ():
        unit = analysis.said(start, end)
        missing = f"{one_line(context.schema.labels([relation])[relation])} ({unit})"
        yield Reason("relation", unit, pack.replies["not_in_graph"].format(missing=missing))


def _nothing_fits(context: Context) -> Reason:
    return Reason("empty", context.question.text, load_pack(context.question.language).replies["nothing_fits"])


class _Explanation:
    """Looks for the reasons why a question has no answer."""

    def __init__(self, context: Context, analysis: Analysis, best: CandidateQuery | None) -> None:
        self.context = context.at("answering")
        self.analysis = analysis
        self.best = best
        self.replies = load_pack(analysis.language).replies
        self.naming = load_naming(analysis.language)
        self.named, self.classes = found_mentions(self.context, analysis)
        self.uncompared = analysis.order is not None and (not best or any(c.kind == "superlative" for c in best.broken))
        """Whether nothing is known by which a superlative could choose."""
        self.told: set[str] = set()
        """IRIs of what is said to lack a property, with the properties that it has."""
        exact = [mention for mention in (*self.named, *self.classes) if mention.candidate.score >= CLOSE]
        self.exact = frozenset(at for mention in exact for at in mention.positions)
        """Words that are a name in the graph, or a part of one."""
        things = (mention for mention in exact if mention.candidate.kind in _THINGS)
        self.things = frozenset(at for mention in things for at in mention.positions)
        """The same, texts aside, many of which are common words."""

    def reasons(self) -> list[Reason]:
        """Return the reasons in the order of their words."""
        names = list(self._unknown_names())[:_TOLD]
        taken = {at for span in names for at in range(*span)}
        found = [(span[0], self._named(span, self._near(span))) for span in names]
        units = list(missing_units(self.context, self.analysis, self.best.graph)) if self.best else []
        if units and not names:
            return units  # the words are understood, and what they ask is not told
        for span in left_out(self.analysis, self.best, self._understood().union(taken))[:_TOLD]:
            found += self._of_words(span)
        if self.uncompared and (order := self.analysis.order) is not None:
            found.append((order.start, self._not_understood((order.start, order.end))))
        return [reason for _, reason in sorted(found, key=lambda pair: pair[0])][:_TOLD]

    def _understood(self) -> frozenset[int]:
        pack = load_pack(self.analysis.language)
        stems = {pack.stem(name) for name in pack.data.sorting.by_name[:2]}
        called = {at for at, word in enumerate(self.analysis.words) if word.stem in stems}  # which all things have
        if self.best is not None:
            return self.things | called
        left = [at for span in left_out(self.analysis, None, self.exact) for at in range(*span)]
        return self.exact | self._relation_words(left) | called

    def _unknown_names(self) -> Iterator[WordRange]:
        """Yield the runs of words with capitals that nothing in the graph is called."""
        words = self.analysis.words
        for start, end in capital_runs(words):
            while start < end and (words[start].empty or self.naming.is_common(words[start].text)):
                start += 1  # "Which", "Did": the first word of a sentence
            while start < end and (words[end - 1].empty or self.naming.is_common(words[end - 1].text)):
                end -= 1
            known = self.exact | self.analysis.used  # what may belong to a name that nothing has is no part of one
            for first, last in runs(not (at in known or words[at].empty) for at in range(start, end)):
                span = start + first, start + last
                if not any(self._is_missing(at) for at in range(*span)):
                    continue
                letters = any(words[at].text[0].isupper() for at in range(*span))
                common = bool(self.exact) or any(not word.empty for word in words[1:2])  # a noun, and no name
                if letters and not (span == (0, 1) and (common or 0 in self._relation_words([0]))):
                    yield span
        for mention in self.best.node.mentions if self.best else ():
            small = not any(is_capital(words[at].text) for at in mention.positions)
            if small and mention.candidate.score < CLOSE and not mention.positions <= self.exact:
                yield mention.start, mention.end

    def _is_missing(self, at: int) -> bool:
        """Return whether a word that may belong to a name is not what the best candidate takes for a relation."""
        loose = (one for one in self.best.node.mentions if one.candidate.score < CLOSE) if self.best else ()
        if self.best is None or any(at in one.positions for one in loose):
            return True
        edges = (edge.match.positions for edge in self.best.node.edges)
        return at not in self.best.positions.union(self.best.node.kinds.positions, *edges)

    def _relation_words(self, positions: Iterable[int]) -> frozenset[int]:
        words = [(at, self.analysis.words[at]) for at in positions]
        names = [(at, name) for at, word in words for name in (word.text, *self.naming.common(word.text))]
        found = self.context.search([Lookup(name, ("relation", "class"), 1) for _, name in names])
        best = zip(names, found, strict=True)
        return frozenset(at for (at, _), near in best if near and near[0].score >= _NEAR)

    def _named(self, span: WordRange, near: tuple[str, ...]) -> Reason:
        name = self.analysis.said(*span)
        template = self.replies["no_name_near" if near else "no_name"]
        return Reason("name", name, template.format(name=name, near=", ".join(near)), near)

    def _near(self, span: WordRange, *, whole: bool = False) -> tuple[str, ...]:
        """Return names in the graph that are like some words; ``whole`` wants names of as many words."""
        kinds: tuple[Kind, ...] = ("entity", "class", "literal")
        [found] = self.context.search([Lookup(self.analysis.said(*span), kinds, 2 * OFFERED)])
        names = (candidate.matched or candidate.label for candidate in found if _NEAR <= candidate.score < CLOSE)
        near = dict.fromkeys(one_line(name) for name in names if not whole or len(name.split()) == span[1] - span[0])
        return tuple(near)[:OFFERED]

    def _of_words(self, span: WordRange) -> Iterator[tuple[int, Reason]]:
        """Yield the reasons for words that nothing accounts for: names in small letters, a property that is missing."""
        places = dict.fromkeys([span, *((at, at + 1) for at in range(*span))])
        if len(places) > MEANINGS:
            yield span[0], self._not_understood(span)
            return
        near = {place: found for place in places if (found := self._near(place, whole=True))}
        if span in near:
            yield span[0], self._named(span, near[span])
            return
        for first, last in runs((at, at + 1) not in near for at in range(*span)):
            part = span[0] + first, span[0] + last
            yield part[0], self._not_understood(part)
        yield from ((place[0], self._named(place, found)) for place, found in near.items())

    def _not_understood(self, span: WordRange) -> Reason:
        words = self.analysis.said(*span)
        beside = self._beside(span) if self._may_be_property(span) else None
        if beside and beside.candidate.iri not in self.told:
            self.told.add(beside.candidate.iri)
            thing, known = self._what(beside)
            if (like := [one for one in known if self._says(span, one)]) and words not in like:
                text = self.replies["no_name_near"].format(name=words, near=", ".join(like[:_TOLD]))
                return Reason("words", words, text)
            if known and not like:
                is_class = beside.candidate.kind == "class"
                template = self.replies["no_relation_of_class" if is_class else "no_relation"]
                text = template.format(thing=thing, words=words, known=self._told_of(beside, known[:_TOLD]))
                return Reason("relation", words, text)
        return Reason("words", words, self.replies["not_understood"].format(words=words))

    def _may_be_property(self, span: WordRange) -> bool:
        """Return whether words may name what something has: they end with a noun, or compare."""
        word, order = self.analysis.words[span[1] - 1].text, self.analysis.order
        compares = order is not None and span == (order.start, order.end)
        return compares or self.analysis.language != "en" or "n" in kinds(word) or not is_known(word)

    def _says(self, span: WordRange, name: str) -> bool:
        """Return whether some words say a part of what a relation is called: died, and date of death."""
        stems = load_pack(self.analysis.language).stems(name)
        own = {self.analysis.words[at].stem for at in range(*span)}
        meant = (one.stems for one in self.analysis.senses if span[0] <= one.start and one.end <= span[1])
        return not own.isdisjoint(stems) or any(one <= stems for one in meant)

    def _beside(self, span: WordRange) -> LinkedMention | None:
        """Return the entity or the class beside some words; words that name nothing may stand between."""
        things = [*(self.best.node.mentions if self.best else ()), *self.named, *self.classes]
        named = (one for one in things if one.candidate.kind in _THINGS and one.candidate.score >= CLOSE)
        gaps = ((self._gap(span, one), place, one) for place, one in enumerate(named))
        near = ((gap, place, one) for gap, place, one in gaps if gap is not None)
        return min(near, key=lambda one: one[:2], default=(0, 0, None))[2]

    def _gap(self, span: WordRange, thing: LinkedMention) -> int | None:
        """Return how many words stand between some words and those of a thing; None if one of them names something."""
        between = range(span[1], thing.start) if span[1] <= thing.start else range(thing.end, span[0])
        words, used = self.analysis.words, self.analysis.used
        return len(between) if all(words[at].empty or at in used for at in between) else None

    def _what(self, thing: LinkedMention) -> tuple[str, tuple[str, ...]]:
        """Return the name of an entity or a class, and the properties that it has."""
        iri, schema = thing.candidate.iri, self.context.schema
        if thing.candidate.kind != "class":
            relations = [hop.relation for hop in schema.card(iri) if hop.direction == "out"]
        elif self.context.profile and (known := self.context.profile.class_profile(iri)):
            relations = [use.relation for use in known.outgoing]
        else:
            relations = [hop.relation for hop in schema.class_card(iri, brief=True) if hop.direction == "out"]
        no_facts = {RDF_TYPE, *schema.label_properties}
        facts = [one for one in dict.fromkeys(relations) if one not in no_facts and not one.startswith(DOCUMENTATION)]
        if self.uncompared and self.context.profile:
            profiles = filter(None, map(self.context.profile.relation_profile, facts))
            bounds = ((one, bound) for one in profiles for bound in one.ranges)
            numbers = {(one.iri, bound.kind) for one, bound in bounds if 2 * bound.count > one.triples}
            facts = [one for one in facts if (one, "number") in numbers]
        labels = schema.labels(facts[: 2 * _TOLD])
        return one_line(thing.candidate.label), tuple(dict.fromkeys(map(one_line, labels.values())))

    def _told_of(self, thing: LinkedMention, known: Sequence[str]) -> str:
        """Return properties as they are told: of an entity, the plainest with a question that has an answer."""
        questions = Questions(self.context.schema, self.context.profile, self.analysis.language)
        iri, value = IRI(thing.candidate.iri), Variable("value")
        hops = self.context.schema.card(iri.value) if thing.candidate.kind == "entity" else ()
        own = [hop for hop in hops if hop.direction == "out" and one_line(hop.label) in known]
        for hop in sorted(own, key=lambda hop: questions.asking.plainness(hop.label)):
            query = QueryGraph.of(value, EdgePattern(iri, IRI(hop.relation), value))
            if text := questions.of(query, [hop.sample] * hop.count):
                name = one_line(hop.label)
                return ", ".join(f"{one} ({text})" if one == name else one for one in known)
        return ", ".join(known)


def reasons_among(context: Context, relations: Iterable[str]) -> set[str]:
    """Return those of some relations that give reasons, by what they are called: cause of death.

    Raises:
        GraphError: The graph failed.
    """
    words = load_pack(context.question.language).names_of("reasons")
    return {iri for iri, name in context.schema.labels(relations).items() if not words.isdisjoint(fold(name).split())}


def says_why(context: Context, relations: Iterable[str]) -> bool:
    """Return whether what a query asks for are reasons of the named things themselves.

    Raises:
        GraphError: The graph failed.
    """
    asked = set(relations)
    return bool(asked) and reasons_among(context, asked) == asked


def unknown_reasons(context: Context, analysis: Analysis) -> Unknown:
    """Return that the graph does not say why."""
    said = analysis.said(*(analysis.reason or (0, len(analysis.words))))
    return Unknown(context.question, (Reason("relation", said, load_pack(analysis.language).replies["no_reasons"]),))
