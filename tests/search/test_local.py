from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.phases.films import entry
from triad.errors import SearchError
from triad.search.base import Entry
from triad.search.local import VERSION, LocalIndex

EX = "http://example.org/"


def person(name: str, popularity: int = 0, *aliases: str) -> Entry:
    return Entry(EX + name.replace(" ", "_"), "entity", name, aliases, popularity=popularity)


@pytest.mark.parametrize(
    "text",
    ["Stanley Kubrik", "Stanly Kubrick", "Stanley Kubrcik", "Stanley Kubricks", "Stamley Kubrick", "kubrik", "Stanlye"],
)
def test_a_typo_is_forgiven(text: str) -> None:
    index = LocalIndex()
    index.add([person("Stanley Kubrick"), person("Ridley Scott")])
    [found] = index.search(text)
    assert found.label == "Stanley Kubrick"
    assert not found.exact


def test_short_words_have_no_typos() -> None:
    index = LocalIndex()
    index.add([person("UNO")])
    assert index.search("UNA") == []


def test_names_with_two_typos_are_found_where_none_has_one() -> None:
    index = LocalIndex()
    index.add([person("Philadelphia"), person("Philadlphixy", 900)])
    assert [one.label for one in index.search("Philadlphia")] == ["Philadelphia"]
    assert [one.label for one in index.search("Phladlphia")] == ["Philadelphia"]


def test_of_equal_names_the_popular_one_comes_first() -> None:
    index = LocalIndex()
    index.add([Entry(EX + f"Paris{at}", "entity", "Paris", popularity=at) for at in (5, 900, 70)])
    assert [candidate.popularity for candidate in index.search("Paris")] == [900, 70, 5]


def test_a_popular_name_is_found_among_many_that_share_its_word() -> None:
    index = LocalIndex()
    index.add([person("Barack Hussein Obama II", 5000)])
    index.add(person(f"Obama {at}") for at in range(500))
    assert "Barack Hussein Obama II" in [candidate.label for candidate in index.search("Obama")]


def test_what_was_added_can_be_found_at_once() -> None:
    index = LocalIndex()
    assert index.search("Ann") == []
    assert index.add([person("Ann")]) == 1
    assert len(index.search("Ann")) == 1
    assert index.add(person(name) for name in ("Bob", "Cid")) == 2
    assert len(index) == 3
    assert len(index.search("Cid")) == 1


def test_nothing_is_added_when_an_entry_fails() -> None:
    def entries() -> Iterator[Entry]:
        yield person("Ann")
        raise RuntimeError("no more")

    index = LocalIndex()
    with pytest.raises(RuntimeError, match="no more"):
        index.add(entries())
    index.add([person("Bob")])
    assert index.search("Ann") == []
    assert len(index.search("Bob")) == 1


def test_an_entry_that_cannot_be_stored_is_an_error() -> None:
    index = LocalIndex()
    with pytest.raises(SearchError, match="cannot add to the label index 'memory'"):
        index.add([person("lone surrogate \ud800")])


def test_an_index_on_disk_outlives_the_one_who_made_it(tmp_path: Path) -> None:
    with LocalIndex.create(tmp_path / "labels") as index:
        index.add([person("Ann", 3, "Annie")])
    [found] = LocalIndex(tmp_path / "labels").search("annie")
    assert (found.label, found.popularity, found.matched) == ("Ann", 3, "Annie")


def test_an_index_opened_for_searching_takes_no_entries(tmp_path: Path) -> None:
    LocalIndex.create(tmp_path / "labels").close()
    with pytest.raises(SearchError, match=r"open for searching only; LocalIndex\.create"):
        LocalIndex(tmp_path / "labels").add([person("Ann")])


def test_a_closed_index_takes_no_entries_but_can_be_searched() -> None:
    index = LocalIndex()
    index.add([person("Ann")])
    index.close()
    assert len(index.search("Ann")) == 1
    with pytest.raises(SearchError, match="open for searching only"):
        index.add([person("Bob")])


def test_an_index_is_not_made_over_other_files(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SearchError, match="the folder is not empty"):
        LocalIndex.create(tmp_path)
    assert (tmp_path / "thesis.txt").read_text(encoding="utf-8") == "mine"


def test_a_folder_that_is_no_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SearchError, match=r"is not a label index: no readable 'index\.json'"):
        LocalIndex(tmp_path)
    with pytest.raises(SearchError, match="is not a label index"):
        LocalIndex(tmp_path / "missing")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "triad-labels", "version": "new"}'])
def test_a_malformed_descriptor_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "index.json").write_text(text, encoding="utf-8")
    with pytest.raises(SearchError, match="is not a label index"):
        LocalIndex(tmp_path)


def test_an_index_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text('{"format": "other", "version": 1}', encoding="utf-8")
    with pytest.raises(SearchError, match="not of format 'triad-labels'"):
        LocalIndex(tmp_path)


def test_an_index_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    LocalIndex.create(tmp_path / "labels").close()
    path = tmp_path / "labels" / "index.json"
    descriptor = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(descriptor | {"version": VERSION + 1}), encoding="utf-8")
    with pytest.raises(SearchError, match=f"has version {VERSION + 1}, newer than {VERSION}"):
        LocalIndex(tmp_path / "labels")


def test_a_damaged_index_is_refused(tmp_path: Path) -> None:
    LocalIndex.create(tmp_path / "labels").close()
    (tmp_path / "labels" / "meta.json").write_text("{", encoding="utf-8")
    with pytest.raises(SearchError, match="is damaged"):
        LocalIndex(tmp_path / "labels")


@pytest.mark.slow(0.1)
def test_damage_at_which_the_engine_panics_is_an_error(tmp_path: Path) -> None:
    index = LocalIndex.create(tmp_path)
    index.add([person("Stanley Kubrick", 3)])
    index.close()
    [path] = tmp_path.glob("*.fast")
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content[:10] + bytes([content[10] ^ 0xFF]) + content[11:])
    with pytest.raises(SearchError, match=f"the label index '{tmp_path}'"):
        LocalIndex(tmp_path).search("Stanley Kubrick")
    with pytest.raises(SearchError, match=f"the label index '{tmp_path}'"):
        LocalIndex(tmp_path).complete("Stanley")


def test_long_names_are_found() -> None:
    name = "On the " + " ".join(f"part {at} of" for at in range(200)) + " everything"
    index = LocalIndex()
    index.add([person(name)])
    assert index.search(name)[0].exact


def test_an_exact_name_or_alias_is_not_beaten_by_a_popular_part() -> None:
    index = LocalIndex()
    index.add(
        [
            entry("Popular", "entity", "New York City Marathon", popularity=100_000),
            entry("NewYork", "entity", "New York", popularity=1),
            entry("USA", "entity", "United States", aliases=("America", "USA"), popularity=1),
            entry("Song", "entity", "America America", popularity=100_000),
        ]
    )
    assert index.search("New York")[0].iri == EX + "NewYork"
    assert index.search("America")[0].iri == EX + "USA"
