"""Repair: another query in place of one that failed, made of what the graph has."""

from triad.repair.repairing import repair

__all__ = ["repair"]
