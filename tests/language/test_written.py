from __future__ import annotations

import pytest

from triad.language.written import PLACE, is_amount, unit_of, written
from triad.rdf import XSD, Literal


@pytest.mark.parametrize(
    ("value", "datatype", "language", "expected"),
    [
        ("1978-10-12", "date", "en", "October 12, 1978"),
        ("1978-10-12Z", "date", "fr", "12 octobre 1978"),
        ("1978-10-12T00:00:00", "dateTime", "de", "12. Oktober 1978"),
        ("1978-10-12T13:05:09+02:00", "dateTime", "en", "October 12, 1978, 13:05 UTC+02:00"),
        ("1978-10", "gYearMonth", "es", "octubre de 1978"),
        ("--10-12", "gMonthDay", "en", "October 12"),
        ("13:05:00", "time", "de", "13:05"),
        ("1978-10-12", "date", "no language", "October 12, 1978"),
    ],
)
def test_dates_and_times(value: str, datatype: str, language: str, expected: str) -> None:
    assert written(Literal(value, XSD + datatype), language) == expected


@pytest.mark.parametrize(
    ("value", "datatype"),
    [
        ("1978", "gYear"),
        ("-0044-03-15", "date"),
        ("1978-02-31", "date"),
        ("2100", "integer"),
        ("INF", "double"),
        ("NaN", "double"),
        ("1e400", "double"),
        ("ten", "integer"),
        ("0301234567", "string"),
        ("Momo", "string"),
    ],
)
def test_what_is_written_so_already_or_has_no_such_form_is_left(value: str, datatype: str) -> None:
    assert written(Literal(value, XSD + datatype), "en") == ""


@pytest.mark.parametrize(
    ("value", "language", "expected"),
    [
        ("12345", "en", "12,345"),
        ("1234567.5", "de", "1.234.567,5"),
        ("6.3e6", "en", "6,300,000"),
        ("33.333333333333", "en", "33.33"),
        ("0.30000000000000004", "en", "0.3"),
        ("0.00012345678", "en", "0.000123"),
        ("52.5200", "fr", "52,52"),
    ],
)
def test_numbers(value: str, language: str, expected: str) -> None:
    assert written(Literal(value, XSD + "double"), language) == expected


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("MW", "150 MW"),
        ("kilometre", "150 km"),
        ("square kilometer", "150 km²"),
        ("hours", "150 hr"),
        ("EUR", "€150"),
        ("Us Dollar", "$150"),
        ("dwt", "150 dwt"),
        ("μ", "150"),
        ("g", "150 g"),
        ("an unknown unit of a length", "150"),
    ],
)
def test_units_are_those_of_the_language_or_as_the_graph_has_them(unit: str, expected: str) -> None:
    assert (written(Literal("150.0", XSD + "decimal"), "en", unit)) == expected


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [("138130.875", "", "138,131"), ("1117.24", "", "1,117"), ("153.28125", "minutes", "153.3 min"), ("3", "", "")],
)
def test_an_average_has_as_many_digits_as_tell_something(value: str, unit: str, expected: str) -> None:
    assert written(Literal(value, XSD + "decimal"), "en", unit, average=True) == expected


def test_digits_are_grouped_of_what_is_no_year() -> None:
    count = Literal("1009", XSD + "integer")
    assert written(count, "en") == ""
    assert written(count, "en", amount=True) == "1,009"
    assert written(count, "en", "metre") == "1,009 m"
    assert [is_amount(Literal(one, XSD + "decimal")) for one in ("1955", "4361", "8.5")] == [False, True, True]


@pytest.mark.parametrize("value", ["1E+999999999", "-1e99999", "1e-99999"])
def test_a_number_whose_digits_fill_pages_stays_as_it_is(value: str) -> None:
    literal = Literal(value, XSD + "double")
    assert written(literal, "en", amount=True) == ""
    assert isinstance(is_amount(literal), bool)


def test_a_number_has_a_unit_by_its_datatype_or_by_its_only_relation() -> None:
    number = Literal("3", XSD + "integer")
    assert unit_of(Literal("3", "http://dbpedia.org/datatype/squareKilometre"), ("m",)) == "square kilometre"
    assert unit_of(number, ("m",)) == "m"
    assert unit_of(number, ("m", "ft")) == unit_of(number) == ""


@pytest.mark.parametrize(
    ("value", "language", "expected"),
    [
        ("POINT(86.93 27.99)", "en", "27.99°, 86.93°"),
        ("<http://www.opengis.net/def/crs/OGC/1.3/CRS84> Point (-0.13 51.51)", "de", "51,51°, -0,13°"),
        ("POINT(385000 5820000)", "en", ""),
        ("POLYGON((0 0, 1 1, 0 1, 0 0))", "en", ""),
    ],
)
def test_points_on_earth(value: str, language: str, expected: str) -> None:
    assert written(Literal(value, PLACE), language) == expected
