from __future__ import annotations

import bz2
import contextlib
import copy
import gzip
import json
import lzma
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from triad.answers import from_json, to_json
from triad.datasets import FORMATS, DataSet, load_dataset
from triad.errors import DataError
from triad.evaluation.folder import Record
from triad.evaluation.metrics.scoring import score
from triad.rdf import IRI, Literal, ResultSet

ROOT = Path(__file__).parents[2]
QUERY = "SELECT ?x { ?x <http://e/p> <http://e/o> }"
URI = {"type": "uri", "value": "http://e/a"}
RESULT = {"head": {"vars": ["x"]}, "results": {"bindings": [{"x": URI}]}}


def write(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def qald(*records: Any) -> dict[str, Any]:
    return {"dataset": {"id": "small"}, "questions": list(records)}


def question(id: Any, *languages: str, **other: Any) -> dict[str, Any]:
    texts = [{"language": language, "string": f"{language}?"} for language in languages or ("en",)]
    return {"id": id, "question": texts, "query": {"sparql": QUERY}, "answers": [RESULT], **other}


# The development data -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "format", "types"),
    [
        ("qald9/questions.json", "qald", {"select": 187, "boolean": 31, "count": 4}),
        ("lcquad/questions.json", "qald", {"select": 250, "boolean": 45, "count": 2}),
        ("yago/questions.json", "qald", {"select": 46, "boolean": 1}),
        ("ck25/questions.yml", "text2sparql", {"select": 22, "boolean": 1, "count": 1}),
        ("metaqa/1-hop_dev.txt", "metaqa", {"select": 500}),
        ("metaqa/2-hop_dev.txt", "metaqa", {"select": 500}),
        ("metaqa/3-hop_dev.txt", "metaqa", {"select": 500}),
        ("dialogues/dblp/dialogues.json", "dialogues", {"select": 73, "boolean": 19, "count": 2}),
        ("dialogues/dbpedia/dialogues.json", "dialogues", {"select": 54, "boolean": 6, "count": 1}),
        ("dialogues/makg/dialogues.json", "dialogues", {"select": 72, "boolean": 20, "count": 6}),
        ("dialogues/yago/dialogues.json", "dialogues", {"select": 117, "boolean": 17, "count": 3}),
    ],
)
def test_each_development_set_loads_whole(shared_data: Path, path: str, format: str, types: dict[str, int]) -> None:
    found = load_dataset(shared_data / path, strict=True)
    assert found == load_dataset(shared_data / path, format)
    assert Counter(item.answer_type for item in found.items) == types
    assert len({item.question.id for item in found.items}) == len(found.items)
    assert all(item.gold_query for item in found.items)
    assert all(item.gold is not None for item in found.items) == (format != "text2sparql")


@pytest.mark.parametrize(("language", "count"), [("de", 222), ("es", 208), ("fa", 203), ("hi", 221), ("pt-BR", 1)])
def test_questions_come_in_the_language_asked_for(shared_data: Path, language: str, count: int) -> None:
    found = load_dataset(shared_data / "qald9" / "questions.json", language=language)
    assert len(found.items) == count
    assert len(found.malformed) == 222 - count
    assert {item.question.language for item in found.items} == {language}
    assert all(repr(language) in fault.reason for fault in found.malformed)


def test_the_challenge_keeps_its_gold_in_a_file_of_its_own(shared_data: Path) -> None:
    folder = shared_data / "ck25"
    found = load_dataset(folder / "questions.yml", answers=folder / "true_result_set.json", strict=True)
    items = {item.question.id: item for item in found.items}
    assert found.name == "ck25"
    assert items["16"].gold == ResultSet(boolean=True)
    assert items["2"].gold == ResultSet(("answer",), ((Literal("+49-6200-33069465"),),))
    assert items["7"].gold is not None
    assert isinstance(items["7"].gold.rows[0][0], IRI)
    assert not any(item.order_matters for item in found.items)
    stored = json.loads((folder / "true_result_set.json").read_text(encoding="utf-8"))
    for id, item in items.items():
        assert item.gold is not None
        values = {str(term) for row in item.gold.rows for term in row}
        assert values == set(stored[f"ck25:{id}-en"]) or item.gold.boolean


def test_metaqa_takes_types_and_queries_from_beside_it(shared_data: Path) -> None:
    item = load_dataset(shared_data / "metaqa" / "2-hop_dev.txt").items[0]
    assert item.question.text == "when were the movies directed by Gerald Potterton released"
    assert item.gold == ResultSet(("answer",), ((Literal("1981"),),))
    assert item.tags == {"hops": "2", "type": "director_to_movie_to_year"}
    assert item.by_name
    assert item.gold_query is not None
    assert "Gerald_Potterton" in item.gold_query


def test_the_demo_set_loads() -> None:
    found = load_dataset(ROOT / "configs" / "demo" / "questions.json", strict=True)
    assert found.name == "triad-demo"
    assert found.items[0].tags["type"] == "plain"


# Formats --------------------------------------------------------------------------------------------------


def test_qald_answers_of_all_versions_are_read(tmp_path: Path) -> None:
    old = question("1")
    old |= {"body": old.pop("question"), "query": QUERY, "answers": [{"string": "http://e/a"}, {"string": "b"}]}
    headless = {"head": {}, "results": {"bindings": [{"x": URI}]}}
    other = {"head": {"vars": ["y"]}, "results": {"bindings": [{"y": {"type": "literal", "value": "7"}}]}}
    records = [
        old,
        question("2", query={"sparql": "ASK { ?s ?p ?o }"}, answers=[{"head": {}, "boolean": False}]),
        question("3", answers=[headless]),
        question("4", answers=[RESULT, other]),
        question("5", answers=[]),
        question("6", query={"sparql": "ASK { ?s ?p ?o }"}, answers=[{"string": "true"}]),
    ]
    found = load_dataset(write(tmp_path, "q.json", qald(*records)), strict=True)
    assert [item.gold for item in found.items] == [
        ResultSet(("answer",), ((IRI("http://e/a"),), (Literal("b"),))),
        ResultSet(boolean=False),
        ResultSet(("x",), ((IRI("http://e/a"),),)),
        ResultSet(("x", "y"), ((IRI("http://e/a"), None), (None, Literal("7")))),
        None,
        ResultSet(boolean=True),
    ]
    assert [item.answer_type for item in found.items] == ["select", "boolean", "select", "select", "select", "boolean"]


def test_lcquad_has_queries_for_gold(tmp_path: Path) -> None:
    record = {
        "_id": "1501",
        "corrected_question": "How many movies did Stanley Kubrick direct?",
        "sparql_query": "SELECT DISTINCT COUNT(?uri) WHERE { ?uri <http://e/director> <http://e/Stanley_Kubrick> }",
        "sparql_template_id": 101,
    }
    [item] = load_dataset(write(tmp_path, "train-data.json", [record]), strict=True).items
    assert (item.question.id, item.answer_type, item.gold, item.tags) == ("1501", "count", None, {"template": "101"})


def test_lcquad_2_falls_back_to_the_paraphrase(tmp_path: Path) -> None:
    both = {"sparql_wikidata": " select distinct ?obj where { wd:Q1 wdt:P2 ?obj } ", "sparql_dbpedia18": QUERY}
    records = [
        {"uid": 1, "question": "n/a", "paraphrased_question": "What is it?", **both},
        {"uid": 2, "question": "Who?", "paraphrased_question": [], **both},
        {"uid": 3, "question": None, "paraphrased_question": None, **both},
    ]
    path = write(tmp_path, "test.json", records)
    found = load_dataset(path)
    assert [item.question.text for item in found.items] == ["What is it?", "Who?"]
    assert [fault.id for fault in found.malformed] == ["3"]
    assert found.items[0].gold_query == "select distinct ?obj where { wd:Q1 wdt:P2 ?obj }"
    assert load_dataset(path, "lcquad2-dbpedia").items[0].gold_query == QUERY


def test_webqsp_takes_the_complete_parse(tmp_path: Path) -> None:
    def parse(answer: dict[str, Any], quality: str) -> dict[str, Any]:
        return {
            "Sparql": "PREFIX ns: <http://rdf.freebase.com/ns/>\nSELECT ?x { ns:m.03_r3 ns:a.b ?x }",
            "InferentialChain": ["location.country.languages_spoken"],
            "Constraints": [],
            "AnnotatorComment": {"ParseQuality": quality, "QuestionQuality": "Good"},
            "Answers": [answer],
        }

    entity = {"AnswerType": "Entity", "AnswerArgument": "m.01428y", "EntityName": "Jamaican English"}
    value = {"AnswerType": "Value", "AnswerArgument": "1962", "EntityName": None}
    record = {
        "QuestionId": "WebQTest-0",
        "RawQuestion": "what does jamaican people speak?",
        "Parses": [parse(value, "Partial"), parse(entity, "Complete")],
    }
    [item] = load_dataset(write(tmp_path, "WebQSP.test.json", {"Questions": [record]}), strict=True).items
    assert item.gold == ResultSet(("answer",), ((IRI("http://rdf.freebase.com/ns/m.01428y"),),))
    assert item.tags == {"hops": "1", "constraints": "0"}
    assert not item.by_name


def test_queries_in_the_words_of_virtuoso_are_standard_ones(tmp_path: Path) -> None:
    query = """PREFIX ns: <http://rdf.freebase.com/ns/>
        SELECT DISTINCT ?x { FILTER (?x != ns:m.0x)
        FILTER (!isLiteral(?x) OR lang(?x) = '' OR langMatches(lang(?x), 'en'))
        ns:m.0x ns:a.b ?x . ?x ns:c.OR ?y FILTER(xsd:datetime(?y) <= "2010 OR so"^^xsd:dateTime) }"""
    record = {"ID": "a", "question": "Who?", "sparql": query, "answers": [{"answer_id": "m.0y"}]}
    [item] = load_dataset(write(tmp_path, "cwq.json", [record]), strict=True).items
    assert item.gold_query == query.replace(") OR ", ") || ").replace("'' OR ", "'' || ").replace(
        "xsd:datetime", "xsd:dateTime"
    )


def test_records_of_reasoning_paths_are_questions(tmp_path: Path) -> None:
    path = "Main Path:\n Momo -[author]-> ?y\n ?y -[birth place]-> ?x\nEntity Restrictions:\n ?x -[type]-> city"
    asked = "Generate a reasoning path that retrieves the information corresponding to the given question.\n"
    record = {"instruction": asked, "input": "Question: { where was the author of Momo born }", "output": path}
    other = {**record, "id": "7", "input": "who wrote Momo", "answers": ["Michael Ende"]}
    broken = {**record, "output": "Main Path:\n nothing"}
    as_list = load_dataset(write(tmp_path, "crp.json", [record, other, broken]))
    first, second = as_list.items
    assert first.question.text == "where was the author of Momo born"
    assert (first.path, first.gold, first.gold_query) == (path, None, None)
    assert first.tags == {"hops": "2", "entity_restrictions": "1"}
    assert (second.question.id, second.gold, second.by_name) == (
        "7",
        ResultSet(("answer",), ((Literal("Michael Ende"),),)),
        True,
    )
    assert "no reasoning path" in as_list.malformed[0].reason
    records = [{**record, "input": text} for text in ("Question:{ {a}\n}", "{ b", "Question: c }", "{}", "Question:")]
    found = load_dataset(write(tmp_path, "more.json", records))
    assert [one.question.text for one in found.items] == ["{a}", "b", "c"]
    assert len(found.malformed) == 2
    begun = time.process_time()
    load_dataset(write(tmp_path, "long.json", [{**record, "input": f"a{' ' * 2_500}b"}]))
    assert time.process_time() - begun < 2
    lines = "\n".join(map(json.dumps, [record, other]))
    assert load_dataset(write(tmp_path, "crp.jsonl", lines)).items == as_list.items


def test_cwq_compares_by_name_where_an_answer_has_no_id(tmp_path: Path) -> None:
    records = [
        {"ID": "a", "question": "Who?", "sparql": QUERY, "answers": [{"answer_id": "m.0x", "answer": "X"}]},
        {"ID": "b", "question": "Who else?", "answers": [{"answer": "X"}], "compositionality_type": "conjunction"},
    ]
    first, second = load_dataset(write(tmp_path, "cwq.json", records), strict=True).items
    assert (first.gold, first.by_name) == (ResultSet(("answer",), ((IRI("http://rdf.freebase.com/ns/m.0x"),),)), False)
    assert (second.gold, second.by_name) == (ResultSet(("answer",), ((Literal("X"),),)), True)
    assert second.tags == {"type": "conjunction"}


def test_text2sparql_order_and_booleans(tmp_path: Path) -> None:
    text = """
dataset: {prefix: p}
questions:
  - {id: 1, question: {en: A?}, query: {sparql: "ASK {?s ?p ?o}"}}
  - {id: 2, question: {en: B?}, query: {sparql: "SELECT ?s {?s ?p ?o}"}, features: [RESULT_ORDER_MATTERS]}
  - {id: 3, question: {es: C?}, query: {sparql: "SELECT ?s {?s ?p ?o}"}}
  - {id: 4, question: {en: D?}, query: {sparql: "SELECT ?s {?s ?p ?o}"}}
"""
    path = write(tmp_path, "q.yml", text)
    answers = write(tmp_path, "a.json", {"p:1-en": {"true": 0}, "p:2-en": {"http://e/a": 1, "b": 1, "c": 0}})
    found = load_dataset(path, answers=answers)
    assert [item.gold for item in found.items] == [
        ResultSet(boolean=False),
        ResultSet(("answer",), ((IRI("http://e/a"),), (Literal("b"),))),
    ]
    assert [item.order_matters for item in found.items] == [False, True]
    assert [(fault.id, fault.reason) for fault in found.malformed] == [
        ("3", "there is no text in 'en'; there are: es"),
        ("4", f"{answers} has no answers under 'p:4-en'"),
    ]
    assert [item.gold for item in load_dataset(path).items] == [None, None, None]


JSONL = """{"id": 1, "question": "Who?", "answers": ["http://e/a"], "tags": {"hops": 2}}
{"id": 2, "question": "What?", "answers": ["Bern", 7], "language": "de"}
{"id": 3, "question": "Is it?", "answers": true}

{"question": "Which?", "sparql": "SELECT ?x { ?x ?p ?o }"}
"""
CSV = """id,question,answers,sparql,language,hops
1,Who?,http://e/a,,,2
2,What?,Bern|7,,de,
3,Is it?,true,,,
,Which?,,SELECT ?x { ?x ?p ?o },,
"""


@pytest.mark.parametrize(("name", "text"), [("q.jsonl", JSONL), ("q.csv", CSV), ("q.csv", CSV.replace("\n", "\r\n"))])
def test_plain_formats_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    found = load_dataset(write(tmp_path, name, text), strict=True)
    assert [item.question.text for item in found.items] == ["Who?", "What?", "Is it?", "Which?"]
    assert [str(item.question.id)[:2] for item in found.items] == ["1", "2", "3", "q-"]
    assert [item.question.language for item in found.items] == ["", "de", "", ""]
    said = load_dataset(write(tmp_path, name, text), language="fr").items
    assert [item.question.language for item in said] == ["fr", "de", "fr", "fr"]
    assert [item.by_name for item in found.items] == [False, True, False, False]
    assert [None if item.gold is None else len(item.gold.rows) for item in found.items] == [1, 2, 0, None]
    assert found.items[2].gold == ResultSet(boolean=True)
    assert found.items[0].tags == {"hops": "2"}


@pytest.mark.parametrize(
    ("record", "boolean"),
    [
        ({"answers": "yes"}, True),
        ({"answer": "No"}, False),
        ({"answers": "true"}, True),
        ({"answers": "no", "sparql": "ASK { ?s ?p ?o }"}, False),
        ({"answers": "NO", "sparql": "SELECT ?code { ?s ?p ?code }"}, None),
        ({"answers": ["No"]}, None),
        ({"answers": "none"}, None),
    ],
)
def test_words_for_yes_and_no_answer_a_question_unless_the_record_says_otherwise(
    tmp_path: Path, record: dict[str, Any], boolean: bool | None
) -> None:
    [item] = load_dataset(write(tmp_path, "q.jsonl", json.dumps({"question": "Is it?", **record}))).items
    assert item.gold is not None
    assert item.gold.boolean is boolean
    assert (item.answer_type == "boolean") is (boolean is not None)


def test_words_for_yes_and_no_are_answers_in_csv_too(tmp_path: Path) -> None:
    items = load_dataset(write(tmp_path, "q.csv", "question,answers\nIs it?,yes\nIs she?,No\nWho?,no|one\n")).items
    assert [None if item.gold is None else item.gold.boolean for item in items] == [True, False, None]


def test_a_list_of_plain_records_is_read_too(tmp_path: Path) -> None:
    path = write(tmp_path, "q.json", [{"id": 1, "question": "Who?", "answers": ["http://e/a"]}])
    assert len(load_dataset(path).items) == 1


def test_a_record_with_the_keys_of_what_the_command_line_gives_is_read_as_it_is(tmp_path: Path) -> None:
    record = {"question": "Who?", "answer": "Ann", "outcome": "won", "unknown": 0}
    [item] = load_dataset(write(tmp_path, "q.json", [record])).items
    assert item.gold == ResultSet(("answer",), ((Literal("Ann"),),))


def test_an_id_does_not_depend_on_the_order(tmp_path: Path) -> None:
    lines = ["who is [A]\tB", "who is [C]\tD|E"]
    ways = [load_dataset(write(tmp_path, "1-hop.txt", "\n".join(order))) for order in (lines, lines[::-1])]
    first, second = ({item.question.text: item.question.id for item in way.items} for way in ways)
    assert first == second
    assert all(str(id).startswith("1-hop-") for id in first.values())


# Faults ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "id", "reason"),
    [
        (question(2, "de"), "2", "there is no text in 'en'; there are: de"),
        (question(1), "1", "the id '1' is taken by an earlier record"),
        (question(2, query={"sparql": "OUT OF SCOPE"}), "2", "the query is neither SELECT nor ASK: 'OUT OF SCOPE'"),
        (question(2, query=None, answers=[]), "2", "there are neither gold answers nor a gold query"),
        (question(2, answers="a"), "2", "'answers' must be a list of objects, got 'a'"),
        (question(2, answers=[{"results": {"bindings": [{"x": "a"}]}}]), "2", "an answer is not a SPARQL JSON result"),
        ("text", "number 2", "an object is expected, got str"),
        ({"id": 2}, "2", "the key 'question' is missing; there are: id"),
        ({"question": 5}, "number 2", "'question' must be a list, got 5"),
    ],
)
def test_a_malformed_record_is_named_and_left_out(tmp_path: Path, record: Any, id: str, reason: str) -> None:
    path = write(tmp_path, "q.json", qald(question(1), record, question(9)))
    found = load_dataset(path)
    assert [item.question.id for item in found.items] == ["1", "9"]
    [fault] = found.malformed
    assert (fault.file, fault.id) == (str(path), id)
    assert fault.reason.startswith(reason)
    with pytest.raises(DataError, match="record"):
        load_dataset(path, strict=True)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("q.jsonl", '{"question": "A?", "answers": ["a"]}\n{"question": \n', "not JSON"),
        (
            "q.jsonl",
            '{"question": "A?", "answers": ["a"]}\n{"question": "B?", "answers": [null]}\n',
            "an answer must be",
        ),
        ("q.csv", "question,answers\nA?,a\nB?,b,c\n", "there are more values than columns: ['c']"),
        ("1-hop.txt", "who is [A]\tB\nwho is A\n", "a question with a [topic], a tab and answers is expected"),
        ("1-hop.txt", "who is [A]\tB\nwho is [C]\t\n", "there is no answer behind the tab"),
    ],
)
def test_a_malformed_line_is_named_by_its_place(tmp_path: Path, name: str, text: str, reason: str) -> None:
    found = load_dataset(write(tmp_path, name, text))
    assert len(found.items) == 1
    [fault] = found.malformed
    assert fault.id.split()[1] == "2"
    assert fault.reason.startswith(reason)


@pytest.mark.parametrize(
    ("name", "text", "format", "message"),
    [
        ("q.txt", "nothing", None, "the format cannot be told from the content; name one of"),
        ("q.json", "[]", "spider", "unknown format 'spider'; known: .*qald"),
        ("q.json", "[]", "qald", "QALD-JSON is expected"),
        ("q.json", "{}", "lcquad1", "LC-QuAD is expected"),
        ("q.yml", "a: [", None, "not YAML"),
        ("q.csv", "a,b\n", "csv", "a header with the columns question"),
        ("q.csv", "question;answers\n", None, "with commas between them; the first line is 'question;answers'"),
        ("q.json", " \n", None, "is empty"),
        ("q.json", '{"questions": [{"id":', None, "not JSON: Expecting value: line 1 column 22"),
        ("q.json", '{"questions": ' + "[" * 100_000, None, "not JSON: (maximum recursion depth|Stack overflow)"),
    ],
)
def test_a_file_that_is_no_data_set_says_what_would_be(
    tmp_path: Path, name: str, text: str, format: str | None, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        load_dataset(write(tmp_path, name, text), format)


RECORDS: dict[str, tuple[str, Any]] = {
    "qald": ("q.json", qald(question("1", tags="a"))),
    "extended": ("q.json", {"questions": [{"question": {"id": "1", "language": [], "answers": RESULT}}]}),
    "lcquad1": ("q.json", [{"_id": "1", "corrected_question": "A?", "sparql_query": QUERY, "sparql_template_id": 2}]),
    "lcquad2": ("q.json", [{"uid": 1, "question": "A?", "sparql_wikidata": QUERY, "template_index": 2}]),
    "webqsp": ("q.json", {"Questions": [{
        "QuestionId": "1", "RawQuestion": "A?",
        "Parses": [{
            "Sparql": QUERY, "InferentialChain": ["a"], "Constraints": [],
            "Answers": [{"AnswerArgument": "m.1", "EntityName": "A"}],
        }],
    }]}),
    "crp": ("q.json", [{"instruction": "Generate a reasoning path.", "input": "Question: { A? }",
                        "output": "Main Path:\n A -[b]-> ?x"}]),
    "cwq": ("q.json", [{"ID": "1", "question": "A?", "answers": [{"answer_id": "m.1", "answer": "A"}]}]),
    "text2sparql": ("q.yml", {
        "dataset": {"prefix": "p"},
        "questions": [{"id": 1, "question": {"en": "A?"}, "query": {"sparql": QUERY}, "features": ["A"]}],
    }),
    "jsonl": ("q.json", [{"id": "1", "question": "A?", "answers": ["a"], "language": "en", "tags": {"a": "b"}}]),
    "dialogues": ("q.json", {"dialogues": [{"id": "1", "turns": [{
        "question": "A?", "standalone": "A?", "answers": [RESULT], "sparql": QUERY,
    }]}]}),
}  # fmt: skip


def broken(value: Any) -> Iterator[Any]:
    """Yield a value with each of its parts replaced by each of several others."""
    yield from (None, 7, True, "", "x", [], {}, [None], [{}], {"a": 1}, "\ud800")
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        for other in broken(part):
            changed = copy.copy(value)
            changed[key] = other
            yield changed


@pytest.mark.parametrize("name", RECORDS)
def test_whatever_a_record_holds_it_is_read_or_named(tmp_path: Path, name: str) -> None:
    file, content = RECORDS[name]
    form = {"extended": "qald"}.get(name, name)
    for data in broken(content):
        path = write(tmp_path, file, json.dumps(data))
        try:
            found = load_dataset(path, form)
        except DataError:
            continue
        for item in found.items:
            kept = Record(str(item.question.id), item.question, gold=item.gold, tags=item.tags)
            assert from_json(Record, to_json(kept)).question == item.question
            if item.gold is not None:
                score(item, item.gold, None)


def test_gold_answers_that_are_broken_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, *RECORDS["text2sparql"])
    for data in broken({"p:1-en": {"a": 1}, "order_required": ["p:1-en"]}):
        answers = write(tmp_path, "gold.json", json.dumps(data))
        with contextlib.suppress(DataError):
            load_dataset(path, answers=answers)


def test_compressed_files_and_byte_order_marks_are_read(tmp_path: Path) -> None:
    text = "\ufeff" + json.dumps(qald(question(1)))
    for name, compress in (("q.json.gz", gzip.compress), ("q.json.bz2", bz2.compress), ("q.json.xz", lzma.compress)):
        (tmp_path / name).write_bytes(compress(text.encode()))
        assert len(load_dataset(tmp_path / name).items) == 1
    (tmp_path / "q.json.gz").write_bytes(gzip.compress(text.encode())[:-20])
    with pytest.raises(DataError, match=r"q\.json\.gz' cannot be read: Compressed file ended"):
        load_dataset(tmp_path / "q.json.gz")
    path = write(tmp_path, "q.yml", 'questions: [{id: 1, question: {en: "A?"}, query: {sparql: "ASK {}"}}]')
    (tmp_path / "q.yml.gz").write_bytes(gzip.compress(path.read_bytes()))
    answers = write(tmp_path, "gold.json", '\ufeff{"q:1-en": {"true": 0}}')
    [item] = load_dataset(tmp_path / "q.yml.gz", answers=answers).items
    assert item.gold == ResultSet(boolean=False)


def test_the_extended_json_of_qald_is_read(tmp_path: Path) -> None:
    texts = [{"language": "en", "question": "Who?", "SPARQL": QUERY}, {"language": "de", "question": "Wer?"}]
    inner = {"id": "38", "answertype": "resource", "language": texts, "answers": RESULT, "metadata": {"hybrid": True}}
    [item] = load_dataset(write(tmp_path, "q.json", {"questions": [{"question": inner}]}), strict=True).items
    assert (item.question.text, item.question.id, item.gold_query) == ("Who?", "38", QUERY)
    assert item.gold == ResultSet(("x",), ((IRI("http://e/a"),),))
    assert item.tags == {"answertype": "resource", "hybrid": "true"}


def test_of_several_texts_in_a_language_the_first_counts(tmp_path: Path) -> None:
    record = question(1)
    record["question"].append({"language": "en", "string": "another?"})
    assert load_dataset(write(tmp_path, "q.json", qald(record))).items[0].question.text == "en?"


@pytest.mark.parametrize(("given", "truth"), [(True, True), ("true", True), (False, False), ("false", False)])
def test_a_boolean_may_be_a_word(tmp_path: Path, given: Any, truth: bool) -> None:
    record = question(1, query={"sparql": "ASK {}"}, answers=[{"head": {}, "boolean": given}])
    assert load_dataset(write(tmp_path, "q.json", qald(record))).items[0].gold == ResultSet(boolean=truth)


def test_metaqa_takes_types_from_the_folder_above_as_it_is_published(tmp_path: Path) -> None:
    folder = tmp_path / "2-hop" / "vanilla"
    folder.mkdir(parents=True)
    (tmp_path / "2-hop" / "qa_dev_qtype.txt").write_bytes(b"actor_to_movie_to_actor\r\n")
    (folder / "qa_dev.txt").write_bytes(b"who acted with [A]\tB|C\r\n")
    [item] = load_dataset(folder / "qa_dev.txt").items
    assert item.tags == {"hops": "2", "type": "actor_to_movie_to_actor"}
    assert item.gold == ResultSet(("answer",), ((Literal("B"),), (Literal("C"),)))


def test_a_list_of_answers_in_csv_may_be_long(tmp_path: Path) -> None:
    answers = "|".join(f"http://example.org/{number}" for number in range(10_000))
    [item] = load_dataset(write(tmp_path, "q.csv", f"question,answers\nWho?,{answers}\n")).items
    assert item.gold is not None
    assert len(item.gold) == 10_000


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"'.*none\.json' cannot be read: No such file[\w ]+$"):
        load_dataset(tmp_path / "none.json")
    path = write(tmp_path, "q.yml", "questions: []")
    with pytest.raises(DataError, match=r"no file '.*none\.json' with gold answers"):
        load_dataset(path, answers=tmp_path / "none.json")
    with pytest.raises(DataError, match=r"gold answers '.*q\.yml' cannot be read"):
        load_dataset(path, answers=path)
    with pytest.raises(DataError, match="format 'qald' has no gold answers in a file apart; one in text2sparql may"):
        load_dataset(write(tmp_path, "q.json", qald(question(1))), answers=path)
    (tmp_path / "latin.json").write_bytes("é".encode("latin-1"))
    with pytest.raises(DataError, match="not UTF-8"):
        load_dataset(tmp_path / "latin.json")


def test_metaqa_refuses_files_beside_it_of_another_length(tmp_path: Path) -> None:
    path = write(tmp_path, "1-hop_dev.txt", "who is [A]\tB\n")
    write(tmp_path, "1-hop_dev_gold.rq", f"{QUERY}\n{QUERY}\n")
    with pytest.raises(DataError, match=r"has 2 lines and .* has 1"):
        load_dataset(path)


def test_every_format_has_its_name() -> None:
    assert all(name == form.name for name, form in FORMATS.items())
    assert isinstance(load_dataset(ROOT / "configs" / "demo" / "questions.json"), DataSet)
