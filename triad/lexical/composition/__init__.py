"""Composition: a question read as a tree over the schema of the graph, which its profile tells."""

from triad.lexical.composition.evidence import is_unanswered, tied
from triad.lexical.composition.readings import Reading, Readings, as_candidate, find_readings, schema_names

__all__ = ["Reading", "Readings", "as_candidate", "find_readings", "is_unanswered", "schema_names", "tied"]
