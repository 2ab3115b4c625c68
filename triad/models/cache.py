"""Replies kept on disk: a call that was made before costs nothing.

The cache is a convenience. Whatever happens to its folder (full, read-only, damaged, shared with another
process), the model inside is asked instead, and one warning is logged.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from triad.models.model import Completion, Model
from triad.models.wrappers import Wrapper
from triad.resources import cache_folder
from triad.textcache import TextCache
from triad.trace import Message, Usage


class CachedModel(Wrapper):
    """A model that gives another's earlier replies to conversations it has seen.

    A reply is found by the model's name, its server and settings, the conversation and the schema. Its usage says how
    many tokens the call took when it was made, and that it takes neither a call nor money now. A folder, by default the
    user's cache, keeps 1 GB of replies; several processes may share it.
    """

    def __init__(self, model: Model, folder: str | Path | None = None) -> None:
        super().__init__(model)
        self._cache = TextCache(folder or cache_folder() / "replies", "replies")

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the reply of the cache, else of the model inside; raises as the model inside does."""
        [completion] = self._kept([self._key(messages, schema)], lambda: [self.model.complete(messages, schema)])
        return completion

    def complete_many(self, messages: Sequence[Message], count: int) -> list[Completion]:
        """Return the replies of the cache, else of the model inside; raises as the model inside does."""
        keys = [[*self._key(messages, None), count, at] for at in range(count)]
        return self._kept(keys, lambda: self.model.complete_many(messages, count))

    def _kept(self, keys: list[list[Any]], call: Callable[[], list[Completion]]) -> list[Completion]:
        """Return the replies of the cache, which are kept up to some number; else those of a call."""
        found = [_completion(self._cache.get(*key)) for key in keys]
        if found and found[0]:
            return [one for one in found if one]
        for key, one in zip(keys, completions := call(), strict=False):
            row = {"text": one.text, "input_tokens": one.usage.input_tokens, "output_tokens": one.usage.output_tokens}
            self._cache.set(*key, text=json.dumps(row))
        return completions

    def _key(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> list[Any]:
        return [self.name, self.fingerprint, [[message.role, message.content] for message in messages], schema]


def _completion(entry: str | None) -> Completion | None:
    """Return the reply that an entry of the cache holds, or None where it holds none."""
    if entry is None:
        return None
    try:
        row = json.loads(entry)
        usage = Usage(cached=1, input_tokens=int(row["input_tokens"]), output_tokens=int(row["output_tokens"]))
        return Completion(str(row["text"]), usage)
    except (ValueError, KeyError, TypeError):
        return None
