"""The table of conversations over products: a row for each kind of turn, and one for what has no answer."""

from __future__ import annotations

from products import HEADER, rows

from triad.evaluation.folder import RecordDigest
from triad.questions import Question
from triad.trace import Usage


def turn(kind: str, gold: str, seconds: float, **scores: float | None) -> RecordDigest:
    usage = Usage(calls=2, input_tokens=900, output_tokens=100, seconds=1.0)
    tags = {"kind": kind, "gold": gold}
    return RecordDigest(kind, Question("?"), tags=tags, scores=scores, usage=usage, seconds=seconds)


def test_a_row_for_each_kind_and_for_what_has_no_answer() -> None:
    cited = {"cited_sentences": 3.0, "held_sentences": 2.0}
    found = rows([
        turn("lookup", "exact", 1.1, right=1.0, recall_at_5=1.0, citation_precision=None),
        turn("lookup", "unanswerable", 1.2, right=0.0),
        turn("text", "nuggets", 1.3, right=1.0, nugget_recall=0.5, recall_at_5=0.0, **cited),
    ])  # fmt: skip
    assert all(len(row) == len(HEADER) for row in found)
    assert found[0] == (
        "all", "3", "2", "0.500", "-", "0.667", "0.500", "2.00", "1000", "200 ms", "290 ms"
    )  # fmt: skip
    assert [(row[0], row[1], row[2]) for row in found[1:]] == [
        ("lookup, answerable", "1", "1"),
        ("text, answerable", "1", "1"),
        ("unanswerable", "1", "0"),
    ]
