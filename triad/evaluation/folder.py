"""The folder of a run: all that is needed to trust it and to repeat it.

    config.yaml         the resolved config
    environment.json    for each session: revision, packages, model, graph, index, start and end
    answers.jsonl       one line a question, appended as it finishes
    damaged.jsonl       lines of answers.jsonl that could not be read when the run was resumed
    gold.jsonl          results of gold queries, where the data set stores no answers
    report.json, report.md, report.html

A line of ``answers.jsonl`` is a `Record`. It is written in one piece, so that a run that is killed loses what was under
way and nothing else; a line that was cut is removed when the run is resumed. Lines are synced once a second, so that a
machine that fails loses no more than those of a second.
"""

import json
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import yaml
from pydantic import BaseModel

from triad.answers import Answer, Method, Source, Unknown, from_json, to_json
from triad.closing import Closing
from triad.datasets.expected import Expected
from triad.errors import AnswerError, ConfigError, DataError
from triad.locks import locked
from triad.log import logger
from triad.questions import AnswerType, Question
from triad.rdf import ResultSet
from triad.resources import drafted, not_a_link
from triad.strict import load_yaml, validate
from triad.trace import Rung, Trace, Usage

Key = tuple[str, int]
"""A question's id, and which of its repetitions."""

T = TypeVar("T")

_sync: Final = os.fsync


@dataclass(frozen=True, slots=True)
class RunFailure:
    """Why a question has no answer."""

    type: str
    """The error's class."""
    message: str


@dataclass(frozen=True, slots=True)
class Said:
    """What a rung of the ladder said to a question, whether or not that is the answer."""

    rung: Rung
    confidence: float
    score: float | None = None
    """By the metric that tables show first; None where there is no gold."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """The fields that `Record` and `RecordDigest` share."""

    id: str
    question: Question
    repetition: int = 1
    answer_type: AnswerType = "select"
    tags: Mapping[str, str] = field(default_factory=dict)
    """What the data set says of the question, and the shape of its gold query."""
    error: RunFailure | None = None
    scores: Mapping[str, float | None] = field(default_factory=dict)
    """The metrics; none where there is no gold."""
    gold_fingerprint: str = ""
    """A text that changes when what the answer is scored by does; empty where there is no gold."""
    cause: str | None = None
    """Where a wrong answer went wrong; None if the question was declined."""
    usage: Usage = Usage()
    costs: Mapping[str, Mapping[str, Usage]] = field(default_factory=dict)
    """Usage by ``phase``, ``role``, ``subtask`` and ``rung``; the seconds of a rung are those of all its calls."""
    said: tuple[Said, ...] = ()
    """What each rung said, the answer's first; empty where there is no ladder."""
    phases: Mapping[str, float] = field(default_factory=dict)
    """Seconds that the calls of each phase took."""
    seconds: float = 0.0
    """Wall time from question to answer."""

    @property
    def declined(self) -> bool:
        """True if the question has no answer, or one that is too unsure, though nothing failed."""
        return self.error is not None and self.error.type == AnswerError.__name__

    @property
    def failed(self) -> bool:
        """True if an error kept the question from being answered."""
        return self.error is not None and not self.declined


@dataclass(frozen=True, slots=True)
class Record(_Asked):
    """The record of one question in a run."""

    gold: ResultSet | None = None
    gold_query: str | None = None
    expected: Expected | None = None
    """The gold of an answer in words."""
    answer: Answer | None = None
    """The answer with its trace; None if the question failed or was declined."""
    unknown: Unknown | None = None
    """Why the question was declined, and the best guess; its trace is that of the record."""
    trace: Trace | None = None
    """How far a question came that has no answer."""
    finished: str = ""
    """When, in UTC."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The part of an answer that a `RecordDigest` keeps."""

    confidence: float = 0.0
    source: Source = "graph"
    method: Method = "model"
    text: str = ""
    rung: Rung | None = None


@dataclass(frozen=True, slots=True)
class RecordDigest(_Asked):
    """The part of a `Record` that reports need, small enough to keep one per question in memory."""

    answer: Verdict | None = None

    @property
    def key(self) -> Key:
        """The question's id and its repetition."""
        return self.id, self.repetition


class _Session(BaseModel):
    name: str = ""
    models: Mapping[str, str] = {}
    questions: int = 0
    malformed: list[Any] = []
    spent: Usage = Usage()


class _Environment(BaseModel):
    sessions: list[_Session]


class RunFolder:
    """A run's folder."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.answers = self.path / "answers.jsonl"
        self.gold = self.path / "gold.jsonl"
        self._config = self.path / "config.yaml"
        self._environment = self.path / "environment.json"
        self._damaged: set[int] = set()  # numbers of lines of answers that cannot be read

    @property
    def exists(self) -> bool:
        """True if a run was begun here."""
        return self._config.is_file()

    # Config and environment

    def config(self) -> dict[str, Any]:
        """Return the keys of the resolved config; raises a `ConfigError` where there is none."""
        try:
            text = self._config.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            if runs := sorted(str(one.parent) for one in self.path.glob(f"*/{self._config.name}")):
                raise ConfigError(
                    f"{str(self.path)!r} is not the folder of a run, but has some: {', '.join(runs)}"
                ) from error
            raise ConfigError(f"{str(self.path)!r} is not the folder of a run: {error}") from error
        return load_yaml(text, str(self._config))

    def environment(self) -> dict[str, Any]:
        """Return the provenance of the run, with no sessions where none was recorded."""
        if not self._environment.is_file():
            return {"sessions": []}
        try:
            data = json.loads(self._environment.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise DataError(f"cannot read {str(self._environment)!r}: {error}") from error
        validate(_Environment, data, self._environment)
        return dict(data)

    def begin(self, config: Mapping[str, Any], session: Mapping[str, Any]) -> None:
        """Note config and environment."""
        self.write(self._config.name, yaml.safe_dump(dict(config), sort_keys=False, allow_unicode=True))
        self._write_sessions([*self.environment()["sessions"], dict(session)])

    def end(self, **facts: Any) -> None:
        """Add to the provenance of the last session."""
        *others, last = self.environment()["sessions"]
        self._write_sessions([*others, last | facts])

    def _write_sessions(self, sessions: Sequence[Mapping[str, Any]]) -> None:
        self.write(self._environment.name, json.dumps({"sessions": sessions}, indent=2, ensure_ascii=False) + "\n")

    def write(self, name: str, content: str | Iterable[bytes]) -> Path:
        """Write a file of the folder whole or not at all, and return its path."""
        path = self.path / name
        with drafted(path) as draft, draft.open("wb") as file:
            file.writelines([content.encode()] if isinstance(content, str) else content)
            file.flush()
            _sync(file.fileno())
        return path

    # Answers

    def digests(self) -> Iterator[RecordDigest]:
        """Yield the digest of each question, in the order of finishing."""
        return (digest for _, digest in self._lines(RecordDigest) if digest)

    def records(self) -> Iterator[Record]:
        """Yield all that is kept of each question, in the order of finishing."""
        return (record for _, record in self._lines(Record) if record)

    def _lines(self, kind: type[T]) -> Iterator[tuple[bytes, T | None]]:
        """Yield each line and what it holds, None if it is damaged; a `DataError` if nothing can be read."""
        damaged, read = None, False
        for number, line in enumerate(complete_lines(self.answers), 1):
            try:
                record = from_json(kind, line)
            except ValueError as error:
                why = str(error).partition("\n")[0]
                damaged = DataError(f"{str(self.answers)!r}, line {number}: not a record of a run: {why}")
                if number not in self._damaged:
                    self._damaged.add(number)
                    logger.warning("{}; it is left out, and its question is asked again by --resume", damaged)
                yield line, None
                continue
            read = True
            yield line, record
        if damaged and not read:
            raise damaged

    def repair(self) -> dict[Key, RecordDigest]:
        """Return the digest of each question that is answered.

        Removed are a line that was cut, one whose question has a line already, and failures, which are tried again;
        damaged lines go to a file of their own.
        """
        done: dict[Key, RecordDigest] = {}

        def kept() -> Iterator[bytes]:
            damaged: list[bytes] = []
            for line, digest in self._lines(RecordDigest):
                if digest is None:
                    damaged.append(line)
                elif not digest.failed and digest.key not in done:
                    done[digest.key] = digest
                    yield line
            if damaged:
                with open(self.path / "damaged.jsonl", "ab", opener=not_a_link) as rest:
                    rest.writelines(damaged)

        self.write(self.answers.name, kept())
        self._damaged.clear()
        return done

    def rewrite(self, change: Callable[[Record], Record]) -> None:
        """Put what a function makes of each record in its place."""
        lines = self._lines(Record)
        self.write(self.answers.name, (_line(change(record)) if record else line for line, record in lines))


class Writer(Closing):
    """Appends records to a run's folder, which it locks; raises a `ConfigError` if another process writes to it."""

    def __init__(self, folder: RunFolder) -> None:
        self._lock = ExitStack()
        self._lock.enter_context(locked(folder.path / ".lock", f"the run's folder {str(folder.path)!r}"))
        self._file: BinaryIO | None = None
        self._path = folder.answers
        self._synced = -math.inf

    def append(self, record: Record) -> None:
        """Write a record in one piece; should the machine lose its power, the last second's records may be lost."""
        with self._writing():
            if self._file is None:
                self._file = open(self._path, "ab", buffering=0, opener=not_a_link)  # noqa: SIM115 - `close` closes it
            line = memoryview(_line(record))
            while line:
                line = line[self._file.write(line) :]
            # seconds; a disk takes some thousandths for each answer, while no question can be handed out
            if time.monotonic() - self._synced >= 1.0:
                _sync(self._file.fileno())
                self._synced = time.monotonic()

    def close(self) -> None:
        """Free the file, when all is on the disk, and the lock."""
        with self._lock:
            if self._file:
                with closing(self._file), self._writing():
                    _sync(self._file.fileno())

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ConfigError(f"cannot write {str(self._path)!r}: {error}; the run can be resumed") from error


def _line(record: Record) -> bytes:
    return to_json(record).encode(errors="surrogatepass") + b"\n"


def complete_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file that were written whole."""
    with suppress(FileNotFoundError), path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield line
