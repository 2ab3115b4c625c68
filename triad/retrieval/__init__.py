"""Questions that one query of the graph does not answer: its tables, and SQL on them."""
