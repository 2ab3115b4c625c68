"""TEXT2SPARQL: the challenge's YAML of questions, and its JSON of true result sets.

The result sets hold the values of all variables of a gold query in one bag, by ``prefix:id-language``; the value of a
false ASK is ``{"true": 0}``. Without them the gold query is to be run.

Source: https://github.com/AKSW/text2sparql-client.
"""

from collections.abc import Iterator
from typing import Any

from triad.datasets import base
from triad.datasets.base import BadRecord, Format, Item, Record, SetFile, answer_type, described, option, require
from triad.errors import DataError
from triad.rdf import ResultSet

_ORDERED = "RESULT_ORDER_MATTERS"


def _fits(source: SetFile) -> bool:
    data = source.yaml if source.name.endswith((".yml", ".yaml")) else None
    return isinstance(data, dict) and isinstance(data.get("questions"), list)


def _records(source: SetFile) -> Iterator[Record]:
    if source.answers and not isinstance(source.answers.data, dict):
        fault = source.answers.fault or "an object with the values of each question is expected"
        raise DataError(f"the gold answers {str(source.answers.path)!r} cannot be read: {fault}")
    questions = source.yaml.get("questions") if isinstance(source.yaml, dict) else None
    return base.listed(source, questions, "YAML with a list of 'questions' is expected")


def _item(source: SetFile, place: str, record: Any) -> Item:
    texts = require(record, "question", dict)
    if source.wanted not in texts:
        raise BadRecord(f"there is no text in {source.wanted!r}; there are: {', '.join(map(str, texts)) or 'none'}")
    query = require(require(record, "query", dict), "sparql", str)
    question = source.question(require(texts, source.wanted, str).strip(), record.get("id"))
    features = option(record, "features", list, [])
    gold, ordered = None, _ORDERED in features
    if source.answers:
        key, stored = f"{_title(source)}:{question.id}-{source.wanted}", source.answers.data
        if not isinstance(stored.get(key), dict):
            raise BadRecord(f"{source.answers.path} has no answers under {key!r}")
        if answer_type(query) == "boolean":
            gold = ResultSet(boolean=bool(stored[key].get("true")))
        else:
            gold = base.result_of(value for value, weight in stored[key].items() if weight)
        ordered = ordered or key in option(stored, "order_required", list, [])
    tags = base.tagged({"features": " ".join(sorted(map(str, features))) or None})
    return Item(question, gold, query, tags=tags, order_matters=ordered)


def _title(source: SetFile) -> str:
    about = described(source.yaml)
    return str(about.get("prefix") or about.get("id") or source.stem)


TEXT2SPARQL = Format("text2sparql", _fits, _records, _item, _title, gold_apart=True)
