"""Replies that are there beforehand, from a recording or a script: a run without a server, a key or a cost.

A recording is a file of JSON Lines. Each line holds a ``prompt``, the whole conversation as
`triad.trace.prompt_text` writes it, and the reply to it as ``content``. A reply is found by the
whole prompt, so a prompt that changes by a word has to be recorded again.

Predictions of a fine-tuned model that were made elsewhere stand in for it, too: records with an instruction, an input
and an output, which is the form in which models are fine-tuned.

>>> model = ScriptedModel(["Robert Noyce"])
>>> model.complete([Message("user", "Who founded Intel?")]).text
'Robert Noyce'
>>> len(model.calls)
1
"""

import difflib
import hashlib
import itertools
import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from triad.errors import ConfigError, DataError, ModelError, ResourceNotFound
from triad.models.model import Completion, Model
from triad.models.wrappers import Wrapper
from triad.resources import found_at
from triad.trace import Message, Usage, prompt_text, usage_of

_LINE_WIDTH = 120  # characters of a line that an error message shows

Reply = Callable[[Sequence[Message], Mapping[str, Any] | None], str]
"""A function from a conversation and a JSON schema to the model's reply."""


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
        """Return the reply that was recorded; a `ModelError` shows how the nearest recorded prompt differs."""
        prompt = prompt_text(messages)
        if (text := self._replies.get(prompt)) is None:
            raise ModelError(self._explain(prompt))
        return Completion(text, usage_of(messages, text))

    def __repr__(self) -> str:
        return f"ReplayModel({[str(path) for path in self.paths]!r}, {len(self._replies)} replies)"

    def _explain(self, prompt: str) -> str:
        missing = f"no reply is recorded for this prompt in {', '.join(repr(str(path)) for path in self.paths)}"
        advice = "record the reply again or use a model"
        if not self._replies:
            return f"{missing}, which is empty; {advice}"
        lines = set(prompt.split("\n"))
        nearest = min(self._replies, key=lambda recorded: len(lines.symmetric_difference(recorded.split("\n"))))
        difference = _difference(nearest, prompt)
        return f"{missing}; {advice}. The nearest of {len(self._replies)} recorded prompts differs:\n{difference}"


class RecordsModel(Model):
    """A model that gives the outputs of records, by their inputs.

    Args:
        path: A JSON list of records, or one a line: ``{"instruction": …, "input": …, "output": …}``. An output is a
            text, or a list of texts, the likeliest first.

    Raises:
        ResourceNotFound: There is no such file.
        DataError: It holds no such records.
    """

    def __init__(self, path: str | Path) -> None:
        self.name = "records"
        self.path = Path(path)
        self._outputs = _read_records(self.path)

    @property
    def fingerprint(self) -> str:
        """The file's name."""
        return str(self.path.resolve())

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the output for the input that the last message ends with; a `ModelError` says that there is none."""
        return self.complete_many(messages, 1)[0]

    def complete_many(self, messages: Sequence[Message], count: int) -> list[Completion]:
        """Return up to so many outputs for the input that the last message ends with."""
        content = " ".join(messages[-1].content.split())
        for start in range(len(content)):
            if (not start or content[start - 1] == " ") and (outputs := self._outputs.get(content[start:])):
                first = Completion(outputs[0], usage_of(messages, "\n".join(outputs[:count])))
                return [first, *(Completion(text, Usage()) for text in outputs[1:count])]
        raise ModelError(f"{str(self.path)!r} has no record whose input ends the prompt: {content[-100:]!r}")

    def __repr__(self) -> str:
        return f"RecordsModel({str(self.path)!r}, {len(self._outputs)} records)"


class RecordingModel(Wrapper):
    """A model that writes down another's replies, at the end of a recording that `ReplayModel` reads.

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

    complete_many = Model.complete_many  # one reply, for a recording has one of each prompt

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
            if not (files := sorted(path.glob("*.jsonl"))):
                raise ResourceNotFound(f"no recording (*.jsonl) is in the folder {str(path)!r}")
            found += files
        elif found_there == "file":
            found.append(path)
        else:
            raise ResourceNotFound(f"there is no recording {str(path)!r}")
    return tuple(found)


def _read(path: Path) -> dict[str, str]:
    replies: dict[str, str] = {}
    for number, line in enumerate(_text(path, "recording").split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            prompt, content = row["prompt"], row["content"]
        except (ValueError, KeyError, TypeError) as error:
            place = f"{str(path)!r}, line {number}"
            raise DataError(f"{place}: not a recorded reply, which has 'prompt' and 'content'") from error
        if not isinstance(prompt, str) or not isinstance(content, str):
            raise DataError(f"{str(path)!r}, line {number}: 'prompt' and 'content' of a recorded reply are texts")
        replies[prompt] = content
    return replies


def _read_records(path: Path) -> dict[str, list[str]]:
    if found_at(path) != "file":
        raise ResourceNotFound(f"there are no records {str(path)!r}")
    text = _text(path, "records")
    try:
        rows = json.loads(text) if text.lstrip().startswith("[") else [json.loads(one) for one in text.splitlines()]
        found: dict[str, list[str]] = {}
        for row in rows:
            output = row["output"]
            found[" ".join(row["input"].split())] = [output] if isinstance(output, str) else list(map(str, output))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise DataError(
            f"{str(path)!r}: records with 'instruction', 'input' and 'output' are expected: {error!r}"
        ) from error
    return found


def _text(path: Path, what: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot read the {what} {str(path)!r}: {error}") from error


def _difference(recorded: str, asked: str) -> str:
    """Return the first line that two prompts do not share, as each of them has it."""
    diff = difflib.unified_diff(recorded.split("\n"), asked.split("\n"), lineterm="", n=0)
    lines: dict[str, str] = {}
    for line in itertools.islice(diff, 2, None):
        lines.setdefault(line[0], line[1:])
    pairs = enumerate(itertools.zip_longest(lines.get("-", ""), lines.get("+", "")))
    start = max(0, next((at for at, (one, other) in pairs if one != other), 0) - _LINE_WIDTH // 2)
    return "\n".join(
        f"  {side}: {lines[sign][start : start + _LINE_WIDTH]!r}"
        for sign, side in (("-", "recorded"), ("+", "asked"))
        if sign in lines
    )


class ScriptedModel(Model):
    """A model that says what it was told to say.

    Args:
        replies: The replies in their order; or a mapping from words of the last user message to the reply, of
            which the first that occurs counts; or a function that is called as `Model.complete` is.
        name: What the model is called.
    """

    calls: list[tuple[Message, ...]]
    """The conversations that the model was sent, in order."""

    def __init__(self, replies: Iterable[str] | Mapping[str, str] | Reply, *, name: str = "scripted") -> None:
        self.name = name
        self.calls = []
        self._reply: Reply
        if callable(replies):
            self._reply = replies
        elif isinstance(replies, Mapping):
            self._reply = _by_words(replies)
        else:
            self._reply = _in_order(replies)

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the reply that the script has for the conversation; raises a `ModelError` if it has none."""
        self.calls.append(tuple(messages))
        text = self._reply(messages, schema)
        return Completion(text, usage_of(messages, text))

    def __repr__(self) -> str:
        return f"ScriptedModel({self.name!r}, {len(self.calls)} calls)"


def _in_order(replies: Iterable[str]) -> Reply:
    left = iter([replies] if isinstance(replies, str) else replies)
    lock = threading.Lock()

    def reply(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
        with lock:
            for text in left:
                return text
        raise ModelError(f"the script has no reply left for the prompt:\n{prompt_text(messages)}")

    return reply


def _by_words(replies: Mapping[str, str]) -> Reply:
    def reply(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
        last = next((message.content for message in reversed(messages) if message.role == "user"), "")
        for words, text in replies.items():
            if words in last:
                return text
        known = ", ".join(map(repr, replies))
        raise ModelError(f"the script has no reply for the prompt (it knows {known}):\n{prompt_text(messages)}")

    return reply
