"""A program tells whether the evidence that a sentence cites holds its numbers, dates and names."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from triad.citations import Citation
from triad.language.pack import load_pack
from triad.rdf import XSD, Literal, Value
from triad.retrieval.evidence import Evidence
from triad.retrieval.holding import Holding

PACKS = (load_pack("en"), load_pack("de"))


def passage(number: int, title: str, text: str, date: str | None = None) -> Evidence:
    return Evidence(Citation(number, "passages", title, text, date=date), (text,), names=(title,))


def table(number: int, sql: str, columns: Sequence[str], *rows: Sequence[str | float]) -> Evidence:
    def value(cell: str | float) -> Value:
        return Value(Literal(str(cell), XSD + "decimal" if isinstance(cell, int | float) else ""), str(cell))

    values = tuple(tuple(value(cell) for cell in row) for row in rows)
    lines = tuple(str(list(row)) for row in rows)
    return Evidence(Citation(number, "table", "bike", "\n".join(lines), query=sql), lines, tuple(columns), values)


EVIDENCE = [
    passage(
        1,
        "Fjell 7 Carbon",
        "Fjell 7 Carbon has price 6,499.00 EUR, weight 24,8 kg, battery of 1,090 Wh and charging time 4:15 h. "
        "Range: 60 - 130 km. Model year: 2025.",
    ),
    passage(2, "Vidde 4", "Vidde 4 has price €3,199. It was tested on 15 January 2025.", date="2025-02-03"),
    table(3, "SELECT avg(weight_kg) AS mean_kg FROM bike", ["mean_kg"], [21.9375]),
    table(4, "SELECT label, price_EUR FROM bike", ["label", "price_EUR"], ["Brett 3", 2099], ["Brett 4", 2499]),
    table(5, "SELECT share", ["abs_share"], [0.359375]),
]


def missing(text: str, *cites: int, question: str = "What is it?") -> tuple[str, ...]:
    [sentence] = Holding(EVIDENCE, question, ["Lett 1"], PACKS).checked([(text, cites)])
    assert sentence.held == (not sentence.missing and bool(cites))
    return sentence.missing


@pytest.mark.parametrize(
    ("text", "cites"),
    [
        ("The Fjell 7 Carbon costs 6499 euros.", [1]),
        ("It costs €6,499.", [1]),
        ("Es kostet 6.499,00 €.", [1]),
        ("It weighs 24.8 kg.", [1]),
        ("It weighs 24,800 g.", [1]),
        ("It weighs about 25 kilograms.", [1]),
        ("Its battery has 1090 Wh.", [1]),
        ("It charges in 255 minutes.", [1]),
        ("It charges in 4 hours and 15 minutes.", [1]),
        ("It goes 60 to 130 km.", [1]),
        ("It is of model year 2025.", [1]),
        ("It was tested in January 2025.", [2]),
        ("It was tested on 2025-01-15.", [2]),
        ("The text is of February 2025.", [2]),
        ("On average, they weigh 21.9 kg.", [3]),
        ("On average, they weigh 21.94 kg.", [3]),
        ("35.9 % of them have it.", [5]),
        ("36 percent of them have it.", [5]),
        ("The Brett 4 costs 400 euros more than the Brett 3.", [4]),
        ("Together they cost 4,598 euros.", [4]),
        ("Their average is 2,299 euros.", [4]),
        ("There are 2 of them.", [4]),
        ("The Fjell 7 Carbon costs €6,499, that is 3,300 more than the €3,199 of the Vidde 4.", [1, 2]),
        ("It is quiet.", [2]),
    ],
)
def test_what_the_evidence_holds_is_held(text: str, cites: list[int]) -> None:
    assert missing(text, *cites) == ()


@pytest.mark.parametrize(
    ("text", "cites", "lacking"),
    [
        ("The Fjell 7 Carbon costs 6,599 euros.", [1], "6,599 euros"),
        ("It costs 6,499 dollars.", [1], "6,499 dollars"),
        ("It weighs 24.8 km.", [1], "24.8 km"),
        ("It weighs 24.9 kg.", [1], "24.9 kg"),
        ("It weighs 26 kg.", [1], "26 kg"),
        ("It was tested on 16 January 2025.", [2], "16 January 2025"),
        ("It was tested in 2024.", [2], "2024"),
        ("The Vidde 4 costs €6,499.", [1], "Vidde 4"),
        ("The Lett 1 costs €3,199.", [2], "Lett 1"),
        ("It was tested by Velotec.", [2], "Velotec"),
        ("There are 3 of them.", [4], "3"),
        ("It charges in 5 hours.", [1], "5 hours"),
        ("On average, they weigh 21.8 kg.", [3], "21.8 kg"),
    ],
)
def test_what_the_evidence_does_not_hold_is_told(text: str, cites: list[int], lacking: str) -> None:
    assert missing(text, *cites) == (lacking,)


def test_a_sentence_without_a_citation_is_not_held() -> None:
    [sentence] = Holding(EVIDENCE, "?", [], PACKS).checked([("It is quiet.", ())])
    assert not sentence.held


def test_what_the_question_says_need_not_be_held() -> None:
    assert missing("It weighs less than 30 kg.", 2, question="Does it weigh less than 30 kg?") == ()


def test_two_numbers_of_a_text_that_is_long_do_not_make_a_third() -> None:
    assert missing("It costs 5,409 euros.", 1) == ("5,409 euros",)
    assert missing("It weighs 1,065.2 kg.", 1) == ("1,065.2 kg",)


def test_months_units_and_first_words_are_no_names() -> None:
    assert missing("Yes: in January 2025 it was tested. Its battery is large.", 2) == ()


def test_a_makers_name_may_be_left_out_and_no_other_word() -> None:
    names = ["Aurvind Vidde 5 Wave", "Aurvind Vidde 5", "Aurvind Sti 4"]
    report = [passage(1, "Long test", "The Vidde 5 Wave ran quietly."), passage(2, "Test", "The Wave ran quietly.")]
    holding = Holding(report, "?", names, PACKS)
    held, lacking = holding.checked([("The Aurvind Vidde 5 Wave ran quietly.", (at,)) for at in (1, 2)])
    assert (held.missing, lacking.missing) == ((), ("Aurvind Vidde 5 Wave",))
