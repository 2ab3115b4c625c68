"""All understanding of words: tokens, numbers, dates, units, comparisons, superlatives, names; one pack a language."""
