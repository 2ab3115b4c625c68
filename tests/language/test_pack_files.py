"""What the files of the packs hold is the same from YAML and from what is kept of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from triad.language import pack_files
from triad.language.pack_files import idle_words, idle_words_of, languages, pack_data

read = pack_data.__wrapped__


@pytest.mark.parametrize("language", languages())
def test_a_pack_is_the_same_from_the_cache(language: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path))
    from_yaml = read(language)
    assert [one.suffix for one in (tmp_path / "packs").iterdir()] == [".json"]
    assert read(language) == from_yaml


def test_what_is_damaged_in_the_cache_is_read_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path))
    sound = read("nl")
    [kept] = (tmp_path / "packs").iterdir()
    for damaged in ("", "{", '{"nothing": 1}'):
        kept.write_text(damaged, encoding="utf-8")
        assert read("nl") == sound


def test_a_cache_that_cannot_be_written_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="ascii")
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path / "file"))
    assert "und" in idle_words(read("de"))


def test_idle_words_are_those_of_the_packs_however_they_were_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path))
    expected = {language: idle_words(pack_data(language)) for language in languages()}
    read_all = pack_files._all_idle_words.__wrapped__
    assert read_all() == expected
    [kept] = (tmp_path / "packs").glob("*.idle.json")
    assert read_all() == expected
    for damaged in ("", "[]", '{"de": []}', '{"de": 5}'):
        kept.write_text(damaged, encoding="utf-8")
        assert read_all() == expected
    assert idle_words_of("de") == expected["de"]
