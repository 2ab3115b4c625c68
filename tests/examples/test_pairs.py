from __future__ import annotations

import json
from pathlib import Path

import pytest

from triad.errors import DataError
from triad.examples.nearest import near_duplicates, query_key, read_pairs

DIRECTED = "SELECT ?film { ?film <http://e/director> <http://e/Kubrick> }"


def write(folder: Path, *records: object, name: str = "pairs.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return path


def test_a_query_log_gives_its_questions_with_their_queries(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(f'question,sparql\nWhich films did Kubrick direct?,"{DIRECTED}"\n', encoding="utf-8")
    [pair] = read_pairs(path).pairs
    assert (pair.question, pair.query) == ("Which films did Kubrick direct?", DIRECTED)


def test_an_answer_that_was_kept_is_a_pair(tmp_path: Path) -> None:
    kept = {"question": {"text": "Which films?", "language": "en", "id": None}, "query": DIRECTED, "rows": []}
    [pair] = read_pairs(write(tmp_path, kept)).pairs
    assert (pair.question, pair.query) == ("Which films?", DIRECTED)


def test_what_cannot_be_used_is_left_out_and_counted(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {"question": "Which films?", "sparql": DIRECTED},
        {"question": "Which novels?", "sparql": "SELECT ?x WHERE { ?x"},
        {"question": "Who?", "answers": ["http://e/Kubrick"]},
        {"sparql": DIRECTED},
    )
    found = read_pairs(path)
    assert str(found) == "1 pairs; 3 records left out (1: the query cannot be parsed, 1: no query, 1: malformed)"
    assert [one.id for one in found.unparsed] != [""]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is empty"),
        ("nothing that is known", "the format cannot be told"),
        ('{"question": "Who?", "answers": ["Kubrick"]}', "have no question with a query: 0 pairs; 1 records left out"),
        ('{"question": "Who?", "sparql": "SELECT {"}', "the query cannot be parsed"),
    ],
)
def test_a_file_without_pairs_says_why(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=fault):
        read_pairs(path)


def test_queries_are_the_same_whatever_their_variables_and_prefixes_are_called() -> None:
    other = "PREFIX e: <http://e/> SELECT ?x WHERE { ?x e:director e:Kubrick . }"
    assert query_key(DIRECTED) == query_key(other)
    assert query_key(DIRECTED) != query_key(DIRECTED.replace("Kubrick", "Lynch"))
    assert query_key("no  query") == "no query"


def test_queries_are_of_one_form_if_they_differ_in_names_and_values_alone(tmp_path: Path) -> None:
    one, other, another = read_pairs(
        write(
            tmp_path,
            {"question": "Which films by Kubrick?", "sparql": DIRECTED},
            {"question": "Which novels by King?", "sparql": "SELECT ?n { ?n <http://e/author> <http://e/King> }"},
            {"question": "How many?", "sparql": "SELECT (COUNT(?n) AS ?c) { ?n <http://e/author> <http://e/King> }"},
        )
    ).pairs
    assert one.form == other.form != another.form


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("which films did KUBRICK direct", True),
        ("Which of the films did Kubrick direct?", False),
        ("Which films, then, did Kubrick direct?", True),
        ("Which films did Lynch direct?", False),
    ],
)
def test_questions_are_the_same_if_nearly_all_their_words_are(other: str, same: bool) -> None:
    assert near_duplicates("Which films did Kubrick direct?", other) is same
