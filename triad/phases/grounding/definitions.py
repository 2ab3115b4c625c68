"""Definitions of words that a question has: the lines that say how a template writes them."""

from typing import Final

from triad.language.analysis import Analysis
from triad.language.definitions import Defined
from triad.language.pack import load_pack
from triad.phases.context import Context
from triad.phases.grounding.facts import clipped, quote
from triad.text import shortened

_MEANING: Final = 80  # characters of what a word is defined as


def defined(context: Context, analysis: Analysis) -> list[Defined]:
    """Return the definitions of words that the question has, each once."""
    known = context.glossary.defined
    found = context.glossary.terms(analysis.words, load_pack(analysis.language)) if known else ()
    return [known[iri] for iri in dict.fromkeys(iri for term in found for iri in term.iris) if iri in known]


def told(one: Defined, holder: str) -> str:
    """Return the line of a definition; a formula's value is one of the things of its holder, and of no others."""
    kind = "a class" if one.kind == "class" else f"a relation of {clipped(holder)}"
    meaning = shortened(one.meaning, _MEANING)
    return f"{quote(one.word)} (defined): {meaning}: write <{'_'.join(one.word.split())}> as {kind}"
