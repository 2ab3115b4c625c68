"""LC-QuAD 1.0 and 2.0: questions with a gold query and no stored answers.

Version 2.0 has a query for Wikidata and one for DBpedia 2018, and its question may be missing: then the paraphrase
takes its place.

Source: https://github.com/AskNowQA/LC-QuAD and https://github.com/AskNowQA/LC-QuAD2.0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from triad.datasets.base import BadRecord, Format, Item, Record, SetFile, identity, listed, make_item, require
from triad.questions import Question

__all__ = ["LCQUAD1", "LCQUAD2", "LCQUAD2_DBPEDIA"]

_NO_TEXT = ("", "n/a", "na", "none")


def _list_with(source: SetFile, key: str) -> bool:
    data = source.data
    return isinstance(data, list) and any(isinstance(record, Mapping) and key in record for record in data)


def _records(id_key: str) -> Callable[[SetFile], Iterator[Record]]:
    return lambda source: listed(source, source.data, "LC-QuAD is expected, a JSON list of questions", id_key=id_key)


def _first(source: SetFile, place: str, record: Any) -> Item:
    text = require(record, "corrected_question", str).strip()
    question = Question(text, source.wanted, identity(record.get("_id"), text))
    tags = {"template": record.get("sparql_template_id")}
    return make_item(question, None, require(record, "sparql_query", str), tags=tags)


def _second(query_key: str) -> Callable[[SetFile, str, Any], Item]:
    def item(source: SetFile, place: str, record: Any) -> Item:
        query = require(record, query_key, str)
        text = next(filter(None, (_text(record.get(key)) for key in ("question", "paraphrased_question"))), "")
        if not text:
            raise BadRecord("there is no text, neither as 'question' nor as 'paraphrased_question'")
        tags = {name: tag for name in ("template_index", "subgraph") if isinstance(tag := record.get(name), str | int)}
        return make_item(Question(text, source.wanted, identity(record.get("uid"), text)), None, query, tags=tags)

    return item


def _text(value: Any) -> str:
    text = value.strip() if isinstance(value, str) else ""
    return "" if text.lower() in _NO_TEXT else text


LCQUAD1 = Format("lcquad1", lambda source: _list_with(source, "corrected_question"), _records("_id"), _first)
LCQUAD2 = Format(
    "lcquad2", lambda source: _list_with(source, "sparql_wikidata"), _records("uid"), _second("sparql_wikidata")
)
LCQUAD2_DBPEDIA = Format(
    "lcquad2-dbpedia",
    lambda source: _list_with(source, "sparql_dbpedia18"),
    _records("uid"),
    _second("sparql_dbpedia18"),
)
