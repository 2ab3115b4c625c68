"""Evidence: what the branches found, numbered, as a prompt shows it and as an answer cites it.

All of it is data. In a prompt each text stands as a JSON string on a line of its own, behind a label that the program
wrote, so that no text can end its own quotation, pose as another piece of evidence, or as an instruction.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from triad.answers import Answer
from triad.citations import Citation, EvidenceSource
from triad.kg.schema import Schema
from triad.language.normalize import fold
from triad.phases.context import Context
from triad.prompts import quoted
from triad.rdf import IRI, XSD, Literal, Value
from triad.retrieval.search.base import Hit, Passage
from triad.retrieval.sql import tables_in
from triad.retrieval.tables.database import Rows
from triad.text import clean, one_line, shortened, within

_LEAST: Final = 240  # characters of a piece of evidence below which it is left out rather than cut
_ADDRESS: Final = re.compile(r"(?:https?://|urn:)\S+")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A piece of evidence."""

    citation: Citation
    lines: tuple[str, ...]
    """Its text: the rows of a result, or the sentences of a passage."""
    variables: tuple[str, ...] = ()
    rows: tuple[tuple[Value | None, ...], ...] = ()
    """The values of a result."""
    boolean: bool | None = None
    truncated: bool = False
    names: tuple[str, ...] = ()
    """Names of things that it is about."""

    def numbered(self, number: int) -> Self:
        """Return the same under another number."""
        return replace(self, citation=replace(self.citation, number=number))

    @property
    def is_result(self) -> bool:
        """True if it is the result of a query, whose values can be the answer."""
        return self.citation.query is not None

    @property
    def words(self) -> frozenset[str]:
        """All words of it, folded: of its title, text, query and names."""
        one = self.citation
        return frozenset(fold(" ".join((one.title, *self.lines, one.query or "", *self.names))).split())


def from_passage(passage: Passage, names: Sequence[str] = ()) -> Evidence:
    """Return a passage as evidence."""
    told = (triple for sentence in passage.sentences for triple in sentence.triples)
    things, triples = passage.things, tuple(dict.fromkeys(told))
    citation = Citation(
        0, passage.source, passage.title, passage.text, things, triples, document=passage.document, date=passage.date
    )
    return Evidence(citation, tuple(sentence.text for sentence in passage.sentences), names=tuple(names))


def from_rows(rows: Rows, query: str, schema: Schema) -> Evidence:
    """Return the result of SQL as evidence, with the query as it was written; the things in it have their names."""
    plain = rows.plain()
    iris = list(dict.fromkeys(cell for row in plain for cell in row if _is_thing(cell)))
    labels = schema.labels(iris) if iris else {}
    values = tuple(tuple(_value(cell, labels) for cell in row) for row in plain)
    lines = [json.dumps([_cell(cell) for cell in row], ensure_ascii=False) for row in plain]
    only = plain[0][0] if len(plain) == 1 and len(plain[0]) == 1 else None  # of a yes/no question the answer
    tables = ", ".join(tables_in(rows.sql))
    text = "\n".join([json.dumps(list(rows.columns), ensure_ascii=False), *lines])
    citation = Citation(0, "table", tables or "SQL", text, tuple(iris), query=query)
    boolean = only if isinstance(only, bool) else None
    names = tuple(labels[iri] for iri in iris if iri in labels)
    return Evidence(citation, tuple(lines), rows.columns, values, boolean, rows.truncated, names)


def from_answer(answer: Answer) -> Evidence:
    """Return the answer of the phases, or of a rung below, as evidence."""
    rows = [[None if value is None else value.label for value in row] for row in answer.rows]
    lines = [json.dumps([_cell(cell) for cell in row], ensure_ascii=False) for row in rows]
    if answer.boolean is not None:
        lines = ["yes" if answer.boolean else "no"]
    things = dict.fromkeys(value.term.value for value in answer.values if isinstance(value.term, IRI))
    named = {link.iri: link.label for link in answer.links.values() if link.kind == "entity"}
    names = (*named.values(), *(value.label for value in answer.values if isinstance(value.term, IRI)))
    about, text = tuple(dict.fromkeys([*things, *named])), "\n".join(lines)
    citation = Citation(0, "graph", answer.question.text, text, about, answer.provenance, answer.query)
    return Evidence(citation, tuple(lines), answer.variables, answer.rows, answer.boolean, answer.truncated, names)


def of_citation(citation: Citation) -> Evidence:
    """Return the evidence that a citation is of, without the values of a result."""
    if citation.source == "table":
        columns, *rows = citation.text.splitlines()
        return Evidence(citation, tuple(rows), tuple(json.loads(columns)))
    return Evidence(citation, tuple(citation.text.splitlines()) if citation.query else (citation.text,))


def shown(evidence: Evidence, room: int, rows: int, wanted: Iterable[str] = ()) -> dict[str, Any] | None:
    """Return the number, head and lines of evidence as a prompt shows it; None where it has too few characters of room.

    Of a passage that is cut, the sentences with most of the wanted words or stems are kept.
    """
    title = _head(evidence, 600)  # characters of a query that a prompt shows
    room -= len(title) + 8
    if room < min(_LEAST, sum(map(len, evidence.lines))):
        return None
    if evidence.is_result:
        lines = _cut_rows(evidence, room, rows)
    else:
        text, left = " ".join(evidence.lines), 0
        if len(text) > room - 2:
            kept = _nearest(evidence.lines, room - 60, {fold(word) for word in wanted})
            left = len(evidence.lines) - len(kept)
            text = shortened(" ".join(kept), room - 40)
        lines = [quoted(text, room), *([f"({left} more sentences)"] if left else [])]
    return {"number": evidence.citation.number, "head": title, "lines": lines}


def inputs(context: Context, **shown: Any) -> dict[str, Any]:
    """Return the inputs of the prompt that asks for an answer from evidence; what is not shown is empty."""
    empty = dict.fromkeys(("evidence", "failed", "names", "tables", "branches", "unused"), ())
    question = context.question
    return {"question": question.text, "language": question.language or "en", **empty, "hidden": "", "left": 0, **shown}


def head(evidence: Evidence) -> str:
    """Return the number of evidence and where it is from, cut to what tells it from others."""
    return f"[{evidence.citation.number}] {_head(evidence, 80)}"


def _head(evidence: Evidence, length: int) -> str:
    one = evidence.citation
    kinds: dict[EvidenceSource, str] = {
        "graph": "graph, asked",
        "table": "SQL",
        "passages": "graph in words, about",
        "documents": "document",
    }
    title = one_line(one.query or "", length) if one.source == "table" else one.title
    dated = f", dated {one_line(one.date, 30)}" if one.date else ""
    return f"{kinds[one.source]} {quoted(title, length)}{dated}"


def _cut_rows(evidence: Evidence, room: int, most: int) -> list[str]:
    """Return the lines of a result: its columns, and as many rows as there is room for, with the count of all."""
    count = len(evidence.lines)
    if evidence.boolean is not None and evidence.citation.source == "graph":
        return list(evidence.lines)
    if not count:
        return ["no rows"]
    names = [one_line(name, 60) for name in evidence.variables]
    columns = [json.dumps(names, ensure_ascii=False)] if names else []
    room -= sum(map(len, columns)) + 130
    kept = [shortened(line, 1_000) for line in within(evidence.lines[:most], room) or evidence.lines[:1]]
    total = f"{count:,}{' or more' if evidence.truncated else ''} row{'s' * (count != 1)}"
    if len(kept) < count:
        why = "the most that is shown" if len(kept) == most else "for which there is room"
        total += f", the first {len(kept)}, {why}; a narrower query, or one that aggregates, tells of the others"
    return [*columns, f"{total}:", *kept]


def _nearest(sentences: Sequence[str], room: int, wanted: set[str]) -> list[str]:
    """Return the sentences that share most words with the question, in their order, as many as there is room for."""

    def shared(at: int) -> int:
        return len(wanted & set(fold(sentences[at]).split()))

    ranked = sorted(range(len(sentences)), key=lambda at: (-shared(at), at))
    kept: list[int] = []
    for at in ranked:
        if len(sentences[at]) + 1 <= room:
            kept.append(at)
            room -= len(sentences[at]) + 1
    return [sentences[at] for at in sorted(kept or ranked[:1])]


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.10g}")
    return shortened(clean(value), 160) if isinstance(value, str) else value  # characters of a cell that a prompt shows


def _is_thing(cell: Any) -> bool:
    return isinstance(cell, str) and _ADDRESS.fullmatch(cell) is not None


def _value(cell: Any, labels: dict[str, str]) -> Value | None:
    """Return a cell of a table as a term with its name."""
    match cell:
        case None:
            return None
        case bool():
            return Value(Literal(str(cell).lower(), XSD + "boolean"), "yes" if cell else "no")
        case int():
            return Value(Literal(str(cell), XSD + "integer"), str(cell))
        case float():
            text = f"{cell:.12g}"
            return Value(Literal(text, XSD + ("double" if "e" in text else "decimal")), text)
        case str() if _is_thing(cell):
            return Value(IRI(cell), labels.get(cell, cell))
        case str() if re.fullmatch(r"\d{4}-\d\d-\d\d", cell):
            return Value(Literal(cell, XSD + "date"), cell)
        case str():
            return Value(Literal(cell), cell)
        case _:
            text = json.dumps(cell, ensure_ascii=False, default=str)
            return Value(Literal(text), text)


def from_hits(hits: Sequence[Hit], schema: Schema) -> list[Evidence]:
    """Return what a search found as evidence."""
    main = [hit.passage.things[:1] for hit in hits]
    labels = schema.labels([iri for things in main for iri in things]) if any(main) else {}
    pairs = zip(hits, main, strict=True)
    return [from_passage(hit.passage, [labels[iri] for iri in things if iri in labels]) for hit, things in pairs]
