"""Repair: another query in place of one that failed, made of what the graph has."""
