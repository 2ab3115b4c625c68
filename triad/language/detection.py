"""Language detection for questions, without a network.

py3langid tells the eleven languages of QALD-9 apart in 99.0 % of its 2,367 questions (lingua: 95.7 %, with a model
twenty times the size; langdetect: 92.4 %), in 0.04 ms each. A short question or one that is mostly a name can
mislead it, so a conversation keeps to its language unless another one is much more likely. `detection` says whether
there is such doubt; a graph's labels can then resolve it (`triad.kg.languages`).
"""

import importlib.util
import math
import re
import struct
import sys
import threading
import unicodedata
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final

from triad.language.normalize import CAPITALS, fold
from triad.language.pack_files import all_idle_words, languages, pack_data
from triad.resources import kept

LANGUAGES: Final = ("de", "en", "es", "fa", "fr", "hi", "it", "nl", "pt", "ro", "ru")
"""The languages that can be detected: those of QALD-9."""

_CLEAR: Final = 2.0  # by how much, in natural logarithms of likelihood, another language must be more likely
_FUNCTION_WORD: Final = 2.0  # evidence of a function word for its language, in the same unit
_SHORT: Final = 3  # words below which a text alone is too short to detect its language
_QUOTED = re.compile(r"[\"“”«»‘]([^\"“”«»‘’]{3,})[\"“”«»’]|(?<!\w)'[^']{3,}'(?!\w)|\(.*?\)")
_PARTICLES = re.compile(r"(?: (?:al|bin|da|de|del|della|den|der|di|dos|du|la|le|ten|ter|van|von|y|zu|zum)){1,2} ")
_NAME = re.compile(rf"(?<=[^.?!] )[{CAPITALS}]\S*(?:{_PARTICLES.pattern}[{CAPITALS}]\S*)*")
_SCRIPTS: Final = {
    "ru": re.compile("[\u0400-\u04ff]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "fa": re.compile("[\u0600-\u06ff]"),
}
_lock = threading.Lock()

_MODEL: Final = 1  # of how the model is unpacked
_HEAD: Final = struct.Struct("<4Q")
_WIDTH: Final = 4  # bytes of each number
_BYTES: Final = 256


@dataclass(frozen=True, slots=True)
class Detection:
    """The language of a question, as far as its words tell."""

    language: str
    """The likeliest one, as a tag."""
    others: tuple[str, ...] = ()
    """Languages that it may be in as well, the likeliest first; none if there is no doubt."""


def detect(text: str, expected: str = "en") -> str:
    """Return the language of a question as a tag: that which is expected, unless another one is much more likely.

    >>> detect("Wie viele Einwohner hat Wien?"), detect("And Vienna?", expected="de")
    ('de', 'de')
    """
    return detection(text, expected).language


def detection(text: str, expected: str = "en") -> Detection:
    """Return the language of a question, and in doubt the other languages that it may be in.

    >>> detection("Hauptstadt Italiens?").language, "de" in detection("Hauptstadt Italiens?").others
    ('en', True)
    """
    usual = expected.lower().partition("-")[0]
    letters = sum(char.isalpha() for char in text)
    by_script = next((one for one, script in _SCRIPTS.items() if 2 * len(script.findall(text)) > letters > 0), None)
    if by_script and (by_script == usual or not _idle(text, usual)):
        return Detection(expected if by_script == usual else by_script)
    plain = _QUOTED.sub(" ", text)
    if not pack_data(usual if usual in languages() else "en").capital_nouns:
        plain = _NAME.sub(" ", plain)  # names are in any language; German capitalises too much else
    if len(plain.split()) < _SHORT:
        plain = _NAME.sub(lambda name: " ".join(_PARTICLES.split(name[0])), text)  # van der Berg says nothing of it
    with _lock:  # else each of many threads that ask first would read the model for itself
        identifier = _identifier()
    scores = identifier.likelihoods(plain)
    if len(plain.split()) < _SHORT:
        others = (one for one in scores if one != usual and one not in _SCRIPTS)
        return Detection(expected, tuple(sorted(others, key=lambda one: -scores[one])))
    if usual not in scores:
        return Detection(max(scores, key=lambda one: scores[one]))
    known = {one: score + _idle(plain, one) for one, score in scores.items()}
    best = max(known, key=lambda one: known[one])
    likeliest, code = (best, best) if known[best] > known[usual] + _CLEAR else (expected, usual)
    near = (one for one in known if one != code and one not in _SCRIPTS and known[one] >= known[code] - _CLEAR)
    return Detection(likeliest, tuple(sorted(near, key=lambda one: -known[one])))


def _idle(text: str, language: str) -> float:
    idle = all_idle_words().get(language, frozenset())
    return _FUNCTION_WORD * sum(word in idle for word in fold(text).split())


class Identifier:
    """The model of py3langid: a naive Bayes model over sequences of bytes, which an automaton finds.

    py3langid unpacks its model with numpy, which takes half a second and 60 MB in each process. Here the part of it
    that tells some languages is unpacked once and kept in the cache.
    """

    def __init__(self, languages: Sequence[str]) -> None:
        self._languages = tuple(languages)
        spec = importlib.util.find_spec("py3langid")
        assert spec, "Triad needs this package"
        model = Path(str(spec.origin)).parent / "data" / "model.npz.xz"
        known = model.stat()
        key = (_MODEL, known.st_size, known.st_mtime_ns, sys.byteorder, *languages)
        content = memoryview(kept("languages", key, lambda: _unpacked(model, languages)))
        ends = [_HEAD.size, *(_HEAD.size + _WIDTH * end for end in accumulate(_HEAD.unpack_from(content)))]
        moves, rows, features, weights = (content[start:end] for start, end in pairwise(ends))
        self._moves, self._rows = moves.cast("I"), rows.cast("I")
        self._features, self._weights = features.cast("i"), weights.cast("f")
        self._priors = content[ends[-1] :].cast("f")

    def likelihoods(self, text: str) -> dict[str, float]:
        """Return the natural logarithm of each language's likelihood, the likeliest first."""
        # As py3langid reads a text, and as its model was made.
        encoded = unicodedata.normalize("NFC", text.lower() if text.isupper() else text).encode(errors="surrogatepass")
        scores = list(self._priors)
        seen = self._seen(encoded)
        width = len(scores)
        for feature, count in seen.items():
            times = math.log1p(count)
            for at, weight in enumerate(self._weights[feature * width : (feature + 1) * width]):
                scores[at] += times * weight
        # Longer texts would be all too sure.
        calm = [score / math.sqrt(len(encoded) or 1) if seen else 0.0 for score in scores]
        total = max(calm) + math.log(sum(math.exp(score - max(calm)) for score in calm))
        found = {language: score - total for language, score in zip(self._languages, calm, strict=True)}
        return dict(sorted(found.items(), key=lambda one: -one[1]))

    def _seen(self, text: bytes) -> Counter[int]:
        """Return how often each feature occurs in a text."""
        moves, rows, features = self._moves, self._rows, self._features
        found: list[int] = []
        state = 0
        for byte in text:
            state = moves[rows[state] * _BYTES + byte]
            if (feature := features[state]) >= 0:
                found.append(feature)
        return Counter(found)


def _unpacked(model: Path, languages: Sequence[str]) -> bytes:
    """Return the part of py3langid's model that tells some languages: the lengths of its parts, and all their numbers.

    These are the states' moves by byte, the row of moves of each state, the feature that each state ends, or -1, the
    weights of each feature by language, and the weights of the languages.
    """
    from py3langid.langid import LanguageIdentifier

    made: Any = LanguageIdentifier.from_model_file(model)
    columns = [made.nb_classes.index(language) for language in languages]
    parts = [array("I", made.tk_nextmove), array("I", made.tk_row), array("i", made.tk_output)]
    parts.append(array("f", made.nb_ptc[:, columns].astype("float32").tobytes()))
    parts.append(array("f", made.nb_pc[columns].astype("float32").tobytes()))
    return _HEAD.pack(*(len(part) for part in parts[:4])) + b"".join(part.tobytes() for part in parts)


_identifier = cache(lambda: Identifier(LANGUAGES))
