r"""Records of reasoning paths, as models are fine-tuned on them: an instruction, a question as input, a path as output.

    {"instruction": "Generate a reasoning path that …", "input": "Question: { who wrote Momo }",
     "output": "Main Path:\n Momo -[author]-> ?x"}

The path is the gold query: a run finds its names in its graph, and runs it. Records may have ``answers`` besides, and
an ``id``. They come as a JSON list, or one a line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from triad.datasets.base import (
    BadRecord,
    Format,
    Item,
    SetFile,
    identity,
    json_records,
    make_item,
    option,
    require,
    result_of,
)
from triad.queries.path_text import MalformedPath, is_path_text, parse_path
from triad.questions import Question
from triad.rdf import IRI

__all__ = ["CRP"]

_INPUT = re.compile(r"(?:Question:)?\s*\{?\s*(.*?)\s*\}?\s*\Z", re.DOTALL)


def _is_record(record: Any) -> bool:
    return isinstance(record, Mapping) and isinstance(path := record.get("output"), str) and is_path_text(path)


def _fits(source: SetFile) -> bool:
    if isinstance(source.data, list):
        return any(map(_is_record, source.data[:20]))
    return source.lines[0].lstrip().startswith("{") and '"output"' in source.lines[0] and "Main Path:" in source.text


def _item(source: SetFile, place: str, record: Any) -> Item:
    found = _INPUT.fullmatch(require(record, "input", str).strip())
    text = found[1] if found else ""
    if not text:
        raise BadRecord("'input' holds no question")
    path = require(record, "output", str).strip()
    try:
        parsed = parse_path(path)
    except MalformedPath as error:
        raise BadRecord(f"'output' is no reasoning path: {error}") from error
    answers = option(record, "answers", list, None)
    gold = None if answers is None else result_of(answers)
    named = gold is not None and any(not isinstance(term, IRI) for row in gold.rows for term in row)
    sorts = [one.sort for one in parsed.restrictions]
    tags = {"hops": len(parsed.steps), **{f"{sort}_restrictions": sorts.count(sort) for sort in sorted(set(sorts))}}
    question = Question(text, source.wanted, identity(record.get("id"), text))
    return make_item(question, gold, None, tags=tags, by_name=named, path=path)


CRP = Format("crp", _fits, json_records, _item)
