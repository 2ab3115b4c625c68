"""Sentences gathered into passages that are long enough to tell something, and short enough to be read."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from triad.retrieval.search.base import Sentence

SIZE: Final = 1_000
"""Characters of a passage, about; sentence embedders read some 250 tokens."""


def gathered(blocks: Iterable[Sequence[Sentence]], repeated: Sequence[Sentence] = ()) -> Iterator[tuple[Sentence, ...]]:
    """Yield the sentences of each passage, all of which begin with the repeated ones.

    Those of a block stay together where one passage has room for them.
    """
    part = list(repeated)
    length = start = sum(len(one.text) + 1 for one in repeated)
    for block in blocks:
        needed = sum(len(one.text) + 1 for one in block) - 1
        for sentence in block:
            if len(part) > len(repeated) and length + needed > SIZE:
                yield tuple(part)
                part, length = list(repeated), start
            part.append(sentence)
            length += len(sentence.text) + 1
            needed = 0
    if part:
        yield tuple(part)


def cut_text(text: str, size: int = SIZE) -> Iterator[str]:
    """Yield a text in pieces of a size at most, cut behind a sentence, or else behind a word.

    >>> list(cut_text("One. Two three.", 8))
    ['One.', 'Two', 'three.']
    """
    text, at = text.strip(), 0
    while len(text) - at > size:  # of which no copies are made: it may be long
        head = text[at : at + size + 1]
        end = max(head.rfind(mark) + 1 for mark in (". ", "! ", "? ", "。", "؟ ", "। "))
        if end < size // 2:
            end = max(head.rfind(" "), end)
        end = end if end > 0 else size
        yield head[:end].rstrip()
        at += end
        while text[at : at + 1].isspace():
            at += 1
    if at < len(text):
        yield text[at:]
