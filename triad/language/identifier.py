"""How likely a text is in each of some languages: py3langid's model, read in no time.

py3langid unpacks its model with numpy, which takes half a second and 60 MB in each process. Here the part of it that
tells some languages is unpacked once and kept in the cache.
"""

from __future__ import annotations

import importlib.util
import math
import struct
import sys
import unicodedata
from array import array
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final

from triad.resources import kept

__all__ = ["Identifier"]

_VERSION: Final = 1  # of how the model is unpacked
_HEAD: Final = struct.Struct("<4Q")
_WIDTH: Final = 4  # bytes of each number
_BYTES: Final = 256


class Identifier:
    """A naive Bayes model over sequences of bytes, which an automaton finds.

    Args:
        languages: The languages that are told apart.
    """

    def __init__(self, languages: Sequence[str]) -> None:
        self._languages = tuple(languages)
        spec = importlib.util.find_spec("py3langid")
        assert spec, "Triad needs this package"
        model = Path(str(spec.origin)).parent / "data" / "model.npz.xz"
        known = model.stat()
        key = (_VERSION, known.st_size, known.st_mtime_ns, sys.byteorder, *languages)
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
