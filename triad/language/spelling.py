"""Spelling: words of a question that are no words, and the one word that they most likely are.

People type "wich", "frist" and "captial". Names are found with their typos by the label indexes; what is corrected here
are the common words, which give a question its form, and those of the graph's schema. A word that nothing knows is
taken for the one that differs by two letters swapped, a letter missing, one too many or another one, in this order;
where two are as near, it stays. Words of other kinds differ in one of the first two ways only. What is known are the
pack's words and those of the lexical database, which is English: in other languages nothing is corrected. What is
unpaid is not paid, where the schema has the one word and not the other.

>>> from triad.language.pack import load_pack
>>> corrections("Wich river is teh longst, captial of Frnace", load_pack("en"))
{'Wich': 'Which', 'teh': 'the', 'longst': 'longest', 'captial': 'capital'}
"""

import re
from collections.abc import Collection, Iterator
from string import ascii_lowercase
from typing import Final

from triad.cancelling import check
from triad.language.lexical_database import is_known
from triad.language.pack import Pack
from triad.language.tokens import split

_SHORT: Final = 4  # letters of a word up to which fewer ways are tried
_LONG: Final = 24  # letters up to which a word may be one of those that people misspell
_AS_IT_IS: Final = re.compile(r'"[^"]*"|“[^”]*”|\S*\w[@.:/_]+\w\S*')  # quotes and addresses
_NEGATED: Final = re.compile(r"un(\w{4,})")  # unpaid, where the schema knows what is paid
_SURE: Final = 2  # ways to misspell a word that are tried for those of other kinds


def corrections(text: str, pack: Pack, schema: Collection[str] = ()) -> dict[str, str]:
    """Return the words of a text that are misspelt, with what they most likely are; words of the schema are folded."""
    found: dict[str, str] = {}
    as_it_is = {at for match in _AS_IT_IS.finditer(text) for at in range(*match.span())}
    words = split(text, pack) if pack is pack.english else ()
    keys = [word.folded for word in words]
    plain_form = not (pack.forms["boolean"].longest(keys, 0) or any(pack.forms["negated"].all(keys)))
    for at, word in enumerate(words):
        check()
        if word.start in as_it_is:
            continue
        plain = word.text.lower()
        had = at > 0 and keys[at - 1] in ("have", "has", "had", "with")  # who has not paid rentals may have others
        negated = _NEGATED.fullmatch(plain) if plain_form and not had and plain not in schema else None
        if negated and negated[1] in schema:
            found[word.text] = f"not {negated[1]}"
            continue
        common = word.text == plain or (at == 0 and word.text == plain.capitalize())
        known = plain in pack.form_words or plain in pack.idle or plain in schema or is_known(plain)
        likely = common and not known and plain.isascii() and plain.isalpha() and 2 < len(plain) <= _LONG
        if likely and (meant := _meant(plain, pack, schema)):
            found[word.text] = meant if word.text == plain else meant.capitalize()
    return found


def _meant(word: str, pack: Pack, schema: Collection[str]) -> str | None:
    """Return what a word is most likely; None if there is no such word, or several are as likely."""
    ways = [sorted(set(way)) for way in _edits(word)]
    few, most = (ways[:_SURE], ways) if len(word) > _SHORT else ([], ways[:_SURE])
    for is_meant, tried in ((pack.form_words.__contains__, ways), (schema.__contains__, most), (is_known, few)):
        for way in tried:
            if likely := [one for one in way if one[0] == word[0] and is_meant(one)]:
                return likely[0] if len(likely) == 1 else None
    return None


def _edits(word: str) -> Iterator[Iterator[str]]:
    """Yield what a word may be with two letters swapped, with one more, with one fewer and with another one."""
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    yield (one + two[1] + two[0] + two[2:] for one, two in parts if len(two) > 1)
    yield (one + letter + two for one, two in parts for letter in ascii_lowercase)
    yield (one + two[1:] for one, two in parts if two)
    yield (one + letter + two[1:] for one, two in parts if two for letter in ascii_lowercase)
