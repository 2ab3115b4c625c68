"""The words of a config's glossary: what they stand for, of how much that holds, and further ones in its file."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

from triad.agent import Agent
from triad.errors import ConfigError
from triad.kg.guard import Policy, check
from triad.language.definitions import Meaning
from triad.language.glossary import Glossary
from triad.locks import lock_of, locked
from triad.rdf import count_of
from triad.resources import drafted
from triad.strict import Strict, load_yaml, validate

_SHOWN: Final = 3  # things that are named


class _Words(Strict):
    words: Mapping[str, Meaning]


def read_words(text: str) -> Mapping[str, Meaning]:
    """Return words as a config has them; a `ConfigError` if they are none."""
    return validate(_Words, {"words": load_yaml(text, "words")}, "words").words


def held_by(agent: Agent, glossary: Glossary, only: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return for each word, or some, what it stands for, of how many things that holds, some of them, and its owner."""
    told = []
    for word, iris in glossary.words.items():
        one = glossary.defined.get(iris[0])
        row: dict[str, Any] = {"word": word, "stands for": ", ".join(iris), "holds of": "", "such as": "", "owner": ""}
        if only and word not in only:
            continue
        if one is not None:
            query = glossary.holding(one)
            [[count]] = agent.graph.select(check(query.counted(), Policy())).rows
            some = agent.graph.select(check(query.first(_SHOWN), Policy())).column("it")
            row |= {"stands for": one.meaning, "holds of": count_of(count) if count else 0}
            row |= {"such as": ", ".join(map(agent.schema.label, some)), "owner": one.owner}
        told.append(row)
    return told


def add_words(path: Path, words: Mapping[str, Any]) -> None:
    """Add words to the file of a config, whose other lines stay as they are, while no other process does.

    Raises:
        ConfigError: It has one already, is written so that none can be added, or is not there.
    """
    if not path.exists():
        raise ConfigError(f"there is no file {str(path)!r}")
    with locked(lock_of(path.resolve()), f"{str(path)!r}", wait=True):
        _add(path, words)


def _add(path: Path, words: Mapping[str, Any]) -> None:
    text = path.read_text(encoding="utf-8")
    before = load_yaml(text, str(path))
    said = (f"  {json.dumps(one, ensure_ascii=False)}: {json.dumps(words[one], ensure_ascii=False)}\n" for one in words)
    line = "".join(said)
    lines = text.splitlines(keepends=True)
    at = next((at for at, one in enumerate(lines) if one.split("#")[0].rstrip() == "words:"), None)
    if at is not None:
        lines.insert(at + 1, line)
    else:
        lines += ["" if text.endswith("\n") else "\n", "words:\n", line]
    made = "".join(lines)
    if load_yaml(made, str(path)) != {**before, "words": {**(before.get("words") or {}), **words}}:
        raise ConfigError(f"{str(path)!r}: the words cannot be added; add them by hand: {line.strip()}")
    with drafted(path, named=True) as draft:
        draft.write_text(made, encoding="utf-8")
