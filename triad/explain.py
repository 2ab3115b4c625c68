"""How an answer came about, told in words.

An `Answer` carries all there is to tell: what the mentions were taken for, the query, the facts behind it, and a
trace of every call. `explain` writes it as plain text for a terminal, or as Markdown for a notebook or an issue.
Labels and literals are text of strangers: each stays on one line, and in Markdown its special characters are escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from triad.questions import Candidate
from triad.rdf import IRI, RDF_LANG_STRING, RDF_TYPE, XSD, Literal, Term, Triple, compact
from triad.text import address, clean, escaped, fenced, one_line
from triad.trace import Step, Trace, Usage

if TYPE_CHECKING:
    from triad.answers import Answer, Unknown
    from triad.citations import Citation

_FACTS: Final = 10
"""Facts that are told, so that query and answer stay on one screen; of the others only how many there are."""
_TOLD: Final = 1_200
"""Characters of an answer in sentences, or of a line of evidence: more than a model is asked to write."""
_LINES: Final = 30
"""Lines of a piece of evidence that are told: the 20 rows that a model is shown by default, and some for more."""
_FROM: Final = {
    "graph": "the graph",
    "table": "the graph's tables",
    "passages": "the graph in words",
    "documents": "the documents",
}
_KINDS: Final = {"graph": "Graph", "table": "Table", "passages": "Graph in words", "documents": "Document"}

_TEXT = (XSD + "string", RDF_LANG_STRING)


def explain(answer: Answer, *, unknown: Unknown | None = None, markdown: bool = False) -> str:
    """Tell how an answer came about.

    >>> from triad.answers import Answer
    >>> from triad.questions import Question
    >>> print(explain(Answer(Question("Is Momo a novel?"), "boolean", boolean=True, text="yes", source="model")))
    Question: Is Momo a novel?
    <BLANKLINE>
    Answer: yes
      From the model's own knowledge; it was not checked against the graph.
      Confidence: 0.00

    Args:
        answer: The answer; for a question without one the guess, or an answer without values.
        unknown: Why the question has no answer.
        markdown: Whether to write Markdown in place of plain text.
    """
    sections = chain.from_iterable(map(_markdown if markdown else _plain, _parts(answer, unknown, markdown)))
    return "\n\n".join(map("\n".join, sections))


def origin(answer: Answer) -> str:
    """Say in a few words where an answer comes from."""
    if answer.source == "model":
        return "the model's own knowledge, not checked against the graph"
    if not _is_reached(answer):
        return "no answer was reached"
    where = _FROM[answer.source]
    return f"{where}, without a language model" if answer.method == "lexical" else where


def cost(usage: Usage) -> list[str]:
    """Say what model calls cost: calls, tokens and, where a price is known, money."""
    if usage == Usage():
        return ["no model calls"]
    parts = [_count(usage.calls, "model call")]
    if usage.cached:
        parts.append(f"{_count(usage.cached, 'reply', 'replies')} from the cache")
    parts.append(f"{usage.input_tokens:,} tokens in and {usage.output_tokens:,} out")
    if usage.money:
        parts.append(f"${usage.money:.4f}")
    return parts


# The parts of an explanation ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines of a part: items of a list, code in a language, or the rows of a table under its header."""

    lines: Sequence[str] = ()
    language: str | None = None
    header: tuple[str, ...] = ()
    rows: Sequence[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of an explanation, left out where it has nothing below its title."""

    title: str
    blocks: Sequence[_Block]
    heading: str = ""  # the title in Markdown, where that is another one
    stands_alone: bool = False  # whether the title says something by itself


def _parts(answer: Answer, unknown: Unknown | None, markdown: bool) -> Iterator[_Part]:
    said = escaped if markdown else one_line
    quoted = escaped if markdown else _quoted
    source = unknown or answer

    def listed(title: str, lines: Iterable[str]) -> _Part:
        return _Part(title, [_Block(list(lines))])

    question = said(answer.question.text)
    yield _Part(f"Question: {question}", (), f"## {question}", stands_alone=True)
    yield listed("I don't know", (said(reason.text) for reason in (unknown.reasons if unknown else ())))
    mentions = [
        (escaped(words), escaped(what.label), what.kind, address(what.iri))
        if markdown
        else (f"{_quoted(words)}: {one_line(what.label)}", _kind(what, answer.prefixes))
        for words, what in answer.links.items()
    ]
    table = _Block(header=("mention", "taken for", "kind", "IRI"), rows=mentions)
    yield _Part("Mentions, and what they were taken for", [table], "### Mentions")
    words = (f"{quoted(one.words)} → {said(one.became) or 'left out'}" for one in source.words)
    yield listed("Words, and what they became in the query", words)
    yield _Part("Query", [_Block(clean(answer.query or "").splitlines(), "sparql")])
    if not answer.citations:  # else the facts are told with these
        more = len(answer.provenance) - _FACTS
        facts = _facts(answer, answer.provenance, markdown)
        yield listed("Facts", [*facts, *([f"and {more:,} more"] if more > 0 else [])])
    title = "Perhaps" if unknown and unknown.guess else "Answer"
    text = escaped(answer.text) if markdown else one_line(answer.text, _TOLD)
    heading = f"### {title}\n\n**{text or 'none'}**"
    yield _Part(f"{title}: {text or 'none'}", [_Block(_verdict(answer, said))], heading, stands_alone=True)
    yield listed("Sentences and their evidence", _sentences(answer, said))
    for one in answer.citations:
        yield _cited(answer, one, markdown)
    passages = [
        f"{one_line(one.citation.title)}{where(one.citation)}: {one_line(one.citation.text)}"
        for one in (unknown.passages if unknown else ())
    ]
    yield listed("Passages that may help, which no model has read", map(escaped, passages) if markdown else passages)
    yield listed("What speaks against it", (said(doubt.text) for doubt in answer.doubts))
    rungs = (f"{one.rung}: {said(one.text) or 'nothing'} (confidence {one.confidence:.2f})" for one in answer.below)
    yield listed("Other rungs", rungs)
    assumed = (f"{said(one.taken)}; otherwise {said(str(one))}" for one in source.readings if one.taken)
    yield listed("What was assumed", assumed)
    yield listed("Other readings", (said(str(one)) for one in source.readings if not one.taken))
    if answer.trace:
        steps = enumerate(answer.trace.steps, 1)
        rows = [_call(number, step) for number, step in steps if step.service == "model"]
        calls = _Block(header=("step", "role", "subtask", "tokens", "time"), rows=rows)
        yield _Part("Cost", [_Block(_totals(answer.trace)), calls])


def _cited(answer: Answer, one: Citation, markdown: bool) -> _Part:
    """Return what is told of a citation: its query and its rows, or its text, and the facts behind it."""
    said = escaped if markdown else one_line
    lines = one.text.splitlines()
    more = [] if markdown or len(lines) <= _LINES else [f"and {len(lines) - _LINES:,} more lines"]
    shown = [clean(line) if markdown else one_line(line, _TOLD) for line in lines[:_LINES]]
    facts = [f"{'' if markdown else 'fact: '}{fact}" for fact in _facts(answer, one.triples, markdown)]
    place = escaped(where(one)) if markdown else where(one)
    words = f"{said(f'[{one.number}]')} {_KINDS[one.source]}: {said(one.title)}{place}"
    query = _Block(clean(one.query or "").splitlines(), "sql" if one.source == "table" else "sparql")
    return _Part(words, [query, _Block([*shown, *more], ""), _Block(facts)], f"#### {words}", stands_alone=True)


# The two notations ----------------------------------------------------------------------------------------


def _plain(part: _Part) -> Iterator[list[str]]:
    """Write the title and, indented below it, all lines."""
    lines = [line for block in part.blocks for line in (*block.lines, *map(", ".join, block.rows))]
    if lines or part.stands_alone:
        yield [part.title, *(f"  {line}" for line in lines)]


def _markdown(part: _Part) -> Iterator[list[str]]:
    """Write a heading, and each block as a list, as code or as a table."""
    blocks = [block for block in part.blocks if block.lines or block.rows]
    if blocks or part.stands_alone:
        yield [part.heading or f"### {part.title}"]
    for block in blocks:
        if block.rows:
            rows = [f"| {' | '.join(cells)} |" for cells in (block.header, *block.rows)]
            yield [rows[0], f"|{'---|' * len(block.header)}", *rows[1:]]
        elif block.language is None:
            yield [f"- {line}" for line in block.lines]
        else:
            yield [fenced("\n".join(block.lines), block.language)]


# What both tell -------------------------------------------------------------------------------------------


def _sentences(answer: Answer, written: Callable[[str], str]) -> list[str]:
    """Return the sentences of an answer with the numbers of what they cite, and what that does not hold."""
    lines = []
    for one in answer.sentences:
        cites = "".join(f"[{number}]" for number in one.cites)
        missing = f" (its evidence does not hold {', '.join(map(written, one.missing))})" if one.missing else ""
        lines.append(f"{written(one.text)} {written(cites)}{missing}")
    return lines


def where(citation: Citation) -> str:
    """Return the path of a document, and the date of any evidence that bears one."""
    parts = [part for part in (citation.document, citation.date) if part]
    return f" ({', '.join(map(one_line, parts))})" if parts else ""


def _kind(candidate: Candidate, prefixes: Mapping[str, str]) -> str:
    iri = one_line(compact(candidate.iri, prefixes))
    if candidate.kind == "literal":
        return f"a text that {iri} has" if candidate.iri else "a text"
    return f"{'an entity' if candidate.kind == 'entity' else f'a {candidate.kind}'} {iri}"


def _quoted(words: str) -> str:
    return repr(one_line(words))


def _facts(answer: Answer, facts: Sequence[Triple], markdown: bool) -> list[str]:
    """Return the first facts, each in names."""
    names = {what.iri: what.label for what in answer.links.values() if what.kind != "literal"}
    names |= {str(value.term): value.label for value in answer.values if isinstance(value.term, IRI)}
    names[RDF_TYPE] = "is a"
    texts = {value.term: value.text for value in answer.values if value.text}

    def named(term: Term) -> str:
        return one_line(texts[term]) if term in texts else _named(term, names, answer.prefixes)

    told = []
    for fact in facts[:_FACTS]:
        words = [named(fact.subject), named(fact.predicate), f"{named(fact.object)} {one_line(fact.said)}".strip()]
        if fact.inferred:
            words.append("inferred")
        elif fact.graphs:
            words.append(f"in {', '.join(map(named, fact.graphs))}")
        told.append(" — ".join(map(escaped, words)) if markdown else " | ".join(words))
    return told


def _named(term: Term, names: Mapping[str, str], prefixes: Mapping[str, str]) -> str:
    if isinstance(term, IRI):
        return one_line(names[term.value] if term.value in names else compact(term.value, prefixes))
    if isinstance(term, Literal) and (term.datatype not in _TEXT or term.number is not None):
        return one_line(term.value)
    return one_line(term.n3())


def _verdict(answer: Answer, written: Callable[[str], str]) -> list[str]:
    lines = []
    if answer.source == "model":
        lines.append("From the model's own knowledge; it was not checked against the graph.")
    elif _is_reached(answer):
        where = f"From {_FROM[answer.source]}"
        lines.append(f"{where}." if answer.method == "model" else f"{where}, without a language model.")
        asked = [step.error for step in (answer.trace.steps if answer.trace else ()) if step.service == "model"]
        if answer.method == "lexical" and (failures := [*filter(None, asked)]):
            lines.append(f"The model had failed: {written(failures[-1])}")
    else:
        return ["No answer was reached."]
    if answer.truncated:
        lines.append("The graph has more rows than are shown here: the result was cut.")
    lines += [written(f"{note[:1].upper()}{note[1:]}.") for note in answer.notes]
    lines.append(f"Confidence: {answer.confidence:.2f}")
    if answer.rung:
        lines.append(f"Rung: {answer.rung}")
    elif answer.trace and answer.method == "model":
        lines.append(f"Tries: {answer.trace.attempts}")
    return lines


def _is_reached(answer: Answer) -> bool:
    return bool(answer.query or answer.rows or answer.boolean is not None)


def _totals(trace: Trace) -> list[str]:
    phases = [f"{phase} {seconds:.2f} s" for phase, seconds in trace.seconds_by("phase").items()]
    rungs = [f"{rung}: {', '.join(cost(usage))}" for rung, usage in trace.usage_by("rung").items()]
    whole = ", ".join([*cost(trace.usage), f"{trace.seconds:.2f} s"])
    return [whole, *([", ".join(phases)] if phases else []), *rungs]


def _call(number: int, step: Step) -> tuple[str, ...]:
    tokens = f"{step.usage.input_tokens:,} tokens in and {step.usage.output_tokens:,} out"
    return f"step {number}", step.role or "", step.action, "failed" if step.error else tokens, f"{step.seconds:.2f} s"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
