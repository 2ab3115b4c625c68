"""What the files of the packs hold is the same from YAML and from what is kept of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from triad.language.pack_files import all_idle_words, idle_words, languages, pack_data

pytestmark = pytest.mark.slow(0.2)

read = pack_data.__wrapped__


@pytest.mark.parametrize("language", languages())
def test_a_pack_is_the_same_from_the_cache(language: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path))
    from_yaml = read(language)
    assert len(list((tmp_path / "packs").iterdir())) == 1
    assert read(language) == from_yaml


def test_idle_words_are_those_of_the_packs_however_they_were_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    expected = {language: idle_words(pack_data(language)) for language in languages()}
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path))
    read_all = all_idle_words.__wrapped__
    assert read_all() == expected
    assert len(list((tmp_path / "packs").iterdir())) == 1
    assert read_all() == expected
