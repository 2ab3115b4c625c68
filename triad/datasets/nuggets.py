"""Conversations over a graph and passages, whose gold are values with tolerances, nuggets, or that there is none.

In ``nuggets`` a turn is asked in the form that stands alone, in ``nuggets-in-context`` as it was asked, after the turns
before. Both have the same ids and gold. Tags of a turn are its ``kind``, as the file calls it, and ``gold``, the way in
which its answer is judged.

    {"set": "ebikes", "conversations": [{"id": "ebikes-1", "title": …, "turns": [{
      "id": "ebikes-1.1", "question": "And its weight?", "standalone": …, "kind": "lookup", "answerable": true,
      "gold": {"type": "exact", "values": [{"value": 24.8, "unit": "kg", "tolerance": 0.1, "optional": false,
                                            "label": …, "iri": …, "accept": [names]}], "ordered": false}
            | {"type": "nuggets", "min": 2, "nuggets": [{"text": …, "keys": [regular expressions], "required": true,
                                                         "triples": [[subject, relation, object]], "passages": [ids]}]}
            | {"type": "unanswerable", "why": …},
      "supports": {"entities": [IRIs], "passages": [ids], "passage_alternatives": {id: [ids]}, "aggregate_over": [IRIs]}
    }]}]}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from triad.datasets.base import BadRecord, Format, Item, Record, SetFile, listed, make_item, option, require
from triad.datasets.expected import Expected, ExpectedKind, ExpectedValue, Nugget, Supports
from triad.questions import Question

__all__ = ["IN_CONTEXT", "NUGGETS"]


def _fits(source: SetFile) -> bool:
    return source.under("conversations") is not None


def _records(source: SetFile) -> Iterator[Record]:
    conversations = listed(source, source.under("conversations"), "a list of 'conversations' is expected")
    for number, (place, conversation) in enumerate(conversations, start=1):
        if not isinstance(conversation, Mapping) or not isinstance(conversation.get("turns"), list):
            yield place, BadRecord("a conversation must have a list of 'turns'")
            continue
        for at, turn in enumerate(conversation["turns"]):
            known = turn.get("id") if isinstance(turn, Mapping) else None
            yield str(known or f"{conversation.get('id', number)}-{at + 1}"), (conversation, at)


def _item(source: SetFile, place: str, record: Any) -> Item:
    conversation, at = record
    turn = conversation["turns"][at]
    asked = require(turn, "standalone" if "standalone" in turn else "question", str).strip()
    before = [
        value for one in conversation["turns"][:at] for value in _values(require(one, "gold", dict).get("values", ()))
    ]
    expected = replace(_expected(turn), asked=asked, before=tuple(before))
    tags = {"kind": turn.get("kind"), "gold": expected.kind, "turn": at + 1}
    question = Question(asked, source.language, place)
    return make_item(question, None, None, tags=tags, order_matters=expected.ordered, expected=expected)


def _item_in_context(source: SetFile, place: str, record: Any) -> Item:
    item = _item(source, place, record)
    conversation, at = record
    texts = [require(turn, "question", str).strip() for turn in conversation["turns"][: at + 1]]
    name = str(conversation.get("id") or place)
    return replace(item, question=replace(item.question, text=texts[-1]), dialogue=name, history=tuple(texts[:-1]))


def _expected(turn: Any) -> Expected:
    gold = require(turn, "gold", dict)
    kind = require(gold, "type", str)
    if kind not in get_args(ExpectedKind):
        raise BadRecord(f"the gold's 'type' must be one of {', '.join(get_args(ExpectedKind))}, got {kind!r}")
    supports = _supports(option(turn, "supports", dict, {}))
    if kind == "exact":
        values = _values(require(gold, "values", list))
        if not any(not value.optional for value in values):
            raise BadRecord("there is no value that an answer must state")
        return Expected("exact", values, ordered=gold.get("ordered") is True, supports=supports)
    if kind == "nuggets":
        nuggets = tuple(map(_nugget, require(gold, "nuggets", list)))
        least = gold.get("min", 1)
        if not isinstance(least, int) or not 0 < least <= len(nuggets):
            raise BadRecord(f"'min' must be a number of nuggets, from 1 to {len(nuggets)}, got {least!r}")
        return Expected("nuggets", nuggets=nuggets, least=least, supports=supports)
    return Expected("unanswerable", why=str(gold.get("why", "")), supports=supports)


def _values(values: Any) -> tuple[ExpectedValue, ...]:
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise BadRecord(f"'values' must be a list, got {values!r}")
    return tuple(map(_value, values))


def _value(given: Any) -> ExpectedValue:
    value = given.get("value") if isinstance(given, Mapping) else None
    if not isinstance(value, str | int | float) or value == "":
        raise BadRecord(f"a value must have a text, a number or a boolean as its 'value', got {given!r}")
    tolerance = given.get("tolerance") or 0
    if not isinstance(tolerance, int | float) or tolerance < 0:
        raise BadRecord(f"a 'tolerance' must be a number that is not negative, got {tolerance!r}")
    return ExpectedValue(
        value if isinstance(value, str | bool) else float(value),
        str(given.get("unit") or ""),
        float(tolerance),
        str(given.get("label") or ""),
        given.get("iri"),
        _texts(given.get("accept"), "accept"),
        given.get("optional") is True,
    )


def _nugget(given: Any) -> Nugget:
    keys = _texts(require(given, "keys", list), "keys")
    for key in keys:
        try:
            re.compile(key)
        except re.error as error:
            raise BadRecord(f"the key {key!r} is no regular expression: {error}") from error
    if not keys:
        raise BadRecord(f"the nugget {given.get('text')!r} has no keys")
    triples = option(given, "triples", list, [])
    if not all(isinstance(one, list) for one in triples):
        raise BadRecord(f"'triples' must be a list of lists, got {triples!r}")
    things = dict.fromkeys(str(term) for triple in triples for term in triple[::2])
    passages = _texts(given.get("passages"), "passages")
    return Nugget(require(given, "text", str), keys, given.get("required") is True, tuple(things), passages)


def _supports(given: Mapping[str, Any]) -> Supports:
    others = option(given, "passage_alternatives", dict, {})
    return Supports(
        _texts(given.get("entities"), "entities"),
        _texts(given.get("passages"), "passages"),
        {str(key): _texts(value, "passage_alternatives") for key, value in others.items()},
        _texts(given.get("aggregate_over"), "aggregate_over"),
    )


def _texts(given: Any, key: str) -> tuple[str, ...]:
    if given is not None and (not isinstance(given, list) or not all(isinstance(one, str) for one in given)):
        raise BadRecord(f"{key!r} must be a list of texts, got {given!r}")
    return tuple(given or ())


def _title(source: SetFile) -> str:
    return str(source.data.get("set") or source.stem)


NUGGETS = Format("nuggets", _fits, _records, _item, _title)
IN_CONTEXT = Format("nuggets-in-context", lambda _: False, _records, _item_in_context, _title)
