"""A run's answers in the formats of others: QALD-JSON, which GERBIL takes, and the TEXT2SPARQL client's answers.

Only the first repetition is given: both formats have one answer a question.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from triad.datasets.base import SetFile, described, read_text
from triad.datasets.qald import qald_record
from triad.errors import DataError
from triad.evaluation.folder import Record, RunFolder


def qald(folder: RunFolder) -> str:
    """Return the answers as QALD-JSON: question, query and SPARQL JSON result of each."""
    name = _dataset(folder)["id"]
    questions = [qald_record(record.question, record.answer) for record in _first(folder)]
    return _json({"dataset": {"id": name}, "questions": questions})


def text2sparql(folder: RunFolder) -> str:
    """Return the queries as the TEXT2SPARQL client's ``ask`` writes them; its ``evaluate`` reads them.

    Questions without a query are left out, as the client leaves out those without a reply.

    Source: https://github.com/AKSW/text2sparql-client, ``commands/ask.py``.

    Raises:
        ConfigError: The folder is not that of a run.
        DataError: A file of it cannot be read.
    """
    dataset = _dataset(folder)
    answers = [
        {
            "dataset": dataset["id"],
            "question": record.question.text,
            "query": record.answer.query,
            "endpoint": None,
            "qname": f"{dataset['prefix']}:{record.id}-{record.question.language}",
            "uri": f"{dataset['id']}{record.id}-{record.question.language}",
        }
        for record in _first(folder)
        if record.answer and record.answer.query
    ]
    return _json(answers)


EXPORTS: Final[Mapping[str, Callable[[RunFolder], str]]] = {"qald": qald, "text2sparql": text2sparql}
"""The formats by name."""


def _first(folder: RunFolder) -> Iterator[Record]:
    return (record for record in folder.records() if record.repetition == 1)


def _dataset(folder: RunFolder) -> dict[str, str]:
    """Return ``id`` and ``prefix`` of the data set, from its file where it is still there and says so."""
    path = Path((folder.config().get("dataset") or {}).get("path") or "questions")
    source, content = SetFile(path, ""), None
    with suppress(DataError):
        source = SetFile(path, read_text(path))
        content = source.yaml if source.name.endswith((".yml", ".yaml")) else source.data
    return {key: str(described(content).get(key) or source.stem) for key in ("id", "prefix")}


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
