"""Keys of models in the system's keyring: macOS' Keychain, Windows' Credential Locker, or the Secret Service.

A key is kept for a provider, such as ``openai`` or ``anthropic``, or for the server of an address, such as
``llm.example.org:8000``. What the environment has goes before it. Whose keys there are, and the default model, are in a
small file, ``models.yaml`` in the user's folder for settings.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import yaml

from triad import resources
from triad.errors import ConfigError, need_extra
from triad.locks import lock_of, locked
from triad.strict import Strict, load_yaml, validate

_FILE: Final = "models.yaml"
_SERVICE: Final = "triad"
_OPENAI: Final = "api.openai.com"


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
        with resources.drafted(path, named=True) as draft:
            draft.write_text(yaml.safe_dump(kept.model_dump(mode="json"), sort_keys=False), encoding="utf-8")
    return kept


def provider_of(address: str) -> str:
    """Return the name that the key of a server is kept under.

    >>> provider_of("https://api.openai.com/v1"), provider_of("http://llm.example.org:8000/v1")
    ('openai', 'llm.example.org:8000')
    """
    server = urlsplit(address).netloc.rpartition("@")[2].lower()
    return "openai" if server == _OPENAI else server


def key_of(provider: str) -> str:
    """Return the key that is kept for a provider or a server; an empty text if there is none."""
    if provider not in load_preferences().keys:
        return ""
    with _opened(provider) as keyring:
        return keyring.get_password(_SERVICE, provider) or ""


def set_key(provider: str, key: str) -> None:
    """Keep a key for a provider or a server; raises a `ConfigError` if the system has no keyring, or it refuses."""
    provider = _name(provider)
    with _opened(provider) as keyring:
        keyring.set_password(_SERVICE, provider, key)
    update_preferences(lambda kept: {"keys": tuple(sorted({*kept.keys, provider}))})


def delete_key(provider: str) -> None:
    """Keep the key of a provider or a server no longer; raises a `ConfigError` if none is kept."""
    known, provider = load_preferences().keys, _name(provider)
    if provider not in known:
        raise ConfigError(f"no key is kept for {provider!r}; kept are those of {', '.join(known) or 'nobody'}")
    with _opened(provider) as keyring:
        if keyring.get_password(_SERVICE, provider) is not None:
            keyring.delete_password(_SERVICE, provider)
    update_preferences(lambda kept: {"keys": tuple(one for one in kept.keys if one != provider)})


def _name(provider: str) -> str:
    """Return the name of a provider or a server as `key_of` is asked for it, whatever a user calls it."""
    try:
        return provider_of(provider) if "://" in provider else provider.lower()
    except ValueError as error:
        raise ConfigError(f"{provider!r} is not an address: {error}") from error


@contextmanager
def _opened(provider: str) -> Iterator[Any]:
    """Yield the system's keyring."""
    instead = "give the key in the environment, such as OPENAI_API_KEY, or in a file, by model_options.api_key_file"
    need_extra("keyring", f"{instead}; a keyring takes", "keyring")
    import keyring
    import keyring.errors

    try:
        yield keyring
    except keyring.errors.NoKeyringError as error:
        raise ConfigError(f"this system has no keyring that could keep the key of {provider!r}; {instead}") from error
    except keyring.errors.KeyringError as error:
        raise ConfigError(f"the keyring does not give or take the key of {provider!r}: {error}; {instead}") from error
