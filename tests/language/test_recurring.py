"""Months, days of the week and times of day are read as the languages write them."""

from __future__ import annotations

import pytest

from triad.language.comparisons import find_comparisons
from triad.language.pack import load_pack
from triad.language.recurring import moment_at, recurring_at
from triad.language.tokens import Sentence


@pytest.mark.parametrize(
    ("language", "text", "date"),
    [
        ("en", "9 a.m.", "T09:00"),
        ("en", "12 am", "T00:00"),
        ("en", "a quarter to ten", "T09:45"),
        ("en", "nine o'clock", "T09:00"),
        ("de", "halb zehn", "T09:30"),
        ("de", "7.15 Uhr abends", "T19:15"),
        ("de", "freitags", "-W-5"),
        ("fr", "neuf heures et demie", "T09:30"),
        ("fr", "9h30", "T09:30"),
        ("es", "5 de la tarde", "T17:00"),
        ("it", "ore 9", "T09:00"),
        ("nl", "half tien", "T09:30"),
        ("ru", "пятницу", "-W-5"),
        ("ru", "октябре", "--10"),
        ("hi", "9 बजे", "T09:00"),
        ("fa", "ساعت ۹ صبح", "T09:00"),
    ],
)
def test_a_time_is_read_in_full(language: str, text: str, date: str) -> None:
    sentence = Sentence(text, load_pack(language))
    found = recurring_at(sentence, 0)
    assert found is not None
    assert (found.date, found.end) == (date, len(sentence))


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "9"), ("en", "2:30 hours"), ("en", "3.5"), ("en", "Mar"), ("es", "mar"), ("de", "drei")],
)
def test_numbers_and_short_words_are_no_times(language: str, text: str) -> None:
    assert recurring_at(Sentence(text, load_pack(language)), 0) is None


def test_what_may_be_a_duration_is_a_time_only_where_a_time_is_due() -> None:
    sentence = Sentence("9 heures", load_pack("fr"))
    assert moment_at(sentence, 0) is None
    assert recurring_at(sentence, 0) is not None


@pytest.mark.parametrize(
    ("question", "operators", "dates"),
    [
        ("Who was born in May?", ["="], ["--05"]),
        ("Which lessons start between 9:00 and 10:30?", [">=", "<="], ["T09:00", "T10:30"]),
        ("Which lessons start later than 9 am?", [">"], ["T09:00"]),
        ("Which trips were in May 2018?", ["="], ["2018-05"]),
        ("May I see the lessons?", [], []),
    ],
)
def test_comparisons_hold_values_against_times(question: str, operators: list[str], dates: list[str]) -> None:
    found = find_comparisons(Sentence(question, load_pack("en")), boolean=False)
    assert [(one.operator, one.date) for one in found] == list(zip(operators, dates, strict=True))
