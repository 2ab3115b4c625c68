"""How an answer came about, told in words.

An `Answer` carries all there is to tell: what the mentions were taken for, the query, the facts behind it, and a
trace of every call. `explain` writes it as plain text for a terminal, or as Markdown for a notebook or an issue.
Labels and literals are text of strangers: each stays on one line, and in Markdown its special characters are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from triad.questions import Candidate
from triad.rdf import IRI, RDF_LANG_STRING, RDF_TYPE, XSD, Literal, Term, Triple, compact
from triad.text import address, clean, escaped, one_line
from triad.trace import Step, Trace, Usage

if TYPE_CHECKING:
    from triad.answers import Answer, Unknown
    from triad.citations import Citation

__all__ = ["cost", "explain", "origin"]

FACTS: Final = 10
"""Facts that are told; of the others only how many there are."""

_TOLD: Final = 1_200
"""Characters of an answer in sentences, or of a line of evidence, that are told."""
_LINES: Final = 30
"""Lines of a piece of evidence that are told."""
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
    told = _Told.of(answer, unknown)
    sections = _in_markdown(answer, told) if markdown else _in_plain_text(answer, told)
    return "\n\n".join("\n".join(lines) for lines in sections if lines)


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


@dataclass(frozen=True, slots=True)
class _Told:
    """What is told in doubt: why there is no answer, what was left out, and what else the question may mean."""

    reasons: tuple[str, ...]
    ignored: tuple[str, ...]
    taken: tuple[tuple[str, str], ...]
    readings: tuple[str, ...]
    title: str
    """What stands before the answer."""
    passages: tuple[str, ...] = ()
    """Passages that were found, and that nobody has read."""

    @classmethod
    def of(cls, answer: Answer, unknown: Unknown | None) -> Self:
        source = unknown or answer
        return cls(
            tuple(reason.text for reason in unknown.reasons) if unknown else (),
            source.ignored,
            tuple((one.asked, one.taken) for one in source.substituted),
            source.readings,
            "Perhaps" if unknown and unknown.guess else "Answer",
            tuple(
                f"{one_line(one.citation.title)}{_where(one.citation)}: {one_line(one.citation.text)}"
                for one in (unknown.passages if unknown else ())
            ),
        )


# The two notations ----------------------------------------------------------------------------------------


def _in_plain_text(answer: Answer, told: _Told) -> list[list[str]]:
    links = [
        f"  {one_line(mention)!r}: {one_line(what.label)}, {_kind(what, answer.prefixes)}"
        for mention, what in answer.links.items()
    ]
    facts = [f"  {' | '.join(fact)}" for fact in _facts(answer)]
    sections = [
        [f"Question: {one_line(answer.question.text)}"],
        _titled("I don't know", [f"  {one_line(reason)}" for reason in told.reasons]),
        _titled("Mentions, and what they were taken for", links),
        _titled("Words that nothing accounts for", [f"  {one_line(words)!r}" for words in told.ignored]),
        _titled(
            "Names taken in place of others",
            [f"  {one_line(taken)} for {one_line(asked)!r}" for asked, taken in told.taken],
        ),
        _titled("Query", [f"  {line}" for line in _query(answer)]),
        _titled("Facts", [*facts, *(f"  {line}" for line in _more_facts(answer))]),
        [
            f"{told.title}: {one_line(answer.text, _TOLD) or 'none'}",
            *(f"  {line}" for line in _verdict(answer, one_line)),
        ],
        _titled("Sentences and their evidence", [f"  {line}" for line in _sentences(answer, one_line)]),
        *_cited_in_plain_text(answer),
        _titled("Passages that may help, which no model has read", [f"  {line}" for line in told.passages]),
        _titled("What speaks against it", [f"  {one_line(doubt.text)}" for doubt in answer.doubts]),
        _titled("Other rungs", [f"  {line}" for line in _rungs(answer, one_line)]),
        _titled("Other readings", [f"  {one_line(reading)}" for reading in told.readings]),
    ]
    if answer.trace:
        calls = [f"  {', '.join(cells)}" for cells in _calls(answer.trace)]
        sections.append(_titled("Cost", [*(f"  {line}" for line in _totals(answer.trace)), *calls]))
    return sections


def _in_markdown(answer: Answer, told: _Told) -> list[list[str]]:
    links = [
        (escaped(mention), escaped(what.label), what.kind, address(what.iri)) for mention, what in answer.links.items()
    ]
    query = _query(answer)
    fence = _fence(query)
    facts = [f"- {' — '.join(map(escaped, fact))}" for fact in _facts(answer)]
    sections = [
        [f"## {escaped(answer.question.text)}"],
        *_headed("I don't know", [f"- {escaped(reason)}" for reason in told.reasons]),
        *_headed("Mentions", _table(("mention", "taken for", "kind", "IRI"), links)),
        *_headed("Words that nothing accounts for", [f"- {escaped(words)}" for words in told.ignored]),
        *_headed(
            "Names taken in place of others",
            [f"- {escaped(taken)} for {escaped(asked)}" for asked, taken in told.taken],
        ),
        *_headed("Query", [f"{fence}sparql", *query, fence] if query else []),
        *_headed("Facts", [*facts, *(f"- {line}" for line in _more_facts(answer))]),
        *_headed(told.title, [f"**{escaped(answer.text or 'none')}**"]),
        [f"- {line}" for line in _verdict(answer, escaped)],
        *_headed("Sentences and their evidence", [f"- {line}" for line in _sentences(answer, escaped)]),
        *_cited_in_markdown(answer),
        *_headed("Passages that may help, which no model has read", [f"- {escaped(one)}" for one in told.passages]),
        *_headed("What speaks against it", [f"- {escaped(doubt.text)}" for doubt in answer.doubts]),
        *_headed("Other rungs", [f"- {line}" for line in _rungs(answer, escaped)]),
        *_headed("Other readings", [f"- {escaped(reading)}" for reading in told.readings]),
    ]
    if answer.trace:
        calls = _table(("step", "role", "subtask", "tokens", "time"), _calls(answer.trace))
        sections += [*_headed("Cost", [f"- {line}" for line in _totals(answer.trace)]), calls]
    return sections


def _titled(title: str, lines: list[str]) -> list[str]:
    return [title, *lines] if lines else []


def _headed(title: str, lines: list[str]) -> list[list[str]]:
    return [[f"### {title}"], lines] if lines else []


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    lines = [f"| {' | '.join(cells)} |" for cells in (header, *rows)]
    return [lines[0], re.sub(r"[^|]+", "---", lines[0]), *lines[1:]] if len(lines) > 1 else []


# Evidence -------------------------------------------------------------------------------------------------


def _sentences(answer: Answer, written: Callable[[str], str]) -> list[str]:
    """Return the sentences of an answer with the numbers of what they cite, and what that does not hold."""
    lines = []
    for one in answer.sentences:
        cites = "".join(f"[{number}]" for number in one.cites)
        missing = f" (its evidence does not hold {', '.join(map(written, one.missing))})" if one.missing else ""
        lines.append(f"{written(one.text)} {written(cites)}{missing}")
    return lines


def _cited_in_plain_text(answer: Answer) -> list[list[str]]:
    """Return a section for each citation: its query and its rows, or its text, and the facts behind it."""
    return [
        [
            f"[{one.number}] {_KINDS[one.source]}: {one_line(one.title)}{_where(one)}",
            *(f"  {line}" for line in clean(one.query or "").splitlines()),
            *(f"  {one_line(line, _TOLD)}" for line in one.text.splitlines()[:_LINES]),
            *([f"  and {more:,} more lines"] if (more := len(one.text.splitlines()) - _LINES) > 0 else []),
            *(f"  fact: {' | '.join(fact)}" for fact in _triples(answer, one)),
        ]
        for one in answer.citations
    ]


def _cited_in_markdown(answer: Answer) -> list[list[str]]:
    sections: list[list[str]] = []
    for one in answer.citations:
        query = clean(one.query or "").splitlines()
        fence = _fence(query)
        lines = [clean(line) for line in one.text.splitlines()]
        around = _fence(lines)
        sections += [
            [f"#### {escaped(f'[{one.number}]')} {_KINDS[one.source]}: {escaped(one.title)}{escaped(_where(one))}"],
            [f"{fence}{'sql' if one.source == 'table' else 'sparql'}", *query, fence] if query else [],
            [around, *lines[:_LINES], around],
            [f"- {' — '.join(map(escaped, fact))}" for fact in _triples(answer, one)],
        ]
    return sections


def _where(citation: Citation) -> str:
    """Return the path of a document, and the date of any evidence that bears one."""
    parts = [part for part in (citation.document, citation.date) if part]
    return f" ({', '.join(map(one_line, parts))})" if parts else ""


def _triples(answer: Answer, citation: Citation) -> list[tuple[str, ...]]:
    return _told_facts(answer, citation.triples[:FACTS])


def _fence(lines: Iterable[str]) -> str:
    return "`" * max(3, 1 + max(map(len, re.findall("`+", "".join(lines))), default=0))


# What both tell -------------------------------------------------------------------------------------------


def _kind(candidate: Candidate, prefixes: Mapping[str, str]) -> str:
    iri = one_line(compact(candidate.iri, prefixes))
    if candidate.kind == "literal":
        return f"a text that {iri} has" if candidate.iri else "a text"
    return f"{'an entity' if candidate.kind == 'entity' else f'a {candidate.kind}'} {iri}"


def _query(answer: Answer) -> list[str]:
    return clean(answer.query or "").splitlines()


def _facts(answer: Answer) -> list[tuple[str, ...]]:
    # The facts behind citations are told with these.
    return [] if answer.citations else _told_facts(answer, answer.provenance[:FACTS])


def _told_facts(answer: Answer, facts: Iterable[Triple]) -> list[tuple[str, ...]]:
    names = {what.iri: what.label for what in answer.links.values() if what.kind != "literal"}
    names |= {str(value.term): value.label for value in answer.values if isinstance(value.term, IRI)}
    names[RDF_TYPE] = "is a"
    texts = {value.term: value.text for value in answer.values if value.text}

    def named(term: Term) -> str:
        return one_line(texts[term]) if term in texts else _named(term, names, answer.prefixes)

    return [
        (
            named(fact.subject),
            named(fact.predicate),
            named(fact.object),
            *([f"in {', '.join(map(named, fact.graphs))}"] if fact.graphs else []),
        )
        for fact in facts
    ]


def _more_facts(answer: Answer) -> list[str]:
    more = 0 if answer.citations else len(answer.provenance) - FACTS
    return [f"and {more:,} more"] if more > 0 else []


def _named(term: Term, names: Mapping[str, str], prefixes: Mapping[str, str]) -> str:
    if isinstance(term, IRI):
        return one_line(names[term.value] if term.value in names else compact(term.value, prefixes))
    if isinstance(term, Literal) and term.datatype not in _TEXT:
        return one_line(term.value)
    return one_line(term.n3())


def _verdict(answer: Answer, written: Callable[[str], str]) -> list[str]:
    lines = []
    if answer.source == "model":
        lines.append("From the model's own knowledge; it was not checked against the graph.")
    elif _is_reached(answer):
        where = f"From {_FROM[answer.source]}"
        lines.append(f"{where}." if answer.method == "model" else f"{where}, without a language model.")
        if answer.method == "lexical" and (failure := _failure(answer.trace)):
            lines.append(f"The model had failed: {written(failure)}")
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


def _rungs(answer: Answer, written: Callable[[str], str]) -> list[str]:
    """Return what the other rungs of the ladder said."""
    return [f"{one.rung}: {written(one.text) or 'nothing'} (confidence {one.confidence:.2f})" for one in answer.below]


def _failure(trace: Trace | None) -> str | None:
    """Return why the model gave way to the lexical solver, where the trace has it."""
    steps = trace.steps if trace else ()
    return next((step.error for step in reversed(steps) if step.service == "model" and step.error), None)


def _is_reached(answer: Answer) -> bool:
    return bool(answer.query or answer.rows or answer.boolean is not None)


def _totals(trace: Trace) -> list[str]:
    phases = [f"{phase} {seconds:.2f} s" for phase, seconds in trace.seconds_by_phase().items()]
    rungs = [f"{rung}: {', '.join(cost(usage))}" for rung, usage in trace.usage_by("rung").items()]
    whole = ", ".join([*cost(trace.usage), f"{trace.seconds:.2f} s"])
    return [whole, *([", ".join(phases)] if phases else []), *rungs]


def _calls(trace: Trace) -> list[tuple[str, ...]]:
    return [_call(number, step) for number, step in enumerate(trace.steps, 1) if step.service == "model"]


def _call(number: int, step: Step) -> tuple[str, ...]:
    tokens = f"{step.usage.input_tokens:,} tokens in and {step.usage.output_tokens:,} out"
    return f"step {number}", step.role or "", step.action, "failed" if step.error else tokens, f"{step.seconds:.2f} s"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
