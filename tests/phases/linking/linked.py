"""What the tests of linking share: what the slots of a template are linked to."""

from __future__ import annotations

from tests.phases.films import Script, World, names
from triad.phases.linking import Links, link
from triad.queries.template import Template


def linked(world: World, sparql: str, script: Script | None = None, **more: object) -> dict[str, list[str]]:
    """The local names that each mention was linked to; of the relations, ``^`` marks those that are reversed."""
    template = Template(sparql)
    links = link(world.context(script, phase="linking", **more), template)  # type: ignore[arg-type]
    return {
        mention.text: [
            ("^" if getattr(option.filler, "sign", "") == "^" else "") + name
            for option, name in zip(links[slot], names(links[slot]), strict=True)
        ]
        for slot, mention in template.slots.items()
    }


def options(world: World, sparql: str, script: Script | None = None, **more: object) -> Links:
    return link(world.context(script, phase="linking", **more), Template(sparql))  # type: ignore[arg-type]
