"""Understanding of words: tokens, numbers, dates, units, comparisons, superlatives, names; one pack per language."""
