"""Which questions go to tables and passages at once: those that no one query over the graph is likely to answer.

These need arithmetic over groups, or have words that name nothing of the graph. The words of the form come from the
language's pack; what words name, the lexical solver has found out, without a call.
"""

from __future__ import annotations

from collections.abc import Sequence

from triad.answers import Answer, Unknown
from triad.language.analysis import analyse
from triad.language.pack import load_pack
from triad.phases.context import Context

_FORMS = ("average", "total")


def is_beyond_queries(context: Context, unknown: Unknown | None, given: Sequence[Answer]) -> bool:
    """Return whether a question needs arithmetic over groups, or says what the graph has no words for.

    That is told by its words, by why the solver has no answer, and by the answers of the rungs so far.
    """
    pack = load_pack(context.question.language)
    analysis = analyse(context.question.text, pack)
    words = [pack.key(word.text) for word in analysis.words]
    formed = any(pack.forms[form].longest(words, at) for form in _FORMS for at in range(len(words)))
    shares = any(pack.units.get(word.stem, ("", 1.0))[0] == "share" for word in analysis.words)
    computes = formed or shares or analysis.each is not None or any(one.difference for one in analysis.comparisons)
    left = [one.words for one in unknown.reasons if one.kind in ("words", "relation")] if unknown else []
    return bool(computes or left or (unknown and unknown.ignored) or any(one.ignored for one in given))
