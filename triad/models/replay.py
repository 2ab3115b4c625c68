"""Replies from a recording: the same run again without a server, a key or a cost.

A recording is a file of JSON Lines. Each line holds a ``prompt``, the whole conversation as
`triad.models.transcript.prompt_text` writes it, and the reply to it as ``content``. A reply is found by the
whole prompt, so a prompt that changes by a word has to be recorded again.
"""

from __future__ import annotations

import difflib
import hashlib
import itertools
import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from triad.errors import ConfigError, DataError, ModelError, ResourceNotFound
from triad.models.model import Completion, Model
from triad.models.transcript import estimate_usage, prompt_text
from triad.models.wrapper import Wrapper
from triad.resources import found_at
from triad.trace import Message

__all__ = ["RecordingModel", "ReplayModel"]

LINE_WIDTH = 120
"""Characters of a line that an error message shows."""


class ReplayModel(Model):
    """A model that gives recorded replies.

    Args:
        paths: A recording, a folder of recordings (``*.jsonl``), or several of them. Where a prompt was
            recorded more than once, the last reply counts.
        name: What the model is called.

    Raises:
        ResourceNotFound: There is no recording of that name.
        DataError: A line of it is not a recorded reply.
    """

    def __init__(self, paths: str | Path | Iterable[str | Path], *, name: str = "replay") -> None:
        self.name = name
        self.paths = _recordings([paths] if isinstance(paths, (str, Path)) else paths)
        self._replies: dict[str, str] = {}
        for path in self.paths:
            self._replies.update(_read(path))

    @property
    def fingerprint(self) -> str:
        """The recordings' names: a cache must not mix the replies of two recordings."""
        return " ".join(str(path.resolve()) for path in self.paths)

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the reply that was recorded for the conversation.

        Raises:
            ModelError: None was; the message shows how the nearest recorded prompt differs.
        """
        prompt = prompt_text(messages)
        text = self._replies.get(prompt)
        if text is None:
            raise ModelError(self._explain(prompt))
        return Completion(text, estimate_usage(messages, text))

    def __repr__(self) -> str:
        return f"ReplayModel({[str(path) for path in self.paths]!r}, {len(self._replies)} replies)"

    def _explain(self, prompt: str) -> str:
        files = ", ".join(repr(str(path)) for path in self.paths)
        missing = f"no reply is recorded for this prompt in {files}"
        advice = "record the reply again or use a model"
        if not self._replies:
            return f"{missing}, which is empty; {advice}"
        lines = set(prompt.split("\n"))
        nearest = min(self._replies, key=lambda recorded: len(lines.symmetric_difference(recorded.split("\n"))))
        difference = _difference(nearest, prompt)
        return f"{missing}; {advice}. The nearest of {len(self._replies)} recorded prompts differs:\n{difference}"


class RecordingModel(Wrapper):
    """A model that writes down another's replies, for `ReplayModel` to read.

    Args:
        model: The model that answers.
        path: The recording; replies are appended to it.

    Raises:
        ConfigError: The recording cannot be written.
    """

    def __init__(self, model: Model, path: str | Path) -> None:
        super().__init__(model)
        self.path = Path(path)
        self._lock = threading.Lock()
        self._append(b"")

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the reply of the model inside, and record it; raises as the model inside does."""
        completion = self.model.complete(messages, schema)
        prompt = prompt_text(messages)
        key = hashlib.sha256(prompt.encode(errors="surrogatepass")).hexdigest()[:24]
        # Kept in ASCII, for a reply may hold half a surrogate pair, which UTF-8 cannot write.
        self._append(json.dumps({"key": key, "prompt": prompt, "content": completion.text}).encode() + b"\n")
        return completion

    def complete_many(self, messages: Sequence[Message], count: int) -> list[Completion]:
        """Return one reply, for a recording has one of each prompt."""
        return [self.complete(messages)]

    def _append(self, line: bytes) -> None:
        # One unbuffered write in append mode, so that processes which share the file do not split a line.
        try:
            with self._lock:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with self.path.open("ab", buffering=0) as file:
                    file.write(line)
        except OSError as error:
            raise ConfigError(f"cannot write the recording {str(self.path)!r}: {error}") from error


def _recordings(paths: Iterable[str | Path]) -> tuple[Path, ...]:
    found: list[Path] = []
    for path in map(Path, paths):
        found_there = found_at(path)
        if found_there == "folder":
            files = sorted(path.glob("*.jsonl"))
            if not files:
                raise ResourceNotFound(f"no recording (*.jsonl) is in the folder {str(path)!r}")
            found += files
        elif found_there == "file":
            found.append(path)
        else:
            raise ResourceNotFound(f"there is no recording {str(path)!r}")
    return tuple(found)


def _read(path: Path) -> dict[str, str]:
    replies: dict[str, str] = {}
    try:
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if line.strip():
                replies.update([_reply(line, f"{str(path)!r}, line {number}")])
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot read the recording {str(path)!r}: {error}") from error
    return replies


def _reply(line: str, place: str) -> tuple[str, str]:
    try:
        row = json.loads(line)
        prompt, content = row["prompt"], row["content"]
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{place}: not a recorded reply, which has 'prompt' and 'content'") from error
    if not isinstance(prompt, str) or not isinstance(content, str):
        raise DataError(f"{place}: 'prompt' and 'content' of a recorded reply are texts")
    return prompt, content


def _difference(recorded: str, asked: str) -> str:
    """Return the first line that two prompts do not share, as each of them has it."""
    diff = difflib.unified_diff(recorded.split("\n"), asked.split("\n"), lineterm="", n=0)
    lines: dict[str, str] = {}
    for line in itertools.islice(diff, 2, None):
        lines.setdefault(line[0], line[1:])
    pairs = enumerate(itertools.zip_longest(lines.get("-", ""), lines.get("+", "")))
    start = max(0, next((at for at, (one, other) in pairs if one != other), 0) - LINE_WIDTH // 2)
    return "\n".join(
        f"  {side}: {lines[sign][start : start + LINE_WIDTH]!r}"
        for sign, side in (("-", "recorded"), ("+", "asked"))
        if sign in lines
    )
