"""Fuzzers: inputs of strangers, mutated from examples, and what must hold of them. ``make fuzz`` runs them for an hour."""
