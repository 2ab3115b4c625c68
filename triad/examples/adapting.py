"""A pair in the words of a prompt: labels as mentions in place of IRIs, and what the query says as triples.

A prompt file says what an example of it looks like: it names its inputs, and its own examples show the form of a reply.
So an example is made for any prompt that is asked for triples, an answer type or a template, in whatever form.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from triad import sparql
from triad.datasets.base import BadRecord, answer_type
from triad.errors import QuerySyntaxError
from triad.examples.pairs import Pair
from triad.kg.schema import Schema
from triad.language.normalize import local_name
from triad.prompts import Prompt
from triad.queries.template import Template, written
from triad.rdf import RDF, RDFS, STANDARD, XSD
from triad.sparql.term import TYPE, URIRef, Variable
from triad.sparql.term import Literal as LeafLiteral

__all__ = ["adapted", "as_example", "is_silent", "reply_form"]

_LONGEST: Final = 600  # characters of a template that is shown, for prompts are paid for
_UNSAID: Final = {"DescribeQuery", "ConstructQuery"}


def adapted(pair: Pair, schema: Schema) -> dict[str, Any] | None:
    """Return what a pair says, by the names that prompts have for it; None if it cannot be said in mentions.

    Raises:
        GraphError: The graph failed.
    """
    tree = sparql.node(_plain_types(sparql.parse(pair.query)))
    mentions: dict[Any, URIRef] = _take_names(tree, {URIRef(RDFS + "label"), *map(URIRef, schema.label_properties)})
    iris = [term for term in sparql.terms(tree) if isinstance(term, URIRef) and term != TYPE]
    named = [iri for iri in iris if not iri.startswith(XSD)]
    if tree.name in _UNSAID or tree.datasetClause or any(str(iri).startswith(STANDARD) for iri in named):
        return None
    if any(True for _ in sparql.nodes(tree, "Service")):
        return None
    labels = schema.labels(map(str, named))
    mentions |= {iri: written(_mention(labels[str(iri)], iri)) for iri in named}
    try:
        lines = sparql.write(sparql.substitute(tree, mentions), {"rdf": RDF, "xsd": XSD}).split("\n")
        text = " ".join(" ".join(line for line in lines if not line.startswith("PREFIX ")).split())
        text = text.replace(" rdf:type ", " a ")
        template = Template(text)
        kind = answer_type(text)
    except (QuerySyntaxError, BadRecord):
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


def _plain_types(tree: Any) -> Any:
    """Return a tree in which a class is stated without the way over its subclasses: a template means that by itself."""
    if isinstance(tree, sparql.Node):
        if tree.name == "PathSequence" and _is_type_path(tree):
            return TYPE
        copy = sparql.Node(tree.name)
        for name, part in tree.items():
            copy[name] = _plain_types(part)
        return copy
    return [_plain_types(part) for part in tree] if isinstance(tree, list) else tree


def _take_names(tree: sparql.Node, properties: Collection[URIRef]) -> dict[Any, URIRef]:
    """Take the patterns out of a tree that find something by its label, and return what is found as mentions.

    Args:
        tree: The tree, which is changed.
        properties: The properties that hold labels.
    """
    shown = {term for item in tree.projection or [] for term in sparql.terms(item)}

    def names(subject: Any, predicate: Any, value: Any) -> bool:
        path = sparql.simple(predicate)
        known = isinstance(subject, Variable) and subject not in shown and isinstance(value, LeafLiteral)
        return known and isinstance(path, URIRef) and path in properties and bool(str(value).strip())

    found: dict[Any, URIRef] = {}
    for block in sparql.nodes(tree, "TriplesBlock"):
        kept: list[list[Any]] = []
        for flat in block.triples or []:
            kept.append([])
            for at in range(0, len(flat), 3):
                if names(*flat[at : at + 3]):
                    found[flat[at]] = written(str(flat[at + 2]))
                else:
                    kept[-1] += flat[at : at + 3]
        block["triples"] = kept
    return found


def _is_type_path(path: sparql.Node) -> bool:
    parts = [sparql.simple(part) for part in path.part]
    return parts[0] == TYPE and all(
        isinstance(part, sparql.Node) and part.part == URIRef(RDFS + "subClassOf") and part.mod in ("*", "+", "?")
        for part in parts[1:]
    )


def _mention(label: str, iri: str) -> str:
    """Return the name of a mention: one that reads as an IRI would be taken for one."""
    return label if label.strip() and "://" not in label else local_name(iri)


def _triples(template: Template) -> list[dict[str, str]]:
    """Return the patterns of a template in words."""

    def said(term: str) -> str:
        if term in template.slots:
            return template.slots[term].text
        return term.partition("^^")[0].strip('"') if term.startswith('"') else term

    triples: list[dict[str, str]] = []
    for pattern in template.patterns:
        predicate = pattern.triple[1]
        relation = template.slots[pattern.relation].text if pattern.relation else "is a"
        if isinstance(predicate, Variable):
            relation = f"?{predicate}"
        triple = {"subject": said(pattern.subject), "relation": relation, "object": said(pattern.object)}
        if triple not in triples:
            triples.append(triple)
    return triples
