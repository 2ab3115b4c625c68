from __future__ import annotations

import pytest

from triad.retrieval.tables.readings import read_all


def lows(*texts: str, **given: object) -> list[float | None]:
    found = read_all(texts, **given).values  # type: ignore[arg-type]
    return [found[text].low if text in found else None for text in texts]


@pytest.mark.parametrize(
    ("texts", "numbers", "unit"),
    [
        (("24.8 kg", "24,8 kg", "150kg"), [24.8, 24.8, 150.0], "kg"),
        (("1,090 Wh", "180 Wh", "200Wh"), [1090.0, 180.0, 200.0], "Wh"),
        (("1.090 Wh", "180 Wh", "725 Wh"), [1090.0, 180.0, 725.0], "Wh"),
        (("2,125 l", "1.5 l", "2.2 l"), [2.125, 1.5, 2.2], "l"),
        (("1 250 000 m", "3 m"), [1250000.0, 3.0], "m"),
        (("4:15 h", "255 min", "2:00 h"), [4.25, 4.25, 2.0], "h"),
        (("-5 °C", "10 °C"), [-5.0, 10.0], "°C"),
        (("5.9 l/100km", "10 l/100km"), [5.9, 10.0], "l/100km"),
        (("29 in", "27.5 in", "700c"), [29.0, 27.5, None], "in"),
    ],
)
def test_numbers_are_read_with_their_unit(texts: tuple[str, ...], numbers: list[float | None], unit: str) -> None:
    assert lows(*texts) == numbers
    assert read_all(texts).unit == unit


def test_units_of_one_measure_become_the_most_frequent_one() -> None:
    assert lows("1,5 kg", "2 kg", "500 g") == [1.5, 2.0, 0.5]
    assert lows("5 kg", "6 kg", "3 km") == [5.0, 6.0, None]


def test_a_number_without_unit_is_in_the_unit_that_fits_the_others() -> None:
    texts = ("200 g", "600 g", "950 g", "1,2 kg", "1.4")
    assert lows(*texts, exact={"1.4"}) == [200.0, 600.0, 950.0, 1200.0, 1400.0]
    assert read_all(texts, exact={"1.4"}).bare == 1


def test_numbers_of_xml_schema_leave_no_doubt() -> None:
    assert lows("1.250", "800 km", "900 km", exact={"1.250"}) == [1.25, 800.0, 900.0]


@pytest.mark.parametrize("text", ["60 - 130 km", "60–130 km", "60 to 130 km", "60 bis 130 km", "130 ... 60 km"])
def test_ranges_have_two_ends(text: str) -> None:
    found = read_all([text, "5 km"], tags=["de"])
    assert (found.values[text].low, found.values[text].high) == (60.0, 130.0)
    assert found.ranges


@pytest.mark.parametrize("text", ["€1,599", "1.599,00 €", "EUR 1599", "1599 EUR", "1599", "1.599,- €"])
def test_money_is_read_in_all_notations(text: str) -> None:
    found = read_all([text, "€899.00", "€39"])
    assert (found.values[text].low, found.values[text].currency) == (1599.0, "EUR")


@pytest.mark.parametrize(
    "texts",
    [("00123", "53113"), ("S", "M", "L"), ("12 Main Street", "14 Oak Street", "3 Elm"), ("Fjell 7", "Fjell 9"), ()],
)
def test_codes_and_names_are_no_numbers(texts: tuple[str, ...]) -> None:
    assert not read_all(texts).values


def test_texts_without_a_number_are_told() -> None:
    assert read_all(["0 mm", "75 mm", "none"]).unread == ("none",)


def test_a_long_text_of_digits_takes_no_time() -> None:
    assert not read_all(["1" * 10_000 + " " * 10_000, "1." * 5_000]).values
    assert not read_all(["1 " * 29 + "x -", "9" * 59 + "!"]).values
