"""The questions whose language is told: both forms of a set's file are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from languages import main, questions

OWN = [{"question": "Wer schrieb Momo?", "language": "de"}, {"question": "Who wrote Momo?", "language": "en"}]
QALD = {"questions": [{"question": [{"language": "pt_BR", "string": "Quem escreveu?"}, {"language": "fr"}]}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in (("own", OWN), ("qald", QALD)):
        (tmp_path / "set" / name).mkdir(parents=True)
        (tmp_path / "set" / name / "questions.json").write_text(json.dumps(content), encoding="utf-8")
    return tmp_path


def test_questions_come_with_their_languages(folder: Path) -> None:
    assert list(questions(folder / "set")) == [
        ("de", "Wer schrieb Momo?"),
        ("en", "Who wrote Momo?"),
        ("pt", "Quem escreveu?"),
    ]


def test_each_language_of_a_set_has_a_row(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(only="set", data=folder)
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in capsys.readouterr().out.splitlines()]
    assert rows[-4:-1] == [["set", "de", "1"], ["set", "en", "1"], ["set", "pt", "1"]]
    assert rows[-1] == ["set", "all", "3"]
