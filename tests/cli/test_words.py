from __future__ import annotations

import errno
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner, Result

from triad.cli.program import app
from triad.configs import load_config
from triad.errors import ConfigError
from triad.glossaries import add_words

pytestmark = pytest.mark.slow

GRAPH = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:a a ex:Car ; rdfs:label "Ape" ; ex:price 4500 .
ex:b a ex:Car ; rdfs:label "Bee" ; ex:price 900 .
"""


@pytest.fixture
def cars(tmp_path: Path, kept_file: Callable[[str, str], Path]) -> Path:
    path = tmp_path / "cars.yaml"
    words = "# ours\nwords:\n  cheap car: {of: Car, where: price < 1000, owner: sales}\n"
    path.write_text(f"graph: {kept_file('cars.ttl', GRAPH)}\nmodel: none\n{words}", encoding="utf-8")
    return path


def triad(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["-q", *arguments])


def test_words_are_listed_with_how_much_they_hold_of(cars: Path) -> None:
    [one] = json.loads(triad("words", "--config", str(cars), "--json").stdout)
    assert one == {
        "word": "cheap car",
        "stands for": "Car with price < 1000",
        "holds of": 1,
        "such as": "Bee",
        "owner": "sales",
    }


def test_a_word_is_tried_and_the_config_stays_as_it_is_unless_it_is_added(cars: Path) -> None:
    before = cars.read_text(encoding="utf-8")
    [one] = json.loads(triad("words", "costly car", "price > 1", "--of", "Car", "-c", str(cars), "--json").stdout)
    assert one["holds of"] == 2
    assert cars.read_text(encoding="utf-8") == before
    assert triad("words", "cents", "price * 100", "-c", str(cars), "--add").exit_code == 0
    assert "# ours" in cars.read_text(encoding="utf-8")
    assert load_config(str(cars)).words["cents"] == "price * 100"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("costly car", "prise > 1", "--of", "Car"), "'prise' is no relation of Car"),
        (("costly car",), "a word and what it stands for go together"),
        (("cheap car", "price * 2", "--add"), "the key 'cheap car' is there twice"),
        (("%", "price / 100", "--add"), "'%' is no word"),
    ],
)
def test_what_cannot_be_defined_is_not_added(cars: Path, arguments: tuple[str, ...], fault: str) -> None:
    before = cars.read_text(encoding="utf-8")
    result = triad("words", *arguments, "-c", str(cars))
    assert result.exit_code == 1
    assert fault in str(result.exception or "") + result.stderr
    assert cars.read_text(encoding="utf-8") == before


def test_a_config_stays_whole_where_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("graph: towns.ttl\n", encoding="utf-8")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", full)
        with pytest.raises(ConfigError, match=r"cannot write .*No space left"):
            add_words(path, {"big": "population / 2"})
    assert path.read_text(encoding="utf-8") == "graph: towns.ttl\n"
    assert list(tmp_path.iterdir()) == [path]


def test_words_are_added_where_a_link_leads(tmp_path: Path) -> None:
    link, path = tmp_path / "link.yaml", tmp_path / "mine.yaml"
    path.write_text("graph: towns.ttl\n", encoding="utf-8")
    link.symlink_to(path)
    add_words(link, {"big": "population / 2"})
    assert link.is_symlink()
    assert "population / 2" in path.read_text(encoding="utf-8")


def test_words_that_are_added_at_once_are_all_there(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("graph: towns.ttl\n", encoding="utf-8")
    words = [f"word {number}" for number in range(24)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda word: add_words(path, {word: "population / 2"}), words))
    assert sorted(yaml.safe_load(path.read_text("utf-8"))["words"]) == sorted(words)


def test_who_may_read_a_config_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("graph: towns.ttl\n", encoding="utf-8")
    for mode in (0o600, 0o640, 0o664):
        path.chmod(mode)
        add_words(path, {f"word {mode}": "population / 2"})
        assert path.stat().st_mode & 0o777 == mode


def test_a_word_stays_in_its_line(cars: Path) -> None:
    listed = triad("words", "two\nlines \x1b[31m", "price * 2", "-c", str(cars)).stdout
    assert len(listed.splitlines()) == 2
    assert "\x1b" not in listed
