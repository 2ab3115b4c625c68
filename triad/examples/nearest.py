"""Examples: pairs of a question and its query, read from a file, and the choice of those that a prompt shows.

The nearest pairs are chosen, of several forms, and, in runs, none that gives the answer away.

A pair is shown in the words of a prompt: labels as mentions in place of IRIs, and what the query says as triples. A
prompt file says what an example of it looks like: it names its inputs, and its own examples show the form of a reply.
So an example is made for any prompt that is asked for triples, an answer type or a template, in whatever form.
"""

import copy
import hashlib
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, Self

from triad import sparql
from triad.datasets import Malformed, load_dataset
from triad.datasets.base import BadRecord, answer_type
from triad.embedding.vectors import Vectors
from triad.errors import DataError, GraphError, QuerySyntaxError
from triad.kg.schema import Schema
from triad.language.normalize import fold, local_name
from triad.log import logger
from triad.prompts import Prompt
from triad.queries.template import Template, written
from triad.rdf import IRI, RDF, RDF_TYPE, RDFS, STANDARD, XSD, BlankNode, Literal
from triad.sparql import QueryGraph
from triad.sparql.patterns import EdgePattern, Path, Service, Variable

_POOL: Final = 20  # nearest pairs that examples are chosen from, for each that is wanted
_TOLD: Final = frozenset({"triples", "answer_type", "sparql"})  # what a pair tells of its question
_LONGEST: Final = 600  # characters of a template that is shown, for prompts are paid for
_TYPE: Final = IRI(RDF_TYPE)
_NEAR: Final = 0.8  # the share of common words from which on two questions count as the same


@dataclass(frozen=True, slots=True)
class Pair:
    """A question with the query that answers it."""

    question: str
    query: str
    key: str
    """What two queries have in common that are the same but for the names of variables."""
    form: str
    """What two queries have in common that are the same but for names of variables, IRIs and literals."""

    @classmethod
    def of(cls, question: str, query: str) -> Self:
        """Return the pair of a question and its query.

        Raises:
            QuerySyntaxError: The query is not SPARQL, or is no query of a graph's facts.
        """
        tree = sparql.parse(query)
        return cls(question, query, _key(tree), _form(tree))


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs of a file, and what was left out of it."""

    pairs: tuple[Pair, ...]
    unparsed: tuple[Malformed, ...] = ()
    """Records whose query is not SPARQL, or is no query of a graph's facts."""
    without_query: int = 0
    """How many records have answers and no query."""
    malformed: tuple[Malformed, ...] = ()
    """Records that cannot be read."""

    @property
    def left_out(self) -> int:
        """How many records were left out."""
        return len(self.unparsed) + self.without_query + len(self.malformed)

    def __str__(self) -> str:
        """Tell how many pairs there are and how many records were left out, and why."""
        reasons = [
            (len(self.unparsed), "the query cannot be parsed"),
            (self.without_query, "no query"),
            (len(self.malformed), "malformed"),
        ]
        told = ", ".join(f"{number:,}: {why}" for number, why in reasons if number)
        return f"{len(self.pairs):,} pairs" + (f"; {self.left_out:,} records left out ({told})" if told else "")


def read_pairs(path: str | os.PathLike[str], *, language: str = "") -> Pairs:
    """Read the pairs of a file in a format of `triad.datasets`; what cannot be used is left out and counted.

    Questions are taken in one language from a set that has them in several.

    Raises:
        DataError: The file cannot be read, its format is unknown, or it has no pair that can be used.
    """
    data = load_dataset(path, language=language)
    pairs: list[Pair] = []
    unparsed: list[Malformed] = []
    without = 0
    for item in data.items:
        if item.gold_query is None:
            without += 1
            continue
        try:
            pairs.append(Pair.of(item.question.text, item.gold_query))
        except QuerySyntaxError as error:
            unparsed.append(Malformed(str(path), item.question.id or "", str(error)))
    found = Pairs(tuple(pairs), tuple(unparsed), without, data.malformed)
    if not pairs:
        first = next(iter([*found.unparsed, *found.malformed]), None)
        why = f", such as {first}" if first else ""
        raise DataError(f"the examples {str(path)!r} have no question with a query: {found}{why}")
    return found


def query_key(query: str) -> str:
    """Return what two queries have in common that are the same but for the names of variables.

    >>> query_key("SELECT ?a { ?a <p> <o> }") == query_key("SELECT ?b WHERE { ?b <p> <o> . }")
    True
    """
    try:
        return _key(sparql.parse(query))
    except QuerySyntaxError:
        return " ".join(query.split())


def near_duplicates(one: str, other: str) -> bool:
    """Return whether two questions are the same, or nearly so by their words.

    >>> near_duplicates("Who wrote Momo?", "who wrote MOMO"), near_duplicates("Who wrote Momo?", "Who wrote Emma?")
    (True, False)
    """
    words, others = set(fold(one).split()), set(fold(other).split())
    return len(words & others) >= _NEAR * len(words | others)


def _key(tree: QueryGraph) -> str:
    return sparql.write(_renamed(tree), {})


def _form(tree: QueryGraph) -> str:
    def masked(term: Any) -> Any:
        if isinstance(term, IRI):
            return IRI("x")
        return Literal("x") if isinstance(term, Literal) else term

    return sparql.write(sparql.substituted(_renamed(tree), masked), {})


def _renamed(tree: QueryGraph) -> QueryGraph:
    """Return a tree whose variables are named in the order in which its patterns have them."""
    names: dict[Any, Variable] = {}
    numbers = count(1)
    in_patterns = (term for pattern in sparql.triples(tree) for part in pattern for term in sparql.terms(part))
    for term in (*in_patterns, *sparql.terms(tree)):
        if isinstance(term, Variable | BlankNode) and term not in names:
            names[term] = Variable(f"v{next(numbers)}")
    return sparql.substituted(tree, names)


class Examples:
    """Pairs of questions and queries, of which the nearest to a question are shown. Safe to use from several threads.

    Where there are vectors of texts, questions are compared by them, too.
    """

    def __init__(self, pairs: Sequence[Pair], vectors: Vectors | None = None) -> None:
        from triad.search.texts import TextIndex

        self.pairs = tuple(pairs)
        self._index = TextIndex([pair.question for pair in self.pairs], vectors)
        # Where a user asks, an answer that was confirmed before is welcome.
        self._guard: Mapping[str, str] | None = None

    @classmethod
    def read(cls, path: str | os.PathLike[str], vectors: Vectors | None = None, *, language: str = "") -> Self:
        """Read the pairs of a file, as `read_pairs` does."""
        found: Pairs = read_pairs(path, language=language)
        logger.log("WARNING" if found.left_out else "DEBUG", "examples {}: {}", str(path), found)
        return cls(found.pairs, vectors)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def fingerprint(self) -> str:
        """A text that changes when a pair does."""
        pairs = "\n".join(f"{pair.question}\t{pair.query}" for pair in self.pairs)
        return hashlib.sha256(pairs.encode()).hexdigest()[:16]

    def guarding(self, queries: Iterable[tuple[str, str | None]]) -> Self:
        """Return these examples without what gives answers away.

        Left out for a question are pairs with the same words, or nearly the same, and those with its query, or with the
        query of a pair that was left out for its words.

        Args:
            queries: The questions of a data set, each with its query where that is known.
        """
        guarded = copy.copy(self)
        guarded._guard = {fold(question): query_key(query) for question, query in queries if query}
        return guarded

    def fit(self, prompt: Prompt) -> bool:
        """Return whether a prompt is about a question, and asks for something that a pair tells."""
        return "question" in prompt.inputs and reply_form(prompt, _TOLD) is not None

    def shown(self, prompt: Prompt, question: str, schema: Schema, most: int) -> list[dict[str, Any]]:
        """Return examples of a prompt for a question, the nearest last.

        At most half of the nearest, rounded up, have queries of the same form. The prompt's own examples stay that show
        what no pair can, such as a question without an answer; others of them take the place of what is not there.
        """
        own = prompt.examples[:most]
        kept = [example for example in own if is_silent(example, _TOLD)]
        nearest = self._adapted(prompt, question, schema, most - len(kept))
        filling = [example for example in own if example not in kept][: most - len(kept) - len(nearest)]
        return [*filling, *kept, *nearest]

    def _adapted(self, prompt: Prompt, question: str, schema: Schema, most: int) -> list[dict[str, Any]]:
        forms: Counter[str] = Counter()
        chosen: list[dict[str, Any]] = []
        spare: list[dict[str, Any]] = []
        seen: set[str] = set()
        for pair in self._nearest(question, most) if most else ():
            if len(chosen) == most:
                break
            if fold(pair.question) in seen or (known := adapted(pair, schema)) is None:
                continue
            seen.add(fold(pair.question))
            if forms[pair.form] < (most + 1) // 2:
                forms[pair.form] += 1
                chosen.append(known)
            else:
                spare.append(known)
        chosen += spare[: most - len(chosen)]
        return [as_example(prompt, known) for known in reversed(chosen)]

    def _nearest(self, question: str, most: int) -> list[Pair]:
        found = [self.pairs[place] for place in self._index.nearest(question, _POOL * most)]
        if self._guard is None:
            return found
        given_away = {pair.key for pair in found if near_duplicates(question, pair.question)}
        if (key := self._guard.get(fold(question))) is not None:
            given_away.add(key)
        return [pair for pair in found if pair.key not in given_away]


# A pair in the words of a prompt --------------------------------------------------------------------------


def adapted(pair: Pair, schema: Schema) -> dict[str, Any] | None:
    """Return what a pair says, by the names that prompts have for it; None if it cannot be said in mentions."""
    labelling = {IRI(RDFS + "label"), *map(IRI, schema.label_properties)}
    tree, mentions = _take_names(_plain_types(sparql.parse(pair.query)), labelling)
    named = [term.value for term in sparql.terms(tree) if isinstance(term, IRI) and term != _TYPE]
    named = [iri for iri in named if not iri.startswith(XSD)]
    if any(iri.startswith(STANDARD) for iri in named) or any(True for _ in sparql.nodes(tree, Service)):
        return None
    if tree.sources or tree.named_sources:
        return None
    try:
        labels = schema.labels(named)
        # A name that reads as an IRI would be taken for one.
        said = {
            iri: label if (label := labels[iri]).strip() and "://" not in label else local_name(iri) for iri in named
        }
        mentions |= {IRI(iri): written(name) for iri, name in said.items()}
        lines = sparql.write(sparql.substituted(tree, mentions), {"rdf": RDF, "xsd": XSD}).split("\n")
        text = " ".join(" ".join(line for line in lines if not line.startswith("PREFIX ")).split())
        text = text.replace(" rdf:type ", " a ")
        template = Template(text)
        kind = answer_type(text)
    except (GraphError, BadRecord, ValueError):  # of an IRI that the graph refuses, or a name that has joint values
        return None
    if "://" in text or len(text) > _LONGEST or not template.slots:
        return None
    return {"question": pair.question, "triples": _triples(template), "answer_type": kind, "sparql": text}


def reply_form(prompt: Prompt, known: Collection[str]) -> Any:
    """Return the form of a prompt's replies, as its own examples show it; None if nothing that is known is in one."""
    replies = (example["reply"] for example in prompt.examples)
    return next((reply for reply in replies if _has(reply, known)), None)


def is_silent(example: Mapping[str, Any], known: Collection[str]) -> bool:
    """Return whether an example of a prompt leaves something empty that a pair would tell: it shows something else."""
    reply = example["reply"]
    return isinstance(reply, Mapping) and any(name in known and not part for name, part in reply.items())


def as_example(prompt: Prompt, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return an example of a prompt: its inputs, empty where nothing is known of them, and a reply."""
    inputs = {name: known.get(name, "") for name in prompt.inputs}
    return {**inputs, "reply": _filled(reply_form(prompt, known), known)}


def _has(form: Any, known: Collection[str]) -> bool:
    if isinstance(form, Mapping):
        return any(name in known or _has(part, known) for name, part in form.items())
    return isinstance(form, Sequence) and not isinstance(form, str) and any(_has(part, known) for part in form)


def _filled(form: Any, known: Mapping[str, Any]) -> Any:
    """Return a reply of some form with all that is known in it, and what is empty there; a list has one part."""
    if isinstance(form, Mapping):
        return {
            name: known[name] if name in known else _filled(part, known) if part else part
            for name, part in form.items()
            if name in known or not part or _has(part, known)
        }
    return [_filled(next(part for part in form if _has(part, known)), known)]


def _plain_types(tree: QueryGraph) -> QueryGraph:
    """Return a query in which a class is stated without the way over its subclasses, which a template means anyway."""

    def change(part: Any) -> Any:
        match part:
            case Path((IRI() as first, *others), "/") if first == _TYPE and all(map(_leads_above, others)):
                return _TYPE
        return part

    return sparql.rewritten(tree, change)


def _leads_above(path: IRI | Path) -> bool:
    return isinstance(path, Path) and path.relations == (IRI(RDFS + "subClassOf"),) and path.sign in ("*", "+", "?")


def _take_names(tree: QueryGraph, properties: Collection[IRI]) -> tuple[QueryGraph, dict[Any, IRI]]:
    """Return a query without the patterns that find something by its label, and what is found as mentions."""
    shown = {term for term in sparql.terms(tree.columns) if isinstance(term, Variable)}
    found: dict[Any, IRI] = {}

    def change(part: Any) -> Any:
        match part:
            case EdgePattern(Variable() as thing, IRI() as relation, Literal(value)):
                if thing not in shown and relation in properties and value.strip():
                    found[thing] = written(value)
                    return ()
        return part

    return sparql.rewritten(tree, change), found


def _triples(template: Template) -> list[dict[str, str]]:
    """Return the patterns of a template in words."""

    def said(term: str) -> str:
        if term in template.slots:
            return template.slots[term].text
        return term.partition("^^")[0].strip('"') if term.startswith('"') else term

    triples: list[dict[str, str]] = []
    for pattern in template.patterns:
        predicate = pattern.edge.relation
        relation = template.slots[pattern.relation].text if pattern.relation else "is a"
        if isinstance(predicate, Variable):
            relation = str(predicate)
        triple = {"subject": said(pattern.subject), "relation": relation, "object": said(pattern.object)}
        if triple not in triples:
            triples.append(triple)
    return triples
