"""The choice of examples: the nearest pairs, of several forms, and, in runs, none that gives the answer away."""

import copy
import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Self

from triad.embedding.vectors import Vectors
from triad.examples.adapting import adapted, as_example, is_silent, reply_form
from triad.examples.pairs import Pair, Pairs, near_duplicates, query_key, read_pairs
from triad.kg.schema import Schema
from triad.language.normalize import fold
from triad.log import logger
from triad.prompts import Prompt

_POOL: Final = 20  # nearest pairs that examples are chosen from, for each that is wanted
_TOLD: Final = frozenset({"triples", "answer_type", "sparql"})  # what a pair tells of its question


class Examples:
    """Pairs of questions and queries, of which the nearest to a question are shown. Safe to use from several threads.

    Where there are vectors of texts, questions are compared by them, too.
    """

    def __init__(self, pairs: Sequence[Pair], vectors: Vectors | None = None) -> None:
        from triad.search.texts import TextIndex

        self.pairs = tuple(pairs)
        self._index = TextIndex([pair.question for pair in self.pairs], vectors)
        # Where a user asks, an answer that was confirmed before is welcome.
        self._guard: Mapping[str, str] | None = None

    @classmethod
    def read(cls, path: str | os.PathLike[str], vectors: Vectors | None = None, *, language: str = "") -> Self:
        """Read the pairs of a file, as `triad.examples.pairs.read_pairs` does."""
        found: Pairs = read_pairs(path, language=language)
        logger.log("WARNING" if found.left_out else "DEBUG", "examples {}: {}", str(path), found)
        return cls(found.pairs, vectors)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def fingerprint(self) -> str:
        """A text that changes when a pair does."""
        pairs = "\n".join(f"{pair.question}\t{pair.query}" for pair in self.pairs)
        return hashlib.sha256(pairs.encode()).hexdigest()[:16]

    def guarding(self, queries: Iterable[tuple[str, str | None]]) -> Self:
        """Return these examples without what gives answers away.

        Left out for a question are pairs with the same words, or nearly the same, and those with its query, or with the
        query of a pair that was left out for its words.

        Args:
            queries: The questions of a data set, each with its query where that is known.
        """
        guarded = copy.copy(self)
        guarded._guard = {fold(question): query_key(query) for question, query in queries if query}
        return guarded

    def fit(self, prompt: Prompt) -> bool:
        """Return whether a prompt is about a question, and asks for something that a pair tells."""
        return "question" in prompt.inputs and reply_form(prompt, _TOLD) is not None

    def shown(self, prompt: Prompt, question: str, schema: Schema, most: int) -> list[dict[str, Any]]:
        """Return examples of a prompt for a question, the nearest last.

        At most half of the nearest, rounded up, have queries of the same form. The prompt's own examples stay that show
        what no pair can, such as a question without an answer; others of them take the place of what is not there.
        """
        own = prompt.examples[:most]
        kept = [example for example in own if is_silent(example, _TOLD)]
        nearest = self._adapted(prompt, question, schema, most - len(kept))
        filling = [example for example in own if example not in kept][: most - len(kept) - len(nearest)]
        return [*filling, *kept, *nearest]

    def _adapted(self, prompt: Prompt, question: str, schema: Schema, most: int) -> list[dict[str, Any]]:
        forms: Counter[str] = Counter()
        chosen: list[dict[str, Any]] = []
        spare: list[dict[str, Any]] = []
        seen: set[str] = set()
        for pair in self._nearest(question, most) if most else ():
            if len(chosen) == most:
                break
            if fold(pair.question) in seen or (known := adapted(pair, schema)) is None:
                continue
            seen.add(fold(pair.question))
            if forms[pair.form] < (most + 1) // 2:
                forms[pair.form] += 1
                chosen.append(known)
            else:
                spare.append(known)
        chosen += spare[: most - len(chosen)]
        return [as_example(prompt, known) for known in reversed(chosen)]

    def _nearest(self, question: str, most: int) -> list[Pair]:
        found = [self.pairs[place] for place in self._index.nearest(question, _POOL * most)]
        if self._guard is None:
            return found
        given_away = {pair.key for pair in found if near_duplicates(question, pair.question)}
        if (key := self._guard.get(fold(question))) is not None:
            given_away.add(key)
        return [pair for pair in found if pair.key not in given_away]
