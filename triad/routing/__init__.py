"""The ladder: rungs that answer a question, the cheapest first, and what tells whether the next one is needed."""
