"""Documents beside a graph: files of a folder, split by their headings into pieces that are found and cited."""

from triad.retrieval.documents.folder import DocumentFolder, DocumentState
from triad.retrieval.documents.mentions import Mentions
from triad.retrieval.documents.reading import Document, Section, read_document

__all__ = ["Document", "DocumentFolder", "DocumentState", "Mentions", "Section", "read_document"]
