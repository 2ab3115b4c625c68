"""Readings: what else a question can mean, as further templates.

Each is linked, constructed and executed as the first one is. Readings that give the same result need no choice; among
others the decision-maker chooses.
"""

from __future__ import annotations

from triad.phases import construction, linking
from triad.phases.built_query import BuiltQuery
from triad.phases.context import Context
from triad.queries.template import Template

__all__ = ["run"]


def run(context: Context, template: Template) -> list[BuiltQuery]:
    """Return the executed queries of a reading.

    Raises:
        AnswerError: The model's reply failed its checks, or a limit was reached.
        ServiceError: The model, the label index or the graph failed.
    """
    links = linking.link(context.at("linking"), template)
    construct = context.at("construction")
    return construction.execute(construct, template, construction.construct(construct, template, links))
