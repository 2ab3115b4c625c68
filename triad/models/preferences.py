"""What a user has set once, for all that they ask at the command line: the default model, and whose keys are kept.

It is a small file, ``models.yaml`` in the user's folder for settings. The keys themselves are in the system's keyring.
"""

from collections.abc import Callable, Mapping
from typing import Final

import yaml

from triad import resources
from triad.locks import lock_of, locked
from triad.strict import Strict, load_yaml, validate

_FILE: Final = "models.yaml"


class Preferences(Strict):
    """What is kept; all of it may be missing."""

    default: str | None = None
    """The model that ``triad ask``, ``triad chat`` and ``triad doctor`` use where nothing names one."""
    keys: tuple[str, ...] = ()
    """The providers, or servers, whose keys are in the keyring: a keyring tells nobody what it has."""


def load_preferences() -> Preferences:
    """Return what is kept."""
    path = resources.settings_folder() / _FILE
    if not path.is_file():
        return Preferences()
    return validate(Preferences, load_yaml(resources.read(path), str(path)), str(path))


def update_preferences(changes: Callable[[Preferences], Mapping[str, object]]) -> Preferences:
    """Change what is kept by what a function returns of it, while no other process does, and return it."""
    path = resources.settings_folder() / _FILE
    with locked(lock_of(path), f"{str(path)!r}", wait=True):
        before = load_preferences()
        kept = before.model_copy(update=changes(before))
        with resources.drafted(path) as draft:
            draft.write_text(yaml.safe_dump(kept.model_dump(mode="json"), sort_keys=False), encoding="utf-8")
    return kept
