"""Answers without a language model: what the words of a question name in the graph, connected by walking it."""
