"""Dialogues, in two formats: each turn as a question of its own, or in the context of the turns before.

In ``dialogues`` a turn is asked in the form that stands alone. In ``dialogues-in-context`` it is asked as it was, after
the turns before, in one conversation; both have the same ids and gold answers, so that two runs can be compared. Turns
marked ``"answerable": false`` only introduce the topic and are not scored. An id is the dialogue's id and the number
of the turn in it; the tag ``dependent`` says whether a turn's two forms differ.

Source: the original files of https://github.com/CoDS-GCS/Chatty-Gen, as a list of dialogues with turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from triad.datasets.base import BadRecord, Format, Item, Record, SetFile, listed, make_item, require
from triad.datasets.qald import stored_result
from triad.questions import Question

__all__ = ["DIALOGUES", "IN_CONTEXT"]


def _fits(source: SetFile) -> bool:
    return source.under("dialogues") is not None


def _records(source: SetFile) -> Iterator[Record]:
    for place, dialogue in listed(source, source.under("dialogues"), "a list of 'dialogues' is expected"):
        if not isinstance(dialogue, Mapping) or not isinstance(dialogue.get("turns"), list) or "id" not in dialogue:
            yield place, BadRecord("a dialogue must have an 'id' and a list of 'turns'")
            continue
        for turn, record in enumerate(dialogue["turns"], start=1):
            yield f"{dialogue['id']}-{turn}", (dialogue, turn, record)


def _item(source: SetFile, place: str, record: Any) -> Item | None:
    dialogue, turn, content = record
    text = require(content, "standalone", str)
    if content.get("answerable") is False:
        return None
    gold = stored_result(content.get("answers"))
    asked = content.get("question")
    dependent = " ".join(asked.split()) != " ".join(text.split()) if isinstance(asked, str) else None
    tags = {"graph": dialogue.get("kg"), "turn": turn, "dependent": dependent}
    return make_item(Question(text.strip(), source.language, place), gold, content.get("sparql"), tags=tags)


def _item_in_context(source: SetFile, place: str, record: Any) -> Item | None:
    dialogue, turn, content = record
    item = _item(source, place, record)
    if item is None:
        return None
    question = replace(item.question, text=require(content, "question", str).strip())
    history = tuple(require(before, "question", str).strip() for before in dialogue["turns"][: turn - 1])
    return replace(item, question=question, dialogue=str(dialogue["id"]), history=history)


def _title(source: SetFile) -> str:
    described = source.data.get("dataset")
    return str((described.get("id") if isinstance(described, Mapping) else None) or source.stem)


DIALOGUES = Format("dialogues", _fits, _records, _item, _title)
IN_CONTEXT = Format("dialogues-in-context", lambda _: False, _records, _item_in_context, _title)
