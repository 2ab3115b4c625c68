"""Phase 2, URI linking: the terms of the graph that each mention of a template may stand for.

Entities, classes and literals come from the label index. Relations come from the schema cards of the terms that a
pattern's ends are linked to, so that only relations that exist there are candidates. The model is asked only where
names do not decide; it sees numbered candidates and answers with numbers, all mentions in one call, all relations in
another.
"""

from triad.phases.context import Context
from triad.phases.linking.entities import OMITTED, LinkOption, Links, link_names
from triad.phases.linking.relations import Relations
from triad.queries.template import Template

__all__ = ["OMITTED", "LinkOption", "Links", "link"]


def link(context: Context, template: Template) -> Links:
    """Return what each slot of a template may be filled with.

    Raises:
        SearchError: The label index failed.
        GraphError: The graph failed.
        AnswerError: The model's reply failed its checks, or a limit was reached.
    """
    links = link_names(context, template)
    return links | Relations(context, template, links).link()
