"""From the model's sentences to an answer: what their evidence holds, its values, and citations that can be opened.

Values come from the results that the answer cites: the model names which, and a number or a name that it writes is
found again in them. Where it cites none, they are the values that it gives, as texts.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from pydantic import BaseModel

from triad.answers import Answer, WordUse
from triad.citations import Citation, CitedSentence
from triad.errors import GraphError, SearchError
from triad.kg.guard import check
from triad.language.definitions import is_defined
from triad.language.normalize import fold
from triad.language.pack import Pack
from triad.language.text_quantities import number_of, numbers
from triad.phases.answering import PROVENANCE_LIMIT
from triad.phases.context import Context
from triad.phases.grounding.question_names import Named
from triad.questions import Candidate
from triad.rdf import IRI, NUMERIC, BlankNode, Literal, Triple, Value
from triad.retrieval.evidence import Evidence
from triad.retrieval.holding import Holding
from triad.retrieval.sources import Sources
from triad.retrieval.tables.database import Tables
from triad.route import Branch
from triad.search.base import CLOSE, Lookup
from triad.text import one_line

_SURE: Final = 0.9
"""The confidence of an answer whose evidence holds all of it: that this is what was asked for, no program can tell. An
answer whose evidence holds none of its sentences has half of it, and is a guess where no other least is set."""
_OPENED: Final = 12  # things of a result whose facts are looked up
_UNHELD: Final = " [?]"  # stands behind a sentence that its evidence does not hold

Row = tuple[Value | None, ...]


class ReplySentence(BaseModel):
    """A sentence of a reply, with the numbers of what it cites."""

    text: str
    cites: list[int] = []


class Reply(BaseModel):
    """What the model replies: an answer in sentences, or what it asks for, or what the sources do not tell."""

    sentences: list[ReplySentence] = []
    values: list[str] = []
    sql: list[str] = []
    search: list[str] = []
    graph: list[str] = []
    missing: str = ""

    def requests(self) -> dict[Branch, list[str]]:
        """Return what is asked for, by branch."""
        asked: dict[Branch, list[str]] = {"graph": self.graph, "sql": self.sql, "passages": self.search}
        kept = {branch: [text.strip() for text in texts if text.strip()] for branch, texts in asked.items()}
        # requests of a kind in one reply that are heeded
        return {branch: texts[:4] for branch, texts in kept.items() if texts}


def answer_told(
    context: Context,
    reply: Reply,
    evidence: Sequence[Evidence],
    names: Sequence[Named],
    packs: Sequence[Pack],
    sources: Sources,
) -> Answer | None:
    """Return the answer that the sentences of a reply give to what was shown; None if nothing of it is left."""
    holding = Holding(evidence, context.question.text, [one.candidate.label for one in names if one.words], packs)
    sentences = holding.checked([(one_line(one.text, 600), tuple(dict.fromkeys(one.cites))) for one in reply.sentences])
    held = sum(one.held for one in sentences) / len(sentences)
    if sources.options.strict:
        sentences = tuple(one for one in sentences if one.held)
    if not sentences:
        return None
    cited_numbers = {number for one in sentences for number in one.cites}
    cited = [one for one in evidence if one.citation.number in cited_numbers]
    missing = one_line(reply.missing, 400).rstrip(".")
    with context.look_around("facts behind the evidence, names of the values"):
        cited = [_with_things(context, one) for one in cited]
        results = [one for one in cited if one.is_result]
        citations = tuple(_opened(context, one.citation, sources.tables) for one in cited)
        boolean, variables, rows = _values(context, reply, cited, packs, sources.options.rows)
    graph_only = {one.citation.source for one in cited} == {"graph"}
    by_number = {one.number: one.source for one in citations}
    tables = [(sources.tables, one.query) for one in citations if one.source == "table" and sources.tables]
    used = (one for asked, query in tables for one in asked.used(query or ""))
    text = marked(sentences)
    if boolean is None and all(value is None for row in rows for value in row):
        variables, rows = ("answer",), ((Value(Literal(text), text),),)
    return Answer(
        context.question,
        "select" if boolean is None else "boolean",
        variables,
        rows,
        boolean,
        query=next((one.citation.query for one in cited), None) if graph_only else None,
        links=_links(names, cited, sentences),
        provenance=tuple(dict.fromkeys(fact for one in citations for fact in one.triples))[:PROVENANCE_LIMIT],
        source=results[0].citation.source if results else by_number[sentences[0].cites[0]],
        confidence=round(_SURE * (1 + held) / 2, 4),
        text=text,
        truncated=any(one.truncated for one in results),
        notes=(missing,) if missing else (),
        words=tuple(WordUse(one.word, one.kind, one.meaning) for one in dict.fromkeys(used)),
        sentences=sentences,
        citations=citations,
    )


def marked(sentences: Iterable[CitedSentence]) -> str:
    """Return sentences as a text; those that their evidence does not hold have a mark behind them."""
    return " ".join(one.text if one.held else one.text + _UNHELD for one in sentences)


# Values ---------------------------------------------------------------------------------------------------


def _values(
    context: Context, reply: Reply, cited: Sequence[Evidence], packs: Sequence[Pack], most: int
) -> tuple[bool | None, tuple[str, ...], tuple[Row, ...]]:
    """Return the boolean, the variables and the rows of an answer, of whose results so many rows were shown at most."""
    results = [one for one in cited if one.is_result]
    if len(results) == 1 and results[0].boolean is not None:
        return results[0].boolean, (), ()
    given = list(filter(None, map(one_line, reply.values)))[:100]  # values that a reply may give
    # Of a result that was cut in the prompt, the model can name no more than it was shown.
    whole = [one for one in results if len(one.rows) > most and len(given) >= most]
    if results and (not given or whole):
        first = (whole or results)[0]
        return None, first.variables, first.rows
    found = [_cell_for(text, results, packs) for text in given]
    if results and not any(found):
        return None, results[0].variables, results[0].rows
    values = [cell or Value(Literal(text), text) for text, cell in zip(given, found, strict=True)]
    named = _named(context, values, cited)
    return None, ("value",) if values else (), tuple((named.get(value.label, value),) for value in values)


def _cell_for(text: str, results: Sequence[Evidence], packs: Sequence[Pack]) -> Value | None:
    """Return the value of a result that a text is: of the same name, or the same number."""
    for one in results:
        for row in one.rows:
            if same := [value for value in row if value is not None and fold(value.label) == fold(text)]:
                return next((value for value in same if isinstance(value.term, IRI)), same[0])
    if len(said := numbers(text, packs)) != 1:
        return None
    for one in results:
        for row in one.rows:
            for name, value in zip(one.variables, row, strict=True):
                if value is None or not isinstance(value.term, Literal):
                    continue
                if value.term.datatype in NUMERIC and value.term.number is not None:
                    known = [number_of(value.term.number, name, packs)]
                else:
                    known = numbers(value.label, packs) if re.search(r"\d", value.label) else []
                if any(said[0].is_held_by(other) for other in known):
                    return replace(value, text=text)
    return None


def _named(context: Context, values: Sequence[Value], cited: Sequence[Evidence]) -> dict[str, Value]:
    """Return things in place of texts that are their names, by these texts."""
    known: dict[str, str] = {}
    for one in cited:
        known |= {fold(name): iri for iri, name in zip(one.citation.things, one.names, strict=False)}
    texts = [value.label for value in values if _may_name(value)]
    found = {text: Value(IRI(known[fold(text)]), text) for text in texts if fold(text) in known}
    looked_up = _looked_up(context, [text for text in texts if text not in found])
    return found | {text: Value(IRI(one.iri), one.label) for text, one in looked_up.items()}


def _links(names: Sequence[Named], cited: Sequence[Evidence], told: Sequence[CitedSentence]) -> dict[str, Candidate]:
    """Return what names of the question were taken for: the things that the evidence is about."""
    about = {iri for one in cited for iri in one.citation.things}
    text = " ".join(fold(one.text) for one in told)
    queries = " ".join(fold(one.citation.query or "") for one in cited)
    links: dict[str, Candidate] = {}
    for one in names:
        candidate = one.candidate
        said = fold(candidate.label)
        if candidate.kind == "entity" and (candidate.iri in about or said in queries) and (one.words or said in text):
            is_part = one.words and set(fold(one.words).split()) <= set(said.split())
            links.setdefault(one.words if is_part else candidate.label, candidate)
    return links


# Citations ------------------------------------------------------------------------------------------------


def _with_things(context: Context, evidence: Evidence) -> Evidence:
    """Return the result of SQL with the things that its first rows name, where it has only their names."""
    if evidence.citation.source != "table" or evidence.citation.things:
        return evidence
    texts = [value.label for row in evidence.rows[:_OPENED] for value in row if value and _may_name(value)]
    found = _looked_up(context, list(dict.fromkeys(texts))[:_OPENED])
    citation = replace(evidence.citation, things=tuple(one.iri for one in found.values()))
    return replace(evidence, citation=citation, names=tuple(found))


def _may_name(value: Value) -> bool:
    return isinstance(value.term, Literal) and value.term.datatype not in NUMERIC and 1 < len(value.label) <= 100


def _looked_up(context: Context, names: Sequence[str]) -> dict[str, Candidate]:
    """Return the things that have some names, by these; none where the index fails."""
    try:
        found = context.search([Lookup(name, ("entity",), 1, exact=True) for name in names]) if names else []
    except SearchError:
        return {}
    return {name: one[0] for name, one in zip(names, found, strict=True) if one and one[0].score >= CLOSE}


def _opened(context: Context, citation: Citation, tables: Tables | None) -> Citation:
    """Return a citation with the facts behind it: of a table's first things, by the columns that its query names."""
    if citation.triples or citation.source != "table" or tables is None:
        return citation
    query = citation.query or ""
    relations = {one.relation for one in tables.named_in(query) if not is_defined(one.relation)}
    relations |= {table.iri for table in tables.schema.named_in(query) if table.kind in ("links", "values")}
    things = [f"<{iri}>" for iri in citation.things if not iri.startswith("urn:blank:")][:_OPENED]
    if not things or not (asked := " ".join(f"<{iri}>" for iri in sorted(filter(None, relations)))):
        return citation
    query = f"SELECT ?s ?p ?o WHERE {{ VALUES ?s {{ {' '.join(things)} }} VALUES ?p {{ {asked} }} ?s ?p ?o }}"
    try:
        found = context.graph.select(check(query, replace(context.policy, row_limit=PROVENANCE_LIMIT)), timeout=3.0)
    except GraphError:  # a citation is of use without its facts, too
        return citation
    rows = [row for row in found.rows if isinstance(row[0], IRI | BlankNode) and isinstance(row[1], IRI) and row[2]]
    return replace(citation, triples=tuple(Triple(*row) for row in rows))  # type: ignore[arg-type]
