"""Queries of the project: templates whose mentions are still to be filled."""
