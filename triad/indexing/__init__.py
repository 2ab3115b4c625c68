"""From RDF files, publishers' dumps or an endpoint to a graph and a label index."""

from triad.indexing.build import build, is_rdf, prepared

__all__ = ["build", "is_rdf", "prepared"]
