"""Follow-ups on the last answer, recognised by their words: why, its query, how many, the first few, another order.

>>> from triad.language.pack import load_pack
>>> follow_up = recognise("sort them by population", load_pack("en"))
>>> follow_up.kind, follow_up.by
('sort', 'population')
"""

from dataclasses import dataclass

from triad.language.normalize import bare
from triad.language.operators import find_operators, is_order
from triad.language.pack import Pack
from triad.language.quantities import number_in, place_in
from triad.language.tokens import Sentence
from triad.language.turn_schema import FollowUpKind


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

    @property
    def is_whole(self) -> bool:
        """True if no question by itself is worded like it; one that keeps some, or adds a column, may be."""
        return self.kind in ("count", "first", "sort", "except")

    @property
    def of_one(self) -> bool:
        """True if it is about the last answer as it is, and not about the list that a single thing comes from."""
        return self.kind in ("why", "query", "count")

    def of_order(self, pack: Pack) -> bool:
        """Return whether it asks for the largest, the older or the like."""
        return self.kind == "only" and (is_order(self.what, pack) or self.falls(pack) is not None)

    def falls(self, pack: Pack) -> bool | None:
        """Return whether "the most" is asked for, or "the least", without saying of what; None if neither is."""
        words = [word for word in pack.keys(self.what) if self.what.strip()]
        for name, down in (("most", True), ("least", False)):
            if any(end == len(words) for _, end, _ in pack.compare[name].all(words)):
                rest = [word for word in words if word not in pack.compare[name].starts]
                return down if all(word in pack.idle for word in rest) else None
        return None


def recognise(text: str, pack: Pack) -> FollowUp | None:
    """Return the follow-up that a text is, or None if its words are those of a question."""
    for kind, form in pack.follow_ups:
        if not (match := form.fullmatch(bare(text))):
            continue
        found = {name: text for name, text in match.groupdict().items() if text}
        if kind == "first":
            number, place = number_in(found.get("n", ""), pack), place_in(found.get("nth", ""), pack)
            if number or place:
                words = (word for word in pack.keys(text) if word not in pack.ordinals)
                top = any(pack.compare["top"].longest([word], 0) for word in words)
                return FollowUp(kind, int(number or 1), place=place or 1, descending=True if top else None)
            continue
        if best := found.get("best"):
            if (follow_up := FollowUp(kind, what=best)).of_order(pack):
                return follow_up
            continue
        if kind == "sort":
            by, comma, after = found["by"].partition(",")
            way = found.get("way") or (after if comma else "")
            return FollowUp(kind, by=by.strip(), descending=_direction(way, pack))
        if kind == "column" and _is_more(found.get("what", ""), pack):
            continue
        return FollowUp(kind, what=found.get("what", ""))
    return _order_alone(bare(text), pack)


def _is_more(what: str, pack: Pack) -> bool:
    """Return whether words are more than the name of a column: they ask, or mean one of a list."""
    keys = pack.keys(what) if what.strip() else []
    asks = any(True for name in ("which", "boolean") for _ in pack.forms[name].all(keys))
    return asks or "," in what or any(place_in(word, pack) for word in what.split()[:1])


def _order_alone(text: str, pack: Pack) -> FollowUp | None:
    """Return the follow-up that "biggest first" is: an order by the measure of its superlative."""
    sentence = Sentence(text, pack)
    if (last := len(sentence) - 1) < 1 or pack.ordinals.get(sentence.folded[last]) != 1:
        return None
    by = text[: sentence.words[last].start].strip()
    return FollowUp("sort", by=by, descending=_direction(text, pack)) if is_order(by, pack) else None


def _direction(text: str, pack: Pack) -> bool | None:
    """Return whether the greatest is to come first; None if the words do not say."""
    if order := next(pack.sort_orders.all(pack.keys(text) if text.strip() else []), None):
        return order[2]
    return next((one.descending for one in find_operators(text, pack) if one.kind == "superlative"), None)
