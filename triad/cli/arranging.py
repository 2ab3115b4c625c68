"""Options on either side of a command's name.

``triad --config demo ask "Who?" --quiet`` is ``triad --quiet ask --config demo "Who?"``: an option goes to whom it
belongs, the command or the program, before any of them is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["arranged", "options_of"]


def arranged(group: Any, ctx: Any, args: Sequence[str]) -> list[str]:
    """Return a command line in which options stand where they are read.

    Args:
        group: The command with commands of its own that reads the line; its own options take no values.
        ctx: Its context.
        args: What follows the name of the group.
    """
    own = _own(group)
    names = set(group.list_commands(ctx))
    for at, name in enumerate(args):
        if name == "--":
            break
        if name not in names:
            continue
        command = group.get_command(ctx, name)
        inner = options_of(command, ctx)
        flags, given, others = _split(args[:at], inner, own)
        if others:
            continue  # it is the value of an option
        more, behind, others = _split(args[at + 1 :], inner, own)
        rest = [*given, *behind, *others]
        return [*flags, *more, name, *(arranged(command, ctx, rest) if hasattr(command, "list_commands") else rest)]
    return list(args)


def options_of(command: Any, ctx: Any) -> dict[str, bool]:
    """Return the options of a command and of those below it, and whether each takes a value."""
    found = _own(command)
    for name in command.list_commands(ctx) if hasattr(command, "list_commands") else ():
        found |= options_of(command.get_command(ctx, name), ctx)
    return found


def _own(command: Any) -> dict[str, bool]:
    return {
        name: not (one.is_flag or one.count)
        for one in command.params
        if one.param_type_name == "option"
        for name in (*one.opts, *one.secondary_opts)
    }


def _split(
    args: Sequence[str], inner: Mapping[str, bool], own: Mapping[str, bool]
) -> tuple[list[str], list[str], list[str]]:
    """Return the flags of the group among some words, the options of the command with their values, and the others."""
    flags: list[str] = []
    given: list[str] = []
    others: list[str] = []
    words = iter(args)
    for word in words:
        key = _key(word, inner)
        if word == "--":
            others += [word, *words]
        elif key is None:
            (others if _key(word, own) is None else flags).append(word)
        elif not inner[key] or word != key:
            given.append(word)
        elif (value := next(words, None)) is not None:
            given += [word, value]
        else:
            others.append(word)
    return flags, given, others


def _key(word: str, options: Mapping[str, bool]) -> str | None:
    """Return the name of the option that a word begins, as in ``--graph=books.ttl``, ``-gbooks.ttl`` and ``-vv``."""
    if word.startswith("--"):
        name, _, _ = word.partition("=")
        return name if name in options else None
    short = word[:2]
    if short not in options or short == "-":
        return None
    return short if options[short] or all(f"-{letter}" in options for letter in word[1:]) else None
