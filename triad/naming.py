"""What is said of a name that nothing has: which names there are, and which one was meant, perhaps.

>>> "known: " + among(["advisor", "decision_maker", "generalist"], "advisr")
"known: advisor, decision_maker, generalist; did you mean 'advisor'?"
>>> among([], "advisr")
'none'
"""

import re
from collections.abc import Iterable
from typing import Final

SHOWN: Final = 60
"""Names that are listed at most: more than there are of any kind that ships."""
_LIKE: Final = 0.6  # of a name's letters, as difflib counts; what one or two slips of the finger leave
_QUOTED: Final = re.compile(r"'([^']*)'")


def meant(name: str, names: Iterable[str]) -> str:
    """Return a question for the name that was meant; an empty text if none is like it.

    >>> meant("--grph", ["--graph", "--json"])
    "did you mean '--graph'?"
    """
    from difflib import get_close_matches

    known = {_plain(one): one for one in reversed(list(names))}
    near = get_close_matches(_plain(name), known, 2, _LIKE)
    return f"did you mean {' or '.join(repr(known[one]) for one in near)}?" if near else ""


def _plain(name: str) -> str:
    return name.casefold().lstrip("-")


def among(names: Iterable[str], name: str) -> str:
    """Return the names that there are, in a line, and which of them was meant by another one."""
    known = list(names)
    rest = ", …" if len(known) > SHOWN else ""
    question = meant(name, known)
    return f"{', '.join(known[:SHOWN]) or 'none'}{rest}{question and f'; {question}'}"


def meant_of(name: str, message: str) -> str:
    """Return the question for the name that was meant, with a semicolon before it, for a message with quoted names.

    >>> meant_of("csw", "'csw' is not one of 'csv', 'tsv'")
    "; did you mean 'csv'?"
    """
    question = meant(name, [one for one in _QUOTED.findall(message) if one != name])
    return question and f"; {question}"
