"""The files of the packs, one a language.

YAML takes long to read, 20 ms a pack. So what a file holds is kept as JSON in the cache. The language of a question is
told by the idle words of several packs: they are kept together, so that no other pack need be loaded.
"""

import json
import unicodedata
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from triad.errors import ConfigError
from triad.language.normalize import fold
from triad.language.pack_schema import PackData
from triad.language.templates import Templates
from triad.language.turn_schema import SLOTS, TEMPLATES
from triad.resources import kept, read
from triad.strict import load_yaml, validate

_FOLDER: Final = Path(__file__).with_name("packs")
_IDLE_VERSION: Final = 1  # of how idle words are made of a pack, and are kept


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages that have a pack."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


@cache
def pack_data(language: str) -> PackData:
    """Return what the file of a language holds; a `ConfigError` if it is malformed."""
    path = _FOLDER / f"{language}.yaml"
    text = unicodedata.normalize("NFC", read(path))

    def checked() -> bytes:
        keys = load_yaml(text, path.name)
        _check_templates(validate(PackData, keys, path.name), path.name)
        return json.dumps(keys, ensure_ascii=False).encode()

    return PackData.model_validate_json(kept("packs", text, checked)[:])


def templates_of(data: PackData) -> Templates:
    """Return the templates of a language."""
    numbers = [word for word, value in data.numbers.words.items() if value > 1]
    return Templates({**data.lists, "number": numbers}, SLOTS, data.digraphs, whole_letters=data.whole_letters)


def _check_templates(data: PackData, origin: str) -> None:
    """Raise an error that names the place of the first template that cannot be read."""
    if wrong := data.lists.keys() & SLOTS:
        raise ConfigError(f"{origin}: lists.{min(wrong)} is the name of a slot")
    templates = templates_of(data)
    places = {("lists", name): entries for name, entries in data.lists.items()}
    places |= {(part, name): getattr(getattr(data, part), name) for part, names in TEMPLATES.items() for name in names}
    places |= {("follow_ups", name): forms for name, forms in data.follow_ups.items()}
    for place, forms in places.items():
        for form in forms:
            try:
                templates.pattern(form)
            except ConfigError as error:
                raise ConfigError(f"{origin}: {'.'.join(place)}: {error}") from error


def function_words(data: PackData) -> list[str]:
    """Return the function words of a language."""
    return [word for line in data.function_words for word in line.split()]


def idle_words(data: PackData) -> frozenset[str]:
    """Return the words of a language that name nothing where names are looked for, folded."""
    asks = map(str.split, data.references.asks)
    said = chain(function_words(data), data.idle_words, data.connecting_words, data.light_verbs, *asks)
    return frozenset(map(fold, said))


@cache
def all_idle_words() -> dict[str, frozenset[str]]:
    """Return the idle words of all languages, for which no pack need be loaded.

    Raises:
        ConfigError: A file is malformed.
    """
    known = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(_FOLDER.glob("*.yaml"))]

    def made() -> bytes:
        words = {language: sorted(idle_words(pack_data(language))) for language in languages()}
        return json.dumps(words, ensure_ascii=False).encode()

    found = json.loads(kept("packs", (_IDLE_VERSION, known), made)[:])
    return {language: frozenset(words) for language, words in found.items()}
