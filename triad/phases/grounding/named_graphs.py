"""Named graphs: the line that says what stands in each of a few."""

from collections.abc import Iterator
from typing import Final

from triad.phases.context import Context
from triad.phases.grounding.facts import clipped
from triad.phases.grounding.lines import Line
from triad.phases.homonyms import facts_of_sources, find_sources

_OF_SOURCE: Final = 8  # names of relations of a named graph


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
