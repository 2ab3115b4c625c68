"""One normal form of names, so that the spelling of a question matches the labels of a graph.

Two names are the same name if they `fold` to the same text: case, accents, punctuation and spacing do not count.

>>> fold("Stanley_Kubrick") == fold("  stanley   kubrick.")
True
>>> fold("Łódź"), fold("C++"), fold("Schindler's List")
('lodz', 'c++', 'schindlers list')

Where a graph gives no name at all, its IRI often does:

>>> local_name("http://example.org/addressCountryCode")
'address country code'
"""

import re
import unicodedata
from typing import Final
from urllib.parse import unquote

from triad.text import remembered

CAPITALS: Final = "".join(char for char in map(chr, range(0x41, 0x530)) if char.isupper())
"""The capitals of the scripts that have them: Latin, Greek, Cyrillic."""

_MARKS: Final = "¿¡?!.؟।… "

_KEPT = "+#"
"""Punctuation that distinguishes names: C, C++ and C#."""

_DROPPED = "'’‘`´ʼ"  # punctuation within words: O'Brien is one word

_LETTERS = {"ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
"""Letters that people type without their stroke, though Unicode has no decomposition for them."""

_PLURALS: Final = (
    "aircraft aircraft, child children, foot feet, life lives, man men, person people, series series, "
    "spacecraft spacecraft, species species, wife wives, woman women"
)
_IRREGULAR = dict(map(str.split, _PLURALS.split(",")))
_MOST_WORDS: Final = 64  # words of a text that may be a name; each other number of a longer one is as long as the text

_NUMBERS = _IRREGULAR | {plural: singular for singular, plural in _IRREGULAR.items()}

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEPARATORS = re.compile(r"[_\-\s]+")


class _Table(dict[int, str]):
    """A table for `str.translate`, whose entries are computed when a character first occurs."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        category = unicodedata.category(char)
        if char in _KEPT:
            result = char
        elif char in _DROPPED or unicodedata.combining(char) or category == "Cf":
            result = ""
        elif category[0] in "PSZC":
            result = " "
        else:
            result = _LETTERS.get(char, char)
        self[code] = result
        return result


_TABLE = _Table()


@remembered(8_192)
def fold(text: str) -> str:
    """Return the normal form of a name; two names with the same form are the same name.

    A name of nothing but punctuation, such as that of the band "!!!", stays as it is.
    """
    if text.isascii():
        plain = text.lower()
    else:
        # Folding case can yield characters that decompose again.
        plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return " ".join(plain.translate(_TABLE).split()) or " ".join(text.casefold().split())


def bare(text: str) -> str:
    """Return a text in one line, without the punctuation around it."""
    return " ".join(text.split()).strip(_MARKS)


def other_numbers(folded: str) -> frozenset[str]:
    """Return the forms of a folded English name with one of its words in the other number.

    Some forms are not English words; they are for lookups, not for display. Texts too long to be names have none.

    >>> sorted(other_numbers("birth places"))
    ['birth plac', 'birth place', 'births places']
    """
    if len(words := folded.split(" ")) > _MOST_WORDS:
        return frozenset()
    forms = ((at, form) for at, word in enumerate(words) for form in _other_number(word))
    return frozenset(" ".join([*words[:at], form, *words[at + 1 :]]) for at, form in forms)


@remembered(8_192)
def _other_number(word: str) -> tuple[str, ...]:
    if word in _NUMBERS:
        return (_NUMBERS[word],)
    if len(word) < 3 or not word.isalpha():
        return ()
    if word.endswith("ies"):
        return (word[:-3] + "y", word[:-1])
    if word.endswith("es"):
        return (word[:-2], word[:-1])
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return (word[:-1],)
    if word.endswith("y") and word[-2] not in "aeiou":
        return (word[:-1] + "ies",)
    return (word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s"),)


def plural(name: str) -> str:
    """Return the plural of an English name, as it is shown.

    >>> plural("power plant"), plural("Country"), plural("point of interest")
    ('power plants', 'Countries', 'points of interest')
    """
    head, of, rest = name.partition(" of ")
    *before, word = head.split(" ")
    if (lower := word.lower()) in _IRREGULAR:
        word = word[:1] + _IRREGULAR[lower][1:]
    elif lower.endswith("person"):
        word = word[: -len("person")] + "people"
    elif lower.endswith("sis"):
        word = word[:-2] + "es"
    elif lower.endswith(("ss", "x", "z", "ch", "sh", "us", "is")):
        word += "es"
    elif lower.endswith("y") and lower[-2:-1] not in "aeiou":
        word = word[:-1] + "ies"
    elif word and not lower.endswith("s"):
        word += "s"
    return " ".join([*before, word]) + of + rest


@remembered(50_000)
def local_name(iri: str) -> str:
    """Return a readable name from an IRI: its last part, decoded and split into words.

    >>> local_name("http://dbpedia.org/resource/Stanley_Kubrick")
    'Stanley Kubrick'
    """
    name = unquote(re.split(r"[/#]", iri.rstrip("/#"))[-1])
    if name.startswith("urn:"):
        name = name.rpartition(":")[2]
    if len(words := _SEPARATORS.split(name.strip("_- "))) == 1:
        # Capitals within one of several words belong to a name (Ronald_McDonald); in a single word they separate parts.
        words = _CAMEL.split(words[0])
        if words[0][:1].islower():
            words = [word if word.isupper() and len(word) > 1 else word.lower() for word in words]
    return " ".join(words) or iri
