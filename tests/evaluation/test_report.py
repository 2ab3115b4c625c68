from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import zlib
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.recorded import record, write
from tests.web.conftest import CHROMIUM
from triad import errors
from triad.answers import Answer, Reason, Unknown, from_json, to_json
from triad.datasets import load_dataset
from triad.evaluation.comparison import compare_runs
from triad.evaluation.folder import RunFailure, RunFolder
from triad.evaluation.metrics.definitions import METRICS
from triad.evaluation.rendering import derivation, qald, write_html
from triad.evaluation.report import Report
from triad.evaluation.run import run
from triad.evaluation.summary import read_report
from triad.questions import Question
from triad.text import table

MARKUP = "</script><script>alert(1)</script><b>"

in_a_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(
        tmp_path / "one",
        [
            record("1", 1.0, answer_type="count", tags={"hops": "1"}),
            record("2", 0.5, tags={"hops": "2"}, cause="relation", confidence=0.25),
            record("3", 0.0, tags={"hops": "2"}, cause="relation"),
            record("4", 0.0, answer=None, error=RunFailure("ModelError", "the model is asleep"), text=MARKUP),
            record("5", None),
        ],
    )


# Numbers --------------------------------------------------------------------------------------------------


@pytest.mark.slow(0.5)
def test_a_report_comes_from_the_folder_alone(folder: Path) -> None:
    report = read_report(folder)
    assert (report.questions, report.asked, report.failed, report.unscored) == (5, 5, 1, 1)
    assert report.scores["set_f"].mean == pytest.approx(1.5 / 4)
    assert report.scores["set_f"].count == 4
    assert report.errors == {"ModelError": 1}
    assert report.causes == {"relation": 2}
    assert astuple(report.usage) == (10, 0, 4500, 500, pytest.approx(0.005), pytest.approx(2.0))
    assert from_json(Report, report.to_json()) == report


@pytest.mark.slow(0.1)
def test_declined_questions_are_counted_beside_failures(tmp_path: Path) -> None:
    question = Question("Question 2?", id="2")
    reason = Reason("name", "Wakanda", "nothing in the graph is called Wakanda")
    guess = Answer(question, text="a guess", confidence=0.25)
    records = [
        record("1"),
        record(
            "2", 0.0, answer=None, error=RunFailure("AnswerError", "no"), unknown=Unknown(question, (reason,), guess)
        ),
        record("3", 0.0, answer=None, error=RunFailure("ModelError", "the model is asleep")),
    ]
    folder = write(tmp_path / "one", records)
    report = read_report(folder)
    assert (report.asked, report.declined, report.failed) == (3, 1, 1)
    assert report.errors == {"ModelError": 1}
    assert report.scores["set_f"].count == 3
    assert "3 of 3 questions asked, 1 declined, 1 failed" in report.to_markdown()
    told = derivation(next(one for one in RunFolder(folder).records() if one.id == "2"))["told"]
    assert "nothing in the graph is called Wakanda" in told
    assert "Perhaps: a guess" in told


def test_an_interval_holds_the_mean(folder: Path) -> None:
    score = read_report(folder).scores["set_f"]
    assert score.low is not None
    assert score.high is not None
    assert 0 <= score.low <= score.mean <= score.high <= 1


def test_the_order_of_finishing_changes_nothing(tmp_path: Path) -> None:
    records = [record(str(number), number % 7 / 6) for number in range(30)]
    one, other = (read_report(write(tmp_path / name, order)) for name, order in (("a", records), ("b", records[::-1])))
    assert one.scores == other.scores


def test_groups_are_those_of_few_values(tmp_path: Path) -> None:
    tags = [{"id": str(number), "same": "yes", "hops": str(number % 2)} for number in range(40)]
    report = read_report(write(tmp_path / "run", [record(one["id"], float(one["hops"]), tags=one) for one in tags]))
    assert set(report.groups) == {"answer_type", "hops"}
    assert report.groups["hops"]["1"].count == 20
    assert (report.groups["hops"]["1"].scores["set_f"], report.groups["hops"]["0"].scores["set_f"]) == (1, 0)


def test_latency_and_calibration(folder: Path) -> None:
    report = read_report(folder)
    assert report.latency["all"].p50 == 0.5
    assert report.latency["parsing"].mean == pytest.approx(0.4)
    assert [(round(bin.confidence, 2), bin.score, bin.count) for bin in report.calibration] == [
        (0.25, 0.5, 1),
        (0.85, 0.5, 2),
    ]
    # One answer of 0.25 that scores 0.5, two of 0.85 that score 0.5 on average.
    assert report.calibration_error == pytest.approx((1 * 0.25 + 2 * 0.35) / 3)


def test_an_empty_run_has_a_report(tmp_path: Path) -> None:
    report = read_report(write(tmp_path / "run", []))
    assert (report.asked, report.scores, report.latency) == (0, {}, {})
    assert "0 of 0 questions asked" in report.to_markdown()
    write_html([report], tmp_path / "report.html")


def test_what_is_no_run_has_no_report(tmp_path: Path) -> None:
    with pytest.raises(errors.ConfigError, match="is not the folder of a run"):
        read_report(tmp_path)


# Markdown and HTML ----------------------------------------------------------------------------------------


def test_tables_in_markdown(folder: Path) -> None:
    text = read_report(folder).to_markdown()
    assert "| set_f | 0.375 | " in text
    assert "| hops | questions | set_f | " in text
    assert "| 2 | 2 | 0.250 | " in text
    assert "| relation | 2 |" in text
    assert "| 0.850 | 0.500 | 2 |" in text
    assert "Expected calibration error by set_f (Guo et al. 2017): 0.317" in text
    assert "| ModelError | 1 |" in text
    assert f"**set_f**: {METRICS['set_f']}" in text


def test_a_cell_of_a_table_holds_no_markup() -> None:
    assert table(("a|b",), [("<script>",), ("[page](<a b.html>)",)]) == [
        "| a\\|b |", "| --- |", "| \\<script> |", "| [page](<a b.html>) |",
    ]  # fmt: skip


def packs(page: str) -> list[Any]:
    found = re.findall(r'<script type="text/plain" class="pack">(.*?)</script>', page)
    return [one for pack in found for one in json.loads(zlib.decompress(base64.b64decode(pack)))]


def test_the_page_holds_every_question_and_its_derivation(folder: Path, tmp_path: Path) -> None:
    write_html([read_report(folder)], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    index = json.loads(page.split('id="index">')[1].split("</script>")[0])
    assert [row[1] for row in index] == ["1", "2", "3", "4", "5"]
    assert [row[5] for row in index] == [1, 0.5, 0, 0, None]
    told = packs(page)
    assert "value of 1" in told[0]["told"]
    assert told[0]["gold"] == ["gold"]
    assert told[3]["told"].startswith("ModelError: the model is asleep")
    assert told[0]["scores"] == {"set_f": 1, "exact_match": 1}


def test_the_page_needs_no_other_file_and_runs_nobody_elses_script(folder: Path, tmp_path: Path) -> None:
    write_html([read_report(folder)], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=", page)
    assert "<script>alert" not in page


def opened(page: Path, script: str = "", *flags: str) -> str:
    """Return a page as a browser shows it, after a script of the test's own has run."""
    assert CHROMIUM is not None
    copy = page.with_name("opened.html")
    shutil.copy(page, copy)
    with copy.open("a", encoding="utf-8") as file:
        file.write(f"<script>{script}</script>")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", *flags]
    command += [f"--user-data-dir={page.parent / 'profile'}", copy.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.mark.slow
@in_a_browser
def test_a_browser_shows_filters_and_derivations(folder: Path, tmp_path: Path) -> None:
    write_html([read_report(folder)], tmp_path / "report.html")
    shown = opened(tmp_path / "report.html")
    assert shown.count('class="question"') == 5
    assert "5 of 5" in shown
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in shown
    words = (
        "const box = document.getElementById('words'); box.value = 'question 2'; box.dispatchEvent(new Event('input'));"
    )
    click = words + "document.querySelector('.question').click();"
    shown = opened(tmp_path / "report.html", click, "--virtual-time-budget=10000")
    assert "1 of 5" in shown
    assert "value of 2" in shown
    wrong = "const box = document.getElementById('score'); box.value = 'wrong'; box.dispatchEvent(new Event('input'));"
    assert "2 of 5" in opened(tmp_path / "report.html", wrong)
    sort = "[...document.querySelectorAll('#questions th')].find(head => head.textContent === 'set_f').click();"
    ids = re.findall(r"<tr><td>(\d)</td>|<tr><td class=\"\">(\d)</td>", opened(tmp_path / "report.html", sort))
    assert ["".join(one) for one in ids] == ["3", "4", "2", "1", "5"]


@pytest.mark.slow
@in_a_browser
def test_all_of_ten_thousand_questions_are_told_and_few_are_drawn(tmp_path: Path) -> None:
    run_folder = RunFolder(write(tmp_path / "run", []))
    with run_folder.answers.open("wb") as file:
        for number in range(10_000):
            file.write(to_json(record(str(number), number % 3 / 2)).encode() + b"\n")
    write_html([read_report(run_folder.path)], tmp_path / "report.html")
    shown = opened(tmp_path / "report.html")
    assert "10,000 of 10,000" in shown
    assert 0 < shown.count('class="question"') < 1_000


def test_one_page_for_several_runs(folder: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "two", [record("1", 0.25)])
    write_html([read_report(folder), read_report(other)], tmp_path / "both.html")
    page = (tmp_path / "both.html").read_text(encoding="utf-8")
    assert '<option value="1">two</option>' in page
    assert len(packs(page)) == 6


# Comparisons ----------------------------------------------------------------------------------------------


def test_a_comparison_names_what_got_better_and_worse(folder: Path, tmp_path: Path) -> None:
    after = [record("1", 0.5), record("2", 1.0), record("3", 1.0), record("4", 0.0, text=MARKUP), record("6", 1.0)]
    compared = compare_runs(folder, write(tmp_path / "two", after))
    assert [(one.id, one.before, one.after) for one in compared.better] == [("3", 0, 1), ("2", 0.5, 1)]
    assert [(one.id, one.before, one.after) for one in compared.worse] == [("1", 1, 0.5)]
    assert (compared.same, compared.only_before, compared.only_after) == (1, 0, 1)
    assert compared.metrics["set_f"].difference == pytest.approx(0.25)
    assert 0 < compared.metrics["set_f"].p_value <= 1
    text = compared.to_markdown()
    assert "2 better, 1 worse, 1 the same" in text
    assert "| 3 | Question 3? | 0.000 | 1.000 | relation |  |" in text


def test_a_run_is_as_good_as_itself(folder: Path) -> None:
    compared = compare_runs(folder, folder)
    assert (compared.better, compared.worse) == ((), ())
    assert compared.metrics["set_f"].p_value == 1


def test_a_comparison_says_what_differs_between_the_configs_and_their_surroundings(
    folder: Path, tmp_path: Path
) -> None:
    assert compare_runs(folder, folder).differs == ()
    other = write(tmp_path / "two", [record("1")], graph={"fingerprint": "f2"}, prompts={"parse_question": "p2"})
    config = other / "config.yaml"
    config.write_text(config.read_text(encoding="utf-8") + "min_confidence: 0.9\n", encoding="utf-8")
    compared = compare_runs(folder, other)
    assert compared.differs == (
        "min_confidence: nothing → 0.9",
        "graph.fingerprint: nothing → 'f2'",
        "prompts.parse_question: nothing → 'p2'",
    )
    assert "\n- differs: min_confidence: nothing → 0.9\n" in compared.to_markdown()


def test_runs_that_cannot_be_compared_are_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(errors.ConfigError, match="no scored question in common"):
        compare_runs(folder, write(tmp_path / "two", [record("9")]))
    with pytest.raises(errors.ConfigError, match=r"no metric 'dance'.*set_f"):
        compare_runs(folder, folder, metric="dance")


# The format of others ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("scripted")
def test_answers_as_qald_can_be_read_as_a_data_set(config: Path, tmp_path: Path) -> None:
    run(config, out=tmp_path / "run")
    path = tmp_path / "answers.json"
    path.write_text(qald(RunFolder(tmp_path / "run")), encoding="utf-8")
    data = load_dataset(path)
    assert (len(data.items), data.malformed) == (13, ())
    gold = {item.question.id: item.gold for item in data.items}
    assert (answer := gold["q3"]) is not None
    assert str(answer.rows[0][0]) == "http://example.org/F3"
    assert (answer := gold["ask"]) is not None
    assert answer.boolean is True
