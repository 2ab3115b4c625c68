"""Queries: query graphs with their one renderer to SPARQL, and templates whose mentions are still to be filled."""
