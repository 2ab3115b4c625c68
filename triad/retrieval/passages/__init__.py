"""A graph in words: each thing and each class as passages that are found by search and cited.

Every sentence keeps the facts that it tells. `triad.retrieval.passages.building` writes them, and the documents beside
the graph, into one index, which `triad.retrieval.search.open_passages` opens.
"""
