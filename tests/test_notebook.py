from __future__ import annotations

import datetime
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal

import pytest

from triad.answers import Answer, Reading, Reason, Unknown
from triad.conversation.turns import Turn
from triad.errors import ConfigError
from triad.questions import Question
from triad.rdf import IRI, XSD, Literal, Value

QUESTION = Question("Which <b>books</b>?")
MOMO = Value(IRI("http://example.org/Momo"), "Momo")
HOSTILE = Value(IRI("javascript:alert(1)"), "<script>alert(1)</script>")


def literal(value: str, kind: str = "string") -> Value:
    return Value(Literal(value, XSD + kind), value)


def answer(*rows: tuple[Value | None, ...]) -> Answer:
    names = tuple(f"column{at}" for at in range(len(rows[0])))
    return Answer(QUESTION, variables=names, rows=rows, text="Momo", query="SELECT ?x {?x a <y>}", confidence=0.9)


@pytest.mark.slow(0.3)
def test_a_data_frame_has_names_and_iris_of_things_and_typed_literals() -> None:
    row = MOMO, literal("7", "integer"), literal("1.50", "decimal"), literal("1973-01-01", "date"), literal("x")
    frame = answer(row).to_dataframe()
    assert list(frame) == ["column0", "column0_iri", "column1", "column2", "column3", "column4"]
    assert frame.iloc[0].tolist() == [
        "Momo",
        "http://example.org/Momo",
        7,
        Decimal("1.50"),
        datetime.date(1973, 1, 1),
        "x",
    ]


@pytest.mark.slow(0.5)
def test_what_no_type_holds_stays_text_and_what_is_missing_stays_missing() -> None:
    frame = answer((literal("about ten", "integer"), MOMO), (None, None)).to_dataframe()
    assert frame["column0"][0] == "about ten"
    assert frame.isna().iloc[1].all()


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("1e90000000", "decimal"),
        ("1e999999999999999999", "decimal"),
        ("NaN", "decimal"),
        ("1_000", "integer"),
        ("yes", "boolean"),
        ("-0044-03-15", "date"),
        (f"P{'9' * 40}D", "duration"),
    ],
)
@pytest.mark.filterwarnings("ignore:Parsing weird boolean")
def test_what_has_not_the_form_of_its_type_stays_text(value: str, kind: str, caplog: pytest.LogCaptureFixture) -> None:
    assert answer((literal(value, kind),)).to_dataframe()["column0"].tolist() == [value]
    assert not caplog.records


def test_no_value_is_written_out_anew() -> None:
    row = literal(f"P{'9' * 40}Y", "duration"), literal("1e400", "double"), literal(" 007 ", "integer")
    assert answer(row).to_dataframe().iloc[0].tolist()[1:] == [float("inf"), 7]


def test_a_yes_no_question_and_no_rows_are_data_frames_too() -> None:
    assert Answer(QUESTION, "boolean", boolean=False).to_dataframe()["answer"].tolist() == [False]
    assert Answer(QUESTION, variables=("x",)).to_dataframe().shape == (0, 1)


def test_an_answer_gives_its_values_one_by_one() -> None:
    assert list(answer((MOMO, literal("x")))) == [MOMO, literal("x")]


def test_a_data_frame_without_pandas_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigError, match=r"triad-kgqa\[notebook\]"):
        answer((MOMO,)).to_dataframe()


def test_html_tells_what_was_assumed_and_what_else_may_be_meant() -> None:
    readings = (Reading("best <seller>", "Momo", taken="price"), Reading("books", "Emma"))
    shown = replace(answer((MOMO,)), readings=readings, confidence=0.7)._repr_html_()
    assert "<p>Assumed: price. Otherwise: best &lt;seller&gt;: Momo</p>" in shown
    assert "<p>It may also mean: books: Emma</p>" in shown


def test_html_escapes_what_strangers_wrote_and_links_addresses_of_the_web_only() -> None:
    html = answer((MOMO,), (HOSTILE,))._repr_html_()
    assert '<a href="http://example.org/Momo">Momo</a>' in html
    assert "<script" not in html
    assert "<b>" not in html
    assert "javascript:" not in html


def test_html_shows_the_first_rows_and_says_how_many_more_there_are() -> None:
    html = answer(*[(literal(f"value {number}"),) for number in range(25)])._repr_html_()
    assert "value 19" in html
    assert "value 20" not in html
    assert "and 5 more" in html


def test_html_of_no_answer_gives_the_reasons_and_the_guess_as_a_guess() -> None:
    unknown = Unknown(QUESTION, (Reason("name", "Moma", "nothing is called 'Moma'"),), answer((MOMO,)))
    html = unknown._repr_html_()
    assert "nothing is called" in html
    assert "perhaps" in html
    assert "I don&#39;t know" in Unknown(QUESTION, (Reason("empty", "", "nothing was found"),))._repr_html_()


def test_a_turn_shows_its_answer_or_else_its_reply() -> None:
    assert "Momo" in Turn("Which?", "Which?", answer=answer((MOMO,)))._repr_html_()
    assert "You are welcome" in Turn("thanks", "thanks", kind="social", reply="You are welcome")._repr_html_()


def test_what_is_printed_by_itself_is_short() -> None:
    long = Answer(QUESTION, text="word " * 10_000, rows=((MOMO,),) * 1_000, variables=("x",))
    assert len(repr(long)) < 300
    assert len(repr(Unknown(QUESTION, (), long))) < 500
    assert repr(answer((MOMO,))) == "Answer('Momo', source='graph', confidence=0.90, rows=1)"


@pytest.mark.slow(0.1)
def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "triad", "--version"], capture_output=True, text=True, check=True)
    assert "triad" in done.stdout.lower()
