"""Folders of runs that come from others: links in them lead nowhere that anything is written to."""

from __future__ import annotations

from pathlib import Path

import pytest

from triad import errors
from triad.evaluation.folder import Record, RunFolder, Writer
from triad.evaluation.rendering import write_html
from triad.evaluation.run import run
from triad.evaluation.summary import read_report
from triad.questions import Question

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("scripted")]

KEPT = "what nobody may change\n"


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    """A file of somebody who takes over a run's folder."""
    path = tmp_path / "precious.txt"
    path.write_text(KEPT, encoding="utf-8")
    return path


@pytest.fixture
def given(config: Path, tmp_path: Path) -> Path:
    """The folder of a run with a line that cannot be read."""
    out = tmp_path / "given"
    run(config, out=out, limit=3)
    with (out / "answers.jsonl").open("a", encoding="utf-8") as file:
        file.write("touch PWNED #\n")
    return out


@pytest.mark.parametrize("name", ["damaged.jsonl", ".lock"])
def test_a_file_that_is_written_to_and_is_a_link_is_named(config: Path, given: Path, precious: Path, name: str) -> None:
    (given / name).symlink_to(precious)
    before = (given / "answers.jsonl").read_bytes()
    with pytest.raises(errors.ConfigError, match=rf"{name}' is a link to '.*precious\.txt'.*; remove it"):
        run(config, out=given, limit=3, resume=True)
    assert precious.read_text(encoding="utf-8") == KEPT
    assert (given / "answers.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    "name", [".answers.jsonl.tmp", ".answers.jsonl.draft", ".config.yaml.draft", ".report.html.draft", "report.html"]
)
def test_what_is_written_anew_follows_no_link(config: Path, given: Path, precious: Path, name: str) -> None:
    (given / name).unlink(missing_ok=True)
    (given / name).symlink_to(precious)
    assert run(config, out=given, limit=3, resume=True).asked == 3
    write_html([read_report(given)], given / "report.html")
    assert precious.read_text(encoding="utf-8") == KEPT
    assert not (given / "report.html").is_symlink()


def test_answers_are_not_appended_through_a_link(config: Path, given: Path, tmp_path: Path, precious: Path) -> None:
    answers = given / "answers.jsonl"
    elsewhere = answers.rename(tmp_path / "elsewhere.jsonl")
    before = elsewhere.read_bytes()
    answers.symlink_to(elsewhere)
    run(config, out=given, limit=4, resume=True)
    assert elsewhere.read_bytes() == before
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "answers.jsonl").symlink_to(precious)
    with Writer(RunFolder(tmp_path / "other")) as writer, pytest.raises(errors.ConfigError, match="is a link to"):
        writer.append(Record("q1", Question("Who?", id="q1")))
    assert precious.read_text(encoding="utf-8") == KEPT


def test_a_run_of_a_sweep_is_in_its_folder(config: Path, tmp_path: Path) -> None:
    sweep = {"sweep": {"generalist.examples": [1, 2]}}
    (tmp_path / "sweep").mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "sweep" / "generalist.examples=1").symlink_to(tmp_path / "home")
    with pytest.raises(errors.ConfigError, match="is a link to"):
        run(config, out=tmp_path / "sweep", limit=1, changes=sweep, resume=True)
    assert list((tmp_path / "home").iterdir()) == []
