from __future__ import annotations

import json
from dataclasses import replace

import pytest

from triad.answers import Answer, Reading, Reason, Unknown, WordUse, from_json
from triad.explain import explain
from triad.questions import Candidate, Question
from triad.rdf import IRI, RDF_TYPE, XSD, BlankNode, Literal, Triple, Value
from triad.trace import Message, Step, Trace, Usage

EX = "http://example.org/"
QUESTION = Question("Who founded Intel?")
NOYCE = Value(IRI(EX + "Noyce"), "Robert Noyce")
LINKS = {
    "Intel": Candidate(EX + "Intel", "entity", "Intel Corporation"),
    "founder": Candidate(EX + "founder", "relation", "founded by"),
}
FACT = Triple(IRI(EX + "Intel"), IRI(EX + "founder"), IRI(EX + "Noyce"))
CALL = Step(
    "parsing",
    "model",
    "parsing",
    "generalist",
    prompt=(Message("user", "Who?"),),
    usage=Usage(calls=1, input_tokens=1_200, output_tokens=80, money=0.0012),
    seconds=0.5,
)
TRACE = Trace(QUESTION, (CALL, Step("construction", "graph", "execute", seconds=0.01, attempt=2)), seconds=0.6)


def answer(**changes: object) -> Answer:
    fields: dict[str, object] = {
        "variables": ("who",),
        "rows": ((NOYCE,),),
        "text": "Robert Noyce",
        "query": "SELECT ?who {\n  <x> <y> ?who\n}",
        "links": LINKS,
        "provenance": (FACT,),
        "confidence": 0.97,
        "trace": TRACE,
    }
    return Answer(QUESTION, **{**fields, **changes})  # type: ignore[arg-type]


def test_plain_text_tells_the_whole_story() -> None:
    assert explain(answer()) == (
        """\
Question: Who founded Intel?

Mentions, and what they were taken for
  'Intel': Intel Corporation, an entity <http://example.org/Intel>
  'founder': founded by, a relation <http://example.org/founder>

Query
  SELECT ?who {
    <x> <y> ?who
  }

Facts
  Intel Corporation | founded by | Robert Noyce

Answer: Robert Noyce
  From the graph.
  Confidence: 0.97
  Tries: 2

Cost
  1 model call, 1,200 tokens in and 80 out, $0.0012, 0.60 s
  parsing 0.50 s, construction 0.01 s
  step 1, generalist, parsing, 1,200 tokens in and 80 out, 0.50 s"""
    )


def test_markdown_tells_the_whole_story() -> None:
    assert explain(answer(), markdown=True) == (
        """\
## Who founded Intel?

### Mentions

| mention | taken for | kind | IRI |
|---|---|---|---|
| Intel | Intel Corporation | entity | <http://example.org/Intel> |
| founder | founded by | relation | <http://example.org/founder> |

### Query

```sparql
SELECT ?who {
  <x> <y> ?who
}
```

### Facts

- Intel Corporation — founded by — Robert Noyce

### Answer

**Robert Noyce**

- From the graph.
- Confidence: 0.97
- Tries: 2

### Cost

- 1 model call, 1,200 tokens in and 80 out, $0.0012, 0.60 s
- parsing 0.50 s, construction 0.01 s

| step | role | subtask | tokens | time |
|---|---|---|---|---|
| step 1 | generalist | parsing | 1,200 tokens in and 80 out | 0.50 s |"""
    )


@pytest.mark.parametrize("markdown", [False, True])
def test_an_answer_of_the_model_says_that_it_was_not_checked(markdown: bool) -> None:
    own = answer(source="model", query=None, links={}, provenance=())
    assert "From the model's own knowledge; it was not checked against the graph." in explain(own, markdown=markdown)


@pytest.mark.parametrize("markdown", [False, True])
def test_an_answer_that_was_not_reached_says_so(markdown: bool) -> None:
    assert "No answer was reached." in explain(Answer(QUESTION, trace=TRACE), markdown=markdown)


def test_an_answer_without_a_trace_tells_no_cost() -> None:
    assert "Cost" not in explain(answer(trace=None))


def test_rows_that_were_cut_are_told() -> None:
    assert "the result was cut" in explain(answer(truncated=True))


def test_that_no_model_was_used_is_told() -> None:
    trace = Trace(QUESTION, (Step("construction", "graph", "execute", seconds=0.01),), seconds=0.02)
    told = explain(answer(method="lexical", trace=trace))
    assert "\n  From the graph, without a language model.\n  Confidence: 0.97\n\n" in told
    assert "\nCost\n  no model calls, 0.02 s\n" in told
    assert "Tries" not in told


@pytest.mark.parametrize("markdown", [False, True])
def test_why_no_model_was_used_is_told(markdown: bool) -> None:
    failed = replace(CALL, usage=Usage(), error="the server\n[refused](http://x)")
    told = explain(answer(method="lexical", trace=Trace(QUESTION, (failed,))), markdown=markdown)
    said = r"the server \[refused\](http://x)" if markdown else "the server [refused](http://x)"
    assert f"The model had failed: {said}\n" in told
    assert "generalist | parsing | failed |" in told if markdown else "generalist, parsing, failed, " in told


def test_replies_from_the_cache_are_told() -> None:
    trace = Trace(QUESTION, (Step("parsing", "model", "parsing", "generalist", usage=Usage(cached=2)),))
    assert "0 model calls, 2 replies from the cache, 0 tokens in" in explain(answer(trace=trace))


def test_a_fact_shows_labels_where_they_are_known_and_terms_otherwise() -> None:
    facts = (
        Triple(IRI(EX + "Noyce"), IRI(RDF_TYPE), IRI(EX + "Person")),
        Triple(IRI(EX + "Noyce"), IRI(EX + "born"), Literal("1927-12-12", XSD + "date")),
        Triple(IRI(EX + "Noyce"), IRI(EX + "name"), Literal("Bob", language="en")),
    )
    text = explain(answer(provenance=facts))
    assert "Robert Noyce | is a | <http://example.org/Person>" in text
    assert "Robert Noyce | <http://example.org/born> | 1927-12-12" in text
    assert 'Robert Noyce | <http://example.org/name> | "Bob"@en' in text


def test_a_fact_is_told_with_the_named_graphs_that_it_stands_in() -> None:
    facts = (replace(FACT, graphs=(IRI(EX + "y2022"), BlankNode("b0"))),)
    told = "Intel Corporation | founded by | Robert Noyce | in <http://example.org/y2022>, _:b0"
    assert told in explain(answer(provenance=facts))
    assert "- Intel Corporation — founded by — Robert Noyce — in " in explain(answer(provenance=facts), markdown=True)


@pytest.mark.parametrize("markdown", [False, True])
def test_of_many_facts_the_first_are_told_and_the_others_counted(markdown: bool) -> None:
    facts = tuple(Triple(IRI(f"{EX}{number}"), IRI(EX + "founder"), IRI(EX + "Noyce")) for number in range(1_013))
    text = explain(answer(provenance=facts), markdown=markdown)
    assert "and 1,003 more" in text
    assert text.count("founded by") == 11


def test_a_literal_is_told_with_the_relation_that_has_it() -> None:
    text = explain(answer(links={"momo": Candidate(EX + "title", "literal", "Momo")}))
    assert "'momo': Momo, a text that <http://example.org/title> has" in text


def test_labels_cannot_break_a_markdown_table() -> None:
    links = {"a|b": Candidate(EX + "a", "entity", "one\n| two `three` <script>\n# four")}
    row = explain(answer(links=links), markdown=True).split("\n")[6]
    assert row == r"| a\|b | one \| two \`three\` \<script\> \# four | entity | <http://example.org/a> |"


def test_an_iri_that_is_no_address_is_not_written_as_a_link() -> None:
    links = {"a": Candidate("urn:x|y", "entity", "a")}
    assert r"| urn:x\|y |" in explain(answer(links=links), markdown=True)


def test_backticks_in_a_query_cannot_end_its_fence() -> None:
    text = explain(answer(query='ASK { ?s ?p "```" }'), markdown=True)
    assert '````sparql\nASK { ?s ?p "```" }\n````' in text


def test_characters_that_steer_a_terminal_are_left_out() -> None:
    noyce = Value(NOYCE.term, "Robert\x1b[31m\u202e Noyce")
    text = explain(answer(text=str(noyce), rows=((noyce,),), query="ASK {\x1b[2J}"))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "Answer: Robert[31m Noyce" in text


def test_long_texts_are_cut() -> None:
    assert "…" in explain(answer(text="x" * 10_000))


# Unknown --------------------------------------------------------------------------------------------------


BECAME = "Words, and what they became in the query"
WORDS = (WordUse("Intle", "instead", "Intel"), WordUse("on *GitHub*", "left_out"))
READINGS = (
    Reading("industry of Intel", "Semiconductors", "SELECT ?x {}"),
    Reading("owner of Intel", "nobody", "SELECT ?y {}", "founded by"),
)
UNKNOWN = Unknown(
    QUESTION,
    (Reason("name", "Intle", "nothing in the graph is called Intle; near: Intel", ("Intel",)),),
    words=WORDS,
    readings=READINGS,
)


def test_an_answer_tells_what_it_leaves_out_and_what_else_may_be_meant() -> None:
    told = explain(answer(words=WORDS, readings=READINGS))
    assert f"\n\n{BECAME}\n  'Intle' → Intel\n  'on *GitHub*' → left out\n\n" in told
    assert "\n\nAnswer: Robert Noyce\n" in told
    assert "\n\nWhat was assumed\n  founded by; otherwise owner of Intel: nobody\n\n" in told
    assert "\n\nOther readings\n  industry of Intel: Semiconductors\n\n" in told


def test_a_guess_is_told_as_such() -> None:
    told = replace(UNKNOWN, guess=answer(confidence=0.3, trace=None), trace=TRACE).explain()
    assert told.startswith(
        "Question: Who founded Intel?\n\nI don't know\n  nothing in the graph is called Intle; near: Intel\n\n"
    )
    assert f"\n\n{BECAME}\n  'Intle' → Intel\n  'on *GitHub*' → left out\n\n" in told
    assert "\n\nPerhaps: Robert Noyce\n  From the graph.\n  Confidence: 0.30\n" in told
    assert "\n\nCost\n" in told


def test_no_guess_is_told_as_none() -> None:
    told = UNKNOWN.explain()
    assert "\n\nAnswer: none\n  No answer was reached.\n" in told


def test_markdown_has_an_unknown_too() -> None:
    told = replace(UNKNOWN, guess=answer()).explain(markdown=True)
    assert "### I don't know\n\n- nothing in the graph is called Intle; near: Intel\n\n" in told
    assert f"### {BECAME}\n\n- Intle → Intel\n- on \\*GitHub\\* → left out\n\n" in told
    assert "### Perhaps\n\n**Robert Noyce**\n\n" in told
    assert told.partition("### Other readings\n\n")[2].startswith("- industry of Intel: Semiconductors")


def test_readings_that_were_kept_without_an_answer_are_read() -> None:
    kept = json.loads(UNKNOWN.to_json())
    kept["readings"] = ["industry of Intel"]
    assert from_json(Unknown, json.dumps(kept)).readings == (Reading("industry of Intel"),)


def test_an_unknown_comes_back_from_json() -> None:
    unknown = replace(UNKNOWN, guess=answer(), trace=TRACE)
    assert from_json(Unknown, unknown.to_json()) == unknown


def test_iris_are_short_by_the_prefixes_of_the_graph() -> None:
    facts = (Triple(IRI(EX + "Noyce"), IRI(EX + "born/in"), IRI("http://places.org/Burlington")),)
    short = answer(provenance=facts, prefixes={"": EX, "place": "http://places.org/", "born": EX + "born/"})
    text = explain(short)
    assert "Robert Noyce | born:in | place:Burlington" in text
    assert ", an entity :" in text
