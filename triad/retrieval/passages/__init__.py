"""A graph in words: each thing and each class as passages that are found by search and cited.

Every sentence keeps the facts that it tells. `make_passages` writes them, and the documents beside the graph, into one
index, which `triad.retrieval.search.open_passages` opens.
"""

from triad.retrieval.passages.building import PassagesReport, make_passages, outdated
from triad.retrieval.passages.facts import DescribedThing, StoreFacts
from triad.retrieval.passages.wording import FactWording

__all__ = ["DescribedThing", "FactWording", "PassagesReport", "StoreFacts", "make_passages", "outdated"]
