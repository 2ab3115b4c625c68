"""A question as one cover reads it: its marks, its operators and what these apply to."""

from __future__ import annotations

from triad.language.operators import Operator
from triad.lexical.composition.covers import Cover
from triad.lexical.composition.marks import Mark
from triad.lexical.composition.wording import NEAR, Wording

__all__ = ["Covered"]


class Covered:
    """A question whose words one cover accounts for.

    Args:
        wording: What its words say.
        cover: What accounts for them.
    """

    def __init__(self, wording: Wording, cover: Cover) -> None:
        self.wording = wording
        self.analysis = wording.analysis
        self.schema = wording.schema
        self.marks = [mark for mark in cover.marks if mark.kind not in ("source", "part")]
        self.parts = [mark for mark in cover.marks if mark.kind == "part"]
        self.operators = list(cover.operators)
        self.bounds = list(cover.bounds)
        self.cover = cover

    def operand(self, operator: Operator) -> Mark | None:
        """Return the mark that an operator applies to: the next one, with nothing but operators between."""
        at = operator.end
        for mark in self.marks:
            if mark.start < at or (operator.kind == "count" and mark.kind == "thing" and not self._precedes(mark)):
                continue
            between = mark.start - at
            skipped = sum(one.end - one.start for one in self.operators if at <= one.start and one.end <= mark.start)
            if between - skipped > NEAR or self._broken(at, mark.start):
                return None
            return self._qualified(mark)
        return None

    def _precedes(self, mark: Mark) -> bool:
        return any(one.start == mark.end and one.kind in ("class", "relation") for one in self.marks)

    def _qualified(self, mark: Mark) -> Mark:
        """Return the class that a text or a name right before it qualifies: "Python packages"."""
        at = self.marks.index(mark)
        after = self.marks[at + 1] if at + 1 < len(self.marks) else None
        if mark.kind in ("text", "thing") and after is not None and after.kind == "class" and after.start == mark.end:
            return after
        return mark

    def _broken(self, start: int, end: int) -> bool:
        return any(bound[0].start in range(start, end) for bound in self.bounds)
