"""How graph profiles are made: from triples as they come."""

from triad.indexing.profiling.collector import ProfileCollector

__all__ = ["ProfileCollector"]
