"""Lines of the vocabulary: what each says, how much of it there is room for, and the one about named graphs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from triad.phases.context import Context
from triad.phases.grounding.facts import Fact, clipped
from triad.phases.homonyms import facts_of_sources, find_sources
from triad.text import within as lines_within

NOT_READ: Final = "relations not read"
"""The end of a line for which a look-up took too long; the prompt says what it means."""
NAMES: Final = (24, 16, 12, 8, 5, 3, 0)
"""Names of other relations that a line has at most, in attempts to stay within the budget."""
_SPARED: Final = 2  # names that are not left out, for saying so is as long
_OF_SOURCE: Final = 8  # names of relations of a named graph


@dataclass(slots=True)
class Line:
    """A line of the vocabulary."""

    head: str
    """How it begins, after the names of classes if it is about some."""
    facts: Sequence[Fact] = ()
    detailed: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)
    """Names of the other relations, the most frequent first."""
    most: int = NAMES[0]
    """Names of other relations that it has at most."""
    is_read: bool = True
    """Whether no look-up took too long."""
    classes: list[str] = field(default_factory=list)
    """The names of classes whose things have the same; none if it is about something else."""

    def text(self, names: int) -> str:
        """Return it with at most so many names of other relations."""
        head = self.head
        if self.classes:
            head = ", ".join(self.classes) + (", a class" if len(self.classes) == 1 else ", classes") + head
        most = min(names, self.most)
        shown = self.rest[: most + _SPARED if len(self.rest) <= most + _SPARED and most else most]
        parts = list(self.detailed)
        if shown:
            left = f" ({len(shown)} of {len(self.rest)})" if len(shown) < len(self.rest) else ""
            parts.append(("also " if parts else "") + ", ".join(shown) + left)
        if not self.is_read:
            parts.append(NOT_READ)
        return head + (": " + "; ".join(parts) if parts else "")


def within(lines: Sequence[Line], tokens: int) -> list[str]:
    """Return the lines with as many names of relations as the tokens allow, four characters each."""
    for most in NAMES:
        texts = list(dict.fromkeys(line.text(most) for line in lines))
        if sum(len(text) + 4 for text in texts) <= 4 * tokens:
            return texts
    return lines_within(texts, 4 * tokens, apart=4)


def named_graphs(context: Context) -> Iterator[Line]:
    """Yield the line about the named graphs in which facts stand, if there are a few that names tell apart."""
    if not find_sources(context):
        return
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, relations in facts_of_sources(context).items():
        alike.setdefault(relations, []).append(f"<{name}>")
    parts: list[str] = []
    for relations, names in alike.items():
        shown = ", ".join(map(clipped, relations[:_OF_SOURCE]))
        left = f" ({_OF_SOURCE} of {len(relations)})" if len(relations) > _OF_SOURCE else ""
        parts.append(f"{', '.join(names)}" + (f" with {shown}{left}" if shown else ""))
    rule = "write GRAPH <name> { … } around the facts of one, and only around those; classes stand outside"
    yield Line(f"Facts stand in named graphs ({rule}): {'; '.join(parts)}")
