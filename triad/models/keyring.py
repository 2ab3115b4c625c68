"""Keys of models in the system's keyring: macOS' Keychain, Windows' Credential Locker, or the Secret Service.

A key is kept for a provider, such as ``openai`` or ``anthropic``, or for the server of an address, such as
``llm.example.org:8000``. What the environment has goes before it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from triad.errors import ConfigError
from triad.models.preferences import load_preferences, update_preferences

_SERVICE: Final = "triad"
_OPENAI: Final = "api.openai.com"


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
    try:
        import keyring
        import keyring.errors
    except ImportError as error:
        raise ConfigError(f"a keyring needs an extra: pip install 'triad-kgqa[keyring]'; or {instead}") from error
    try:
        yield keyring
    except keyring.errors.NoKeyringError as error:
        raise ConfigError(f"this system has no keyring that could keep the key of {provider!r}; {instead}") from error
    except keyring.errors.KeyringError as error:
        raise ConfigError(f"the keyring does not give or take the key of {provider!r}: {error}; {instead}") from error
