"""The short table at the end of a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Console

from triad.cli.display import show_table, show_text
from triad.evaluation.report import SHOWN, compact, facts, score_table
from triad.text import one_line

if TYPE_CHECKING:
    from triad.evaluation.report import Report

__all__ = ["show_report"]

_CAUSES = 3
"""Reasons of failures that are named, for mostly one is behind all; the report has all."""


def show_report(console: Console, report: Report) -> None:
    """Show what a run came to: the scores that matter most, how many questions failed and why, and the cost."""
    show_text(console, one_line(report.name))
    for line in facts(report):
        show_text(console, one_line(line))
    show_text(console, "")
    if report.parts:
        runs = compact(report.parts)
        show_table(console, runs.header, [[one_line(str(cell)) for cell in row] for row in runs.rows])
    elif report.scores:
        scores = score_table(report, [name for name in SHOWN if name in report.scores] or report.scores)
        show_table(console, scores.header, scores.rows)
    for line in _failures(report):
        show_text(console, line)


def _failures(report: Report) -> Iterator[str]:
    for error, count in sorted(report.errors.items(), key=lambda one: -one[1])[:_CAUSES]:
        reason = report.reasons.get(error)
        yield one_line(f"{count:,} failed: {error}" + (f", the first of them: {reason}" if reason else ""))
    if len(report.errors) > _CAUSES:
        yield f"and {len(report.errors) - _CAUSES:,} other causes of failures"
