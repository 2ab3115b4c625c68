"""Joint choices: one option of each of several lists, the best together first."""

import heapq
import math
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar


class _Scored(Protocol):
    @property
    def score(self) -> float: ...


S = TypeVar("S", bound=_Scored)


def best_first(choices: Sequence[Sequence[S]]) -> Iterator[tuple[S, ...]]:
    """Yield one option of each choice, all combinations, the highest product of scores first."""

    def cost(places: tuple[int, ...]) -> float:
        return -math.prod(choice[place].score for choice, place in zip(choices, places, strict=True))

    start = (0,) * len(choices)
    queue, seen = [(cost(start), start)], {start}
    while queue:
        _, places = heapq.heappop(queue)
        yield tuple(choice[place] for choice, place in zip(choices, places, strict=True))
        for at, choice in enumerate(choices):
            following = (*places[:at], places[at] + 1, *places[at + 1 :])
            if following[at] < len(choice) and following not in seen:
                seen.add(following)
                heapq.heappush(queue, (cost(following), following))
