"""Words that stand by themselves for what was just spoken of: "which license is that under?".

>>> from triad.language.pack import load_pack
>>> english = load_pack("en")
>>> list(standing_alone("is that cheaper than aspirin?", english))
[(3, 7)]
>>> list(standing_alone("which are the rivers that flow through that city?", english))
[]
"""

from __future__ import annotations

from collections.abc import Iterator

from triad.language.pack import Pack
from triad.language.phrases import Phrases
from triad.language.tokens import Sentence

__all__ = ["standing_alone"]


def standing_alone(text: str, pack: Pack) -> Iterator[tuple[int, int]]:
    """Yield the places of words such as "that" with no noun after them, and none before them that they relate to."""
    sentence = Sentence(text, pack)
    words: Phrases[bool] = Phrases()
    for phrase in pack.data.conversation.that:
        words.add(pack.keys(phrase), True)
    at = 0
    while at < len(sentence):
        found = words.longest(sentence.folded, at)
        if found is None or (at and sentence.content(at - 1)):
            at += 1
            continue
        after = found[0]
        compared = any(table.longest(sentence.stems, after) for table in (pack.more, pack.most, pack.plain))
        compared = compared or any(sentence.compare(name, after) for name in ("more", "less"))
        if after - at > 1 or after == len(sentence) or sentence.words[after].empty or compared:
            yield sentence.words[at].start, sentence.words[after - 1].end
        at = after
