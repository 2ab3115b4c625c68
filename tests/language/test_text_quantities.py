"""Numbers and dates are read with their units and held against each other, however they are written."""

from __future__ import annotations

import pytest

from triad.language.pack import Pack, load_pack
from triad.language.quantities import Unit, unit_of
from triad.language.text_quantities import dates, number_of, numbers


@pytest.fixture(scope="module", name="packs")
def _packs() -> tuple[Pack, ...]:
    return load_pack("en"), load_pack("de")


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("€6,499.00", 6499.0, "money EUR"),
        ("6.499,00 €", 6499.0, "money EUR"),
        ("6,499 euros", 6499.0, "money EUR"),
        ("1 599 EUR", 1599.0, "money EUR"),
        ("$ 12", 12.0, "money USD"),
        ("24,8 kg", 24.8, "mass"),
        ("-3.5", -3.5, ""),
        ("35.9 %", 35.9, "share"),
        ("70 percent", 70.0, "share"),
        ("1'234'567", 1234567.0, ""),
        ("1.234.567", 1234567.0, ""),
        ("0.125", 0.125, ""),
    ],
)
def test_a_number_is_read_as_it_is_meant(packs: tuple[Pack, ...], text: str, value: float, unit: str) -> None:
    [number] = numbers(text, packs)
    assert (number.ways[0][0], number.dimension) == (value, unit)


def test_hours_and_minutes_are_one_time(packs: tuple[Pack, ...]) -> None:
    for text in ("4:15 h", "4 h 15 min", "4 hours and 15 minutes", "255 minutes"):
        [number] = numbers(text, packs)
        assert number.is_held_by(numbers("4.25 hours", packs)[0]), text


def test_a_number_inside_a_word_is_none(packs: tuple[Pack, ...]) -> None:
    assert numbers("model X7 of p006", packs) == []


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("15 January 2025", "2025-01-15"),
        ("2025-01-15", "2025-01-15"),
        ("15.01.2025", "2025-01-15"),
        ("in 2023", "2023"),
    ],
)
def test_a_date_is_read_as_far_as_it_is_said(packs: tuple[Pack, ...], text: str, iso: str) -> None:
    assert [date.iso for date in dates(text, packs)] == [iso]


def test_a_column_may_tell_the_unit_of_its_numbers(packs: tuple[Pack, ...]) -> None:
    assert number_of(24.8, "weight_kg", packs).dimension == "mass"
    assert number_of(5.0, "price_EUR", packs).dimension == "money EUR"
    assert number_of(5.0, "count", packs).dimension == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("12.4 million euros", [(12_400_000.0, "money EUR")]),
        ("from 60–130 km", [(60.0, ""), (130.0, "length")]),
        ("a Boeing 737-800", [(737.0, ""), (800.0, "")]),
        ("at 35 °C", [(35.0, "temperature")]),
    ],
)
def test_what_is_written_between_digits_is_not_lost(
    packs: tuple[Pack, ...], text: str, said: list[tuple[float, str]]
) -> None:
    found = [(one.ways[0][0], one.dimension) for one in numbers(text, packs)]
    assert [value for value, _ in found] == [value for value, _ in said]
    assert found[-1] == said[-1]


def test_a_currency_has_one_name_however_it_is_written(packs: tuple[Pack, ...]) -> None:
    assert {unit_of(name, packs) for name in ("€", "EUR", "euro", "euros", "Euro")} == {Unit("money EUR", 1)}
    assert {unit_of(name, packs) for name in ("$", "USD", "dollars", "US dollar")} == {Unit("money USD", 1)}
