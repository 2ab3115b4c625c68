"""Options on either side of a command's name.

``triad --config demo ask "Who?" --quiet`` is ``triad --quiet ask --config demo "Who?"``: an option goes to whom it
belongs, the command or the program, before any of them is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

__all__ = ["arranged", "options_of"]


def arranged(group: Any, ctx: Any, args: Sequence[str]) -> list[str]:
    """Return a command line in which options stand where they are read.

    Args:
        group: The command with commands of its own that reads the line.
        ctx: Its context.
        args: What follows the name of the group.
    """
    own = _own(group)
    names = set(group.list_commands(ctx))
    for at, token in enumerate(args):
        if token == "--":
            break
        if token not in names:
            continue
        command = group.get_command(ctx, token)
        inner = options_of(command, ctx)
        before = _parts(args[:at], {**inner, **own})
        if before is None:
            continue  # it is the value of an option
        kept = [word for key, words in before if key in own for word in words]
        given = [word for key, words in before if key not in own for word in words]
        outer, rest = _flags(args[at + 1 :], inner, own)
        rest = [*given, *rest]
        return [*kept, *outer, token, *(arranged(command, ctx, rest) if _is_group(command) else rest)]
    return list(args)


def options_of(command: Any, ctx: Any) -> dict[str, bool]:
    """Return the options of a command and of those below it, and whether each takes a value."""
    found = _own(command)
    if _is_group(command):
        for name in command.list_commands(ctx):
            found |= options_of(command.get_command(ctx, name), ctx)
    return found


def _own(command: Any) -> dict[str, bool]:
    return {
        name: not (one.is_flag or one.count)
        for one in command.params
        if one.param_type_name == "option"
        for name in (*one.opts, *one.secondary_opts)
    }


def _is_group(command: Any) -> bool:
    return hasattr(command, "list_commands")


def _parts(args: Sequence[str], options: Mapping[str, bool]) -> list[tuple[str, list[str]]] | None:
    """Return options with their names and values; None if there is anything else, or a value is missing."""
    found: list[tuple[str, list[str]]] = []
    words = iter(args)
    for word in words:
        key = _key(word, options)
        if key is None:
            return None
        found.append((key, [word]))
        if options[key] and word == key:
            value = next(words, None)
            if value is None:
                return None
            found[-1][1].append(value)
    return found


def _key(word: str, options: Mapping[str, bool]) -> str | None:
    """Return the name of the option that a word begins, as in ``--graph=books.ttl``, ``-gbooks.ttl`` and ``-vv``."""
    if word.startswith("--"):
        name, _, _ = word.partition("=")
        return name if name in options else None
    short = word[:2]
    if short not in options or short == "-":
        return None
    return short if options[short] or all(f"-{letter}" in options for letter in word[1:]) else None


def _flags(args: Sequence[str], inner: Mapping[str, bool], own: Mapping[str, bool]) -> tuple[list[str], list[str]]:
    """Return the options of the program that stand behind a command's name, and what is left there."""
    moved: list[str] = []
    kept: list[str] = []
    words = iter(args)
    for word in words:
        if word == "--":
            return moved, [*kept, word, *words]
        key = _key(word, inner)
        if key is None and _key(word, own) is not None:
            moved.append(word)
            continue
        kept.append(word)
        if key is not None and inner[key] and word == key:
            kept += _next(words)
    return moved, kept


def _next(words: Iterator[str]) -> list[str]:
    value = next(words, None)
    return [] if value is None else [value]
