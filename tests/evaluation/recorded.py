"""Runs that were not made: folders of records with scores, as runs leave them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from triad.answers import Answer
from triad.evaluation.folder import Record, RunFolder, Writer
from triad.evaluation.summary import read_report
from triad.questions import Question
from triad.rdf import Literal, ResultSet, Value
from triad.trace import Trace, Usage

__all__ = ["record", "reported", "write"]


def record(id_: str, score: float | None = 1.0, **fields: Any) -> Record:
    question = Question(fields.pop("text", f"Question {id_}?"), id=id_)
    answer = Answer(
        question,
        variables=("x",),
        rows=((Value(Literal(f"value of {id_}"), f"value of {id_}"),),),
        text=f"value of {id_}",
        query="SELECT ?x WHERE { ?x ?y ?z }",
        confidence=fields.pop("confidence", 0.85),
        trace=Trace(question),
    )
    known: dict[str, Any] = {
        "answer": answer,
        "scores": {} if score is None else {"set_f": score, "exact_match": float(score == 1), "mrr": None},
        "gold": ResultSet(("x",), ((Literal("gold"),),)),
        "usage": Usage(calls=2, input_tokens=900, output_tokens=100, money=0.001, seconds=0.4),
        "phases": {"parsing": 0.4, "linking": 0.1},
        "seconds": 0.5,
    }
    return Record(id_, question, **{**known, **fields})


def write(folder: Path, records: Sequence[Record], **session: Any) -> Path:
    """Write a run's folder."""
    kept = RunFolder(folder)
    keys = {"graph": "g.ttl", "model": "m", "dataset": {"path": "questions.yml"}, "run": {"seed": 0, "repeat": 1}}
    kept.begin(keys, {"name": folder.name, "models": {"generalist": "m"}, "questions": len(records), **session})
    with Writer(kept) as writer:
        for one in records:
            writer.append(one)
    return folder


def reported(folder: Path, *scores: float) -> Path:
    """Write the folder of a run over questions with these scores, and its report."""
    write(folder, [record(str(number), score) for number, score in enumerate(scores, 1)])
    (folder / "report.json").write_text(read_report(folder).to_json(), encoding="utf-8")
    return folder
