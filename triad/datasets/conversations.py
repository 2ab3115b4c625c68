"""Conversations, in two forms of file: each turn as a question of its own, or in the context of the turns before.

In ``dialogues`` and ``nuggets`` a turn is asked in the form that stands alone. In ``dialogues-in-context`` and
``nuggets-in-context`` it is asked as it was, after the turns before, in one conversation; both have the same ids and
gold, so that two runs can be compared.

**Dialogues** have queries and answers as gold. Turns marked ``"answerable": false`` only introduce the topic and are
not scored. An id is the dialogue's id and the number of the turn in it; the tag ``dependent`` says whether a turn's two
forms differ. Source: the original files of https://github.com/CoDS-GCS/Chatty-Gen, as a list of dialogues with turns.

**Nuggets** are conversations over a graph and passages, whose gold are values with tolerances, nuggets, or that there
is none. Tags of a turn are its ``kind``, as the file calls it, and ``gold``, the way in which its answer is judged.

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

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, get_args

from pydantic import TypeAdapter, ValidationError

from triad.datasets import base
from triad.datasets.base import BadRecord, Format, Item, ReadItem, Record, SetFile, described, option, require, tagged
from triad.datasets.expected import Expected, ExpectedKind
from triad.datasets.qald import stored_result
from triad.questions import Question

_EXPECTED: TypeAdapter[Expected] = TypeAdapter(Expected)


def _turns(source: SetFile, key: str) -> Iterator[Record]:
    """Yield each turn with its conversation, and its place in that."""
    for place, one in base.listed(source, source.under(key), f"a list of {key!r} is expected"):
        if not isinstance(one, Mapping) or not isinstance(one.get("turns"), list):
            yield place, BadRecord(f"each of the {key!r} must have a list of 'turns'")
            continue
        for at, turn in enumerate(one["turns"]):
            own = turn.get("id") if isinstance(turn, Mapping) and key == "conversations" else None
            yield str(own or f"{place}-{at + 1}"), (one, place, at)


# Dialogues ------------------------------------------------------------------------------------------------


def _of_dialogue(source: SetFile, place: str, record: Any) -> Item | None:
    dialogue, _, at = record
    turn = dialogue["turns"][at]
    text = require(turn, "standalone", str)
    if turn.get("answerable") is False:
        return None
    asked = turn.get("question")
    dependent = " ".join(asked.split()) != " ".join(text.split()) if isinstance(asked, str) else None
    tags = tagged({"graph": dialogue.get("kg"), "turn": at + 1, "dependent": dependent})
    question = Question(text.strip(), source.language, place)
    return Item(question, stored_result(turn.get("answers")), turn.get("sparql"), tags=tags)


# Nuggets --------------------------------------------------------------------------------------------------


def _of_conversation(source: SetFile, place: str, record: Any) -> Item:
    whole, _, at = record
    *before, expected = (_expected(turn) for turn in whole["turns"][: at + 1])
    turn = whole["turns"][at]
    asked = require(turn, "standalone" if "standalone" in turn else "question", str).strip()
    expected = replace(expected, asked=asked, before=tuple(value for one in before for value in one.values))
    tags = tagged({"kind": turn.get("kind"), "gold": expected.kind, "turn": at + 1})
    question = Question(asked, source.language, place)
    return Item(question, None, tags=tags, order_matters=expected.ordered, expected=expected)


def _expected(turn: Any) -> Expected:
    gold, supports = require(turn, "gold", dict), option(turn, "supports", dict, {})
    if require(gold, "type", str) not in (kinds := get_args(ExpectedKind)):
        raise BadRecord(f"the gold's 'type' must be one of {', '.join(kinds)}, got {gold['type']!r}")
    nuggets = [
        {**_there(one), "things": _things(one.get("triples") or [])} if isinstance(one, Mapping) else one
        for one in option(gold, "nuggets", list, [])
    ]
    given = {
        **_there(gold),
        "kind": gold["type"],
        "values": list(map(_there, option(gold, "values", list, []))),
        "nuggets": nuggets,
        "least": gold.get("min", 1) if gold["type"] == "nuggets" else 0,
        "supports": {
            **_there(supports),
            "alternatives": supports.get("passage_alternatives") or {},
            "aggregated": supports.get("aggregate_over") or (),
        },
    }
    try:
        expected = _EXPECTED.validate_python(given)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadRecord(f"{place!r}: {first['msg']}, got {first['input']!r}") from error
    if expected.kind == "exact" and all(value.optional for value in expected.values):
        raise BadRecord("there is no value that an answer must state")
    if expected.kind == "nuggets" and not 0 < expected.least <= len(expected.nuggets):
        raise BadRecord(f"'min' must be a number of nuggets, from 1 to {len(expected.nuggets)}, got {expected.least}")
    return expected


def _there(given: Any) -> Any:
    """Return the keys of an object that have a value."""
    return {key: value for key, value in given.items() if value is not None} if isinstance(given, Mapping) else given


def _things(triples: Any) -> Any:
    """Return the ends of triples, each once."""
    if not isinstance(triples, list) or not all(isinstance(one, list) for one in triples):
        return triples
    return tuple(dict.fromkeys(str(term) for one in triples for term in one[::2]))


def _formats(name: str, key: str, item: ReadItem, title: Callable[[SetFile], Any]) -> tuple[Format, Format]:
    """Return the formats of a file; its content tells the first, whose turns stand alone."""

    def in_context(source: SetFile, place: str, record: Any) -> Item | None:
        if (found := item(source, place, record)) is None:
            return None
        whole, name, at = record
        *before, text = (require(one, "question", str).strip() for one in whole["turns"][: at + 1])
        return replace(found, question=replace(found.question, text=text), dialogue=name, history=tuple(before))

    def records(source: SetFile) -> Iterator[Record]:
        return _turns(source, key)

    return (
        Format(name, lambda source: source.under(key) is not None, records, item, title),
        Format(f"{name}-in-context", lambda _: False, records, in_context, title),
    )


FORMATS: Final = (
    *_formats("dialogues", "dialogues", _of_dialogue, lambda source: described(source.data).get("id")),
    *_formats("nuggets", "conversations", _of_conversation, lambda source: source.data.get("set")),
)
