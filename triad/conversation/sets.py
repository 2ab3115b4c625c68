"""Questions about the entities of an earlier answer: "which of these", "the ones from Leipzig", "their mayors".

The answer's class stands in the question in place of what points back to it, and the question is limited to the
answer's entities: `AnswerSet`. So all that can be asked of a class can be asked of an answer.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, Self

from triad import sparql
from triad.answers import Answer
from triad.conversation.referents import Referent
from triad.conversation.turns import LISTED, things_of
from triad.kg.guard import check
from triad.language.acts import without_joining
from triad.language.comparisons import find_comparisons
from triad.language.cues import definites, standing_alone
from triad.language.follow_ups import FollowUp
from triad.language.normalize import bare, fold, plural
from triad.language.operators import find_order
from triad.language.pack import Pack
from triad.language.tokens import Sentence, split
from triad.phases.context import Context
from triad.questions import AnswerSet
from triad.rdf import IRI, count_of, writable
from triad.sparql.patterns import ClassPattern, EdgePattern, Values, Variable, nodes, terms
from triad.sparql.query_graph import QueryGraph
from triad.sparql.writer import render

_LONG: Final = 3_000  # characters of a query from which on only its own entities are spoken of


def set_of(context: Context, answer: Answer) -> AnswerSet | None:
    """Return the entities of an answer as a set; None if it has none, or they have no class in common."""
    if context.profile is None or answer.query is None or answer.boolean is not None:
        return None
    graph = sparql.parse(answer.query).explicit()
    if (counted := graph.counts) is not None and (listing := graph.counted_rows) is not None:
        return _set(context, listing, counted)
    name, iris = things_of(answer)
    cls = _common_class(context, iris)
    return AnswerSet(cls, answer.query, name) if cls and name else None


def sets_of(context: Context, answer: Answer) -> Iterator[AnswerSet]:
    """Yield the sets that an answer leaves to speak of: its own entities, then those that have the values it gives."""
    if first := set_of(context, answer):
        yield first
    if context.profile is None or answer.query is None or answer.boolean is not None or len(answer.query) > _LONG:
        return
    graph = sparql.parse(answer.query).explicit()
    graph = graph.counted_rows or graph
    for variable in _subjects(graph):
        if first and variable.name == first.variable:
            continue
        bare = graph.is_aggregated and not graph.groups
        listing = QueryGraph.of(variable, *graph.where) if bare else replace(graph.showing(variable), distinct=True)
        if found := _set(context, listing, variable):
            yield found


def _subjects(graph: QueryGraph) -> list[Variable]:
    """Return the variables that have relations or a class in a query, those that have what is asked for first."""
    edges = [part for part in graph.where if isinstance(part, EdgePattern)]
    asked, classes = set(terms(graph.columns)), [one.instance for one in nodes(graph.where, ClassPattern)]
    owners = [edge.subject for edge in sorted(edges, key=lambda edge: edge.object not in asked)]
    owners += [edge.object for edge in edges]
    inner = [one for part in graph.where if isinstance(part, QueryGraph) for one in part.variables]
    found = dict.fromkeys(one for one in (*owners, *classes, *inner) if isinstance(one, Variable))
    return [variable for variable in found if not graph.groups or variable in graph.groups]


def set_of_pair(context: Context, pair: Sequence[Referent]) -> AnswerSet | None:
    """Return two things that were spoken of as a set; None if there are none, or they have no class in common."""
    iris = [one.things[0].iri for one in pair if writable(one.things[0].iri)]
    cls = _common_class(context, iris) if len(iris) > 1 and context.profile else None
    if cls is None:
        return None
    thing = Variable("thing")
    return AnswerSet(cls, render(QueryGraph((thing,), (Values.of(thing, *map(IRI, iris)),))), thing.name)


def _set(context: Context, listing: QueryGraph, variable: Variable) -> AnswerSet | None:
    """Return the entities that a query with one column gives as a set; None if they have no class in common."""
    result = context.execute(check(render(replace(listing, limit=LISTED)), context.policy), ask=False)
    cls = _common_class(context, [term.value for row in result.rows for term in row if isinstance(term, IRI)])
    return AnswerSet(cls, render(listing), variable.name) if cls else None


def _common_class(context: Context, iris: Sequence[str]) -> str | None:
    """Return the smallest class that all of some entities have."""
    if not (sample := [iri for iri in iris if writable(iri)][:LISTED]):
        return None
    values = " ".join(f"<{iri}>" for iri in sample)
    query = f"SELECT ?c (COUNT(DISTINCT ?x) AS ?n) {{ VALUES ?x {{ {values} }} ?x a ?c }} GROUP BY ?c LIMIT 200"
    profile = context.profile
    assert profile is not None
    sizes = {one.iri: one.instances for one in profile.classes}
    counts = Counter({str(row["c"]): count_of(row["n"]) for row in context.graph.lookup(query) if "c" in row})
    above = Counter[str]()  # some are of a class, and the others of classes below it
    for iri, count in counts.items():
        above.update(dict.fromkeys((iri, *context.schema.superclasses(iri)), count))
    for found in (counts, above):
        if common := [iri for iri, count in found.items() if count >= len(sample) and iri in sizes]:
            return min(common, key=sizes.__getitem__)
    return None


class AboutSet:
    """Puts what is said about an answer as questions for a noun that stands for it.

    Args:
        pack: The pack of the language.
        noun: What stands in place of words that point back: the name of a class, or what was asked for.
        answer: The answer's entities, if the noun is that of their class.
        confidence: How sure it is that these are the right ones.
    """

    def __init__(self, pack: Pack, noun: str, answer: AnswerSet | None = None, confidence: float = 1.0) -> None:
        self.pack = pack
        self.set = answer
        self.confidence = confidence
        self.noun = noun
        data = pack.data.conversation
        self._all = data.all_of_set.format(things=self.noun)
        self._of_all = pack.references.data.of.replace("{x}", self._all)
        self._stems = [pack.stem(word) for word in pack.keys(noun)]
        self._of_set = pack.templates.searched(data.of_set)
        self._of_pair = pack.templates.searched(data.of_pair)
        self._the_set = pack.templates.searched(data.the_set)

    @classmethod
    def of(cls, context: Context, pack: Pack, answer: AnswerSet, confidence: float = 1.0) -> Self:
        """Return it for the entities of an answer, whose class stands for them."""
        label = context.schema.labels([answer.cls])[answer.cls]
        return cls(pack, plural(label) if pack.language == "en" else label, answer, confidence)

    def explicit(self, text: str, *, pair: bool = False, single: bool = False) -> list[str]:
        """Return the questions that a text is with the class in place of words for the answer, or for a pair of it.

        A demonstrative before the class stands for the answer, too: "those ships", of a ``single`` thing "that ship".

        The likeliest is first; there are none if no words stand for the answer.
        """
        parted = self._partitive(text, self._of_pair if pair else self._of_set)
        if pair:
            return [parted] if parted else []
        whole = parted or text
        if match := self._the_set.search(whole):
            return [self.fragment(f"{whole[: match.start()]} {whole[match.end() :]}")]
        changed, without = self._pronouns(whole)
        if changed == text:
            return [without_joining(text, self.pack)] if self.is_named(text, single=single) else []
        # "Which have apples in them" names the things twice.
        inserted = self._inserted(without) if without else None
        return [inserted, changed] if inserted else [changed]

    def pointed(self, text: str) -> list[str]:
        """Return the questions with the noun in place of "that ship", or of a pronoun for one thing."""
        references = self.pack.references
        if match := references.demonstrative.search(text):
            words, own = match["noun"].split(), set(self._stems)
            sizes = (size for size in range(len(words), 0, -1) if {*map(self.pack.stem, words[:size])} <= own)
            end = match.start("noun") + len(" ".join(words[: next(sizes, 1)]))
            return [f"{text[: match.start()]}{self._all}{text[end:]}"]
        forms = (*references.possessives, *references.pronouns)
        singles = filter(None, (form.search(text) for form, features in forms if "thing" in features))
        said = (match for match in singles if not self._is_expletive(text, match))
        owned = ((*match.span(), match.groupdict().get("owned", "")) for match in said)
        found = ((start, end, f"{what} {self._of_all}" if what else self._all, what) for start, end, what in owned)
        return [text[:a] + form + text[b:] for a, b, form, what in found if not (what and self.pack.is_idle(what))]

    def kept(self, text: str) -> FollowUp | None:
        """Return the follow-up that keeps what a text says of "the ones": the ones from Leipzig."""
        rest = without_joining(text, self.pack)
        match = self._the_set.match(rest)
        what = bare(rest[match.end() :]) if match else ""
        return FollowUp("only", what=what) if what else None

    def _pronouns(self, text: str) -> tuple[str, str]:
        """Return a text with the class in place of what stands for it, and without pronouns if it has some."""
        changed = text
        for form, features in self.pack.references.possessives:
            match = form.search(changed) if "group" in features else None
            if match and not self.pack.is_idle(match["owned"]):
                changed = f"{changed[: match.start()]}{match['owned']} {self._of_all}{changed[match.end() :]}"
        without = ""
        for form, features in self.pack.references.pronouns:
            if "group" in features and (match := form.search(changed)) and not self._is_expletive(changed, match):
                before = changed[: match.start()].rstrip().rpartition(" ")
                kept = before[0] if before[0] and self.pack.is_idle(before[2]) else changed[: match.start()]
                without = f"{kept.rstrip()}{changed[match.end() :]}"
                changed = f"{changed[: match.start()]}{self._all}{changed[match.end() :]}"
        for start, end in reversed(list(standing_alone(changed, self.pack))):
            changed = f"{changed[:start]}{self._all}{changed[end:]}"
        return changed, without

    def _partitive(self, text: str, form: re.Pattern[str]) -> str | None:
        """Put the class for "of these" after a question word, and "of the rivers" elsewhere."""
        if (match := form.search(text)) is None:
            return None
        before, after = text[: match.start()].strip(), text[match.end() :]
        if not before:
            return self._inserted(after.strip(" ,")) or self.fragment(after)  # of the two, which is longer
        return f"{before} {self.noun if self._asks(before) else self._of_all}{after}"

    def _is_expletive(self, text: str, match: re.Match[str]) -> bool:
        """Return whether a pronoun stands for nothing: how many are there."""
        return any(one.start() <= match.start() < one.end() for one in self.pack.references.expletive.finditer(text))

    def is_named(self, text: str, *, single: bool = False, alone: bool = False) -> bool:
        """Return whether a text has the class with an article, or a demonstrative: "who wrote the books".

        A demonstrative may stand before the ``single`` thing; ``alone``, nothing more is said behind the class.
        """
        own, references = self._stems, self.pack.references
        places = [match.start("noun") for match in definites(text, self.pack)]
        those = references.demonstrative.finditer(text)
        places += [one.start("noun") for one in those if single or fold(one["noun"]).startswith(fold(self.noun))]
        said = (bare(text[at:]).split() for at in places)
        return any(
            self.pack.stem_list(" ".join(words))[: len(own)] == own
            and not (alone and any(not self.pack.is_idle(word) for word in words[len(own) :]))
            for words in said
        )

    def _asks(self, text: str) -> bool:
        """Return whether a text ends in a word that a noun may follow: which, how many."""
        keys = self.pack.keys(text)
        forms = (self.pack.forms["which"], self.pack.forms["count"], self.pack.forms["number"])
        return any(end == len(keys) for form in forms for at in range(len(keys)) for end, _ in form.at(keys, at))

    def fragment(self, text: str) -> str:
        """Return the question for those of the answer's things that a part of a question describes."""
        form, rest = self.pack.data.conversation.set_question, without_joining(text, self.pack)
        return " ".join(form.format(things=self.noun, rest=rest).split())

    def completed(self, text: str) -> Iterator[str]:
        """Yield the questions that a text without a noun may be: "which is the longest", "how many per country"."""
        if inserted := self._inserted(text):
            yield inserted
            return
        questions = [self.fragment(text), f"{without_joining(text, self.pack)} {self._of_all}"]
        yield from questions if self.is_condition(text) else reversed(questions)

    def _inserted(self, text: str) -> str | None:
        """Return a text with the class after its question word: which rivers are longer; None if it has none."""
        words = split(text, self.pack)
        keys = [self.pack.key(word.text) for word in words]
        for name in ("count", "which"):
            for at in range(min(3, len(words))):
                if (found := self.pack.forms[name].longest(keys, at)) and self.pack.is_idle(text[: words[at].start]):
                    end = words[found[0] - 1].end
                    return f"{text[words[at].start : end]} {self.noun}{text[end:]}"
        return None

    def is_condition(self, text: str) -> bool:
        """Return whether a text without a noun says which things are meant, and not what is asked of them."""
        sentence = Sentence(without_joining(text, self.pack), self.pack)
        first = sentence.words[0].empty if sentence.words else False
        return first or bool(find_order(sentence, either=True)) or bool(find_comparisons(sentence, boolean=False))

    def names_class(self, sentence: Sentence) -> bool:
        """Return whether a text has the class's name itself."""
        return not set(self._stems).isdisjoint(sentence.stems)


def points_to_set(text: str, pack: Pack) -> bool:
    """Return whether a text has words for the things of an earlier answer: "of these", "the ones", "their"."""
    data = pack.data.conversation
    pronouns = (*pack.references.pronouns, *pack.references.possessives)
    group = [form for form, features in pronouns if features[0] == "group"]
    return any(form.search(text) for form in (*map(pack.templates.searched, (data.of_set, data.the_set)), *group))
