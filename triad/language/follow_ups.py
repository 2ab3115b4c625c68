"""Follow-ups on the last answer, recognised by their words: why, its query, how many, the first few, another order.

>>> from triad.language.pack import load_pack
>>> follow_up = recognise("sort them by population", load_pack("en"))
>>> follow_up.kind, follow_up.by
('sort', 'population')
"""

from __future__ import annotations

from dataclasses import dataclass

from triad.language.normalize import bare, fold
from triad.language.numbers import number_in, place_in
from triad.language.pack import Pack
from triad.language.pack_schema import FollowUpKind
from triad.language.superlatives import is_order

__all__ = ["FollowUp", "recognise"]


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A follow-up on the last answer: a kind and its details."""

    kind: FollowUpKind
    number: int = 0
    """For ``first``, how many."""
    by: str = ""
    """What to sort by."""
    descending: bool | None = None
    """The direction; None leaves it to the values: numbers descend, all others ascend."""
    what: str = ""
    """For ``only``, which to keep; for ``except``, which to leave out, where empty means those of the last answer."""
    place: int = 1
    """For ``first``, where to begin; -1 is the last one."""

    def of_order(self, pack: Pack) -> bool:
        """Tell whether it asks for the largest, the older or the like."""
        return self.kind == "only" and is_order(self.what, pack)


def recognise(text: str, pack: Pack) -> FollowUp | None:
    """Return the follow-up that a text is, or None if its words are those of a question."""
    for kind, form in pack.follow_ups:
        match = form.fullmatch(bare(text))
        if not match:
            continue
        found = {name: text for name, text in match.groupdict().items() if text}
        if kind == "first":
            number, place = number_in(found.get("n", ""), pack), place_in(found.get("nth", ""), pack)
            if number or place:
                return FollowUp(kind, int(number or 1), place=place or 1)
            continue
        if best := found.get("best"):
            if (follow_up := FollowUp(kind, what=best)).of_order(pack):
                return follow_up
            continue
        if kind == "sort":
            way = fold(found.get("way") or found.get("way1") or "")
            down, up = (set(map(fold, forms)) for forms in (pack.data.sorting.down, pack.data.sorting.up))
            return FollowUp(kind, by=found["by"], descending=way in down if way in down | up else None)
        return FollowUp(kind, what=found.get("what", ""))
    return None
