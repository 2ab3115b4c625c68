"""Predictions of a model that were made elsewhere: records with an instruction, an input and an output.

That is the form in which models are fine-tuned. A file of predictions in it stands in for the model that made them, so
that what follows from them can be run without it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from triad.errors import DataError, ModelError, ResourceNotFound
from triad.models.model import Completion, Model
from triad.models.transcript import estimate_usage
from triad.trace import Message, Usage

__all__ = ["RecordsModel"]


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
        self._outputs = _read(self.path)

    @property
    def fingerprint(self) -> str:
        """The file's name."""
        return str(self.path.resolve())

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the output for the input that the last message ends with.

        Raises:
            ModelError: No record has it.
        """
        return self.complete_many(messages, 1)[0]

    def complete_many(self, messages: Sequence[Message], count: int) -> list[Completion]:
        """Return up to so many outputs for the input that the last message ends with; raises as `complete` does."""
        content = " ".join(messages[-1].content.split())
        for start in range(len(content)):
            if start and content[start - 1] != " ":
                continue
            if outputs := self._outputs.get(content[start:]):
                first = Completion(outputs[0], estimate_usage(messages, "\n".join(outputs[:count])))
                return [first, *(Completion(text, Usage()) for text in outputs[1:count])]
        raise ModelError(f"{str(self.path)!r} has no record whose input ends the prompt: {content[-100:]!r}")

    def __repr__(self) -> str:
        return f"RecordsModel({str(self.path)!r}, {len(self._outputs)} records)"


def _read(path: Path) -> dict[str, list[str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ResourceNotFound(f"there are no records {str(path)!r}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"the records {str(path)!r} cannot be read: {error}") from error
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
