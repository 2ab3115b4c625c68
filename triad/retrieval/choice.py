"""Which questions go to tables and passages at once: those that no one query over the graph is likely to answer.

These need arithmetic over groups, or have words that name nothing of the graph. The words of the form come from the
language's pack; what words name, the lexical solver has found out, without a call.
"""

from __future__ import annotations

from collections.abc import Sequence

from triad.answers import Answer, Unknown
from triad.language.analysis import Analysis, analyse
from triad.language.pack import Pack, load_pack
from triad.phases.context import Context

_FORMS = ("average", "total")


def is_beyond_queries(context: Context, unknown: Unknown | None, given: Sequence[Answer]) -> bool:
    """Return whether a question needs arithmetic over groups, or says what the graph has no words for.

    That is told by its words, by why the solver has no answer, and by the answers of the rungs so far.
    """
    pack = load_pack(context.question.language)
    analysis = analyse(context.question.text, pack)
    return _computes(analysis, pack) or _is_beyond_words(unknown, given)


def _computes(analysis: Analysis, pack: Pack) -> bool:
    """Return whether a question asks for a mean, a sum or a share, or for something of each group."""
    words = [pack.key(word.text) for word in analysis.words]
    formed = any(pack.forms[form].longest(words, at) for form in _FORMS for at in range(len(words)))
    stems = [word.stem for word in analysis.words]
    shares = any(pack.units.get(stem, ("", 1.0))[0] == "share" for stem in stems)
    return formed or shares or analysis.each is not None or any(one.difference for one in analysis.comparisons)


def _is_beyond_words(unknown: Unknown | None, given: Sequence[Answer]) -> bool:
    """Return whether words of a question name nothing of the graph, which texts may tell of."""
    left = [one.words for one in unknown.reasons if one.kind in ("words", "relation")] if unknown else []
    return bool(left or (unknown and unknown.ignored) or any(one.ignored for one in given))
