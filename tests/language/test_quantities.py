from __future__ import annotations

from datetime import date, timedelta

import pytest

from triad.language.analysis import analyse
from triad.language.pack import load_pack
from triad.language.pack_files import languages
from triad.language.quantities import number_at, number_in, place_in
from triad.language.tokens import Sentence


@pytest.mark.parametrize(
    ("language", "text", "number"),
    [
        ("en", "3", 3),
        ("en", "three", 3),
        ("en", "Three", 3),
        ("en", "many", None),
        ("en", "3 of them", None),
        ("en", "2.125", 2.125),
        ("en", "2,125", 2125),
        ("en", "1.5 million", 1_500_000),
        ("en", "twelve thousand", 12_000),
        ("de", "2.125", 2125),
        ("de", "2,125", 2.125),
        ("de", "1,5 Millionen", 1_500_000),
        ("fr", "1 500 000", 1_500_000),
        ("ru", "1,5 миллиона", 1_500_000),
        ("hi", "10 लाख", 1_000_000),
        ("hi", "१९५०", 1950),
        ("fa", "۲ میلیون", 2_000_000),
        ("ro", "2.000", 2000),
        ("en", "-5", -5),
        ("en", "−1.5 million", -1_500_000),
        ("en", "minus five", -5),
        ("de", "minus 2,5", -2.5),
        ("es", "menos 20", -20),
        ("fa", "منفی ۲", -2),
        ("fr", "moins 20", -20),
        ("hi", "माइनस 20", -20),
        ("it", "meno 20", -20),
        ("nl", "min 20", -20),
        ("pt", "menos 20", -20),
        ("ro", "minus 20", -20),
        ("ru", "минус 20", -20),
        ("en", "minus", None),
    ],
)
def test_a_number_is_read_by_the_rules_of_its_language(language: str, text: str, number: float | None) -> None:
    assert number_in(text, load_pack(language)) == number


@pytest.mark.parametrize(
    ("text", "place"),
    [("the second", 2), ("2", 2), ("2nd", 2), ("the twelfth one", 12), ("number 2", None), ("the last one", -1)],
)
def test_places_of_a_list_are_read(text: str, place: int | None) -> None:
    assert place_in(text, load_pack("en")) == place


@pytest.mark.parametrize(
    ("language", "text", "operators", "values"),
    [
        ("hi", "10 लाख से अधिक आबादी वाले शहर", [">"], [1_000_000]),
        ("hi", "8000 मीटर से ऊँचे पर्वत", [">"], [8000]),
        ("hi", "कम से कम 3 सदस्य", [">="], [3]),
        ("hi", "1950 के बाद बनी फ़िल्में", [">"], ["1950"]),
        ("hi", "1950 से पहले", ["<"], ["1950"]),
        ("hi", "1950 और 1960 के बीच", [">=", "<="], ["1950", "1960"]),
        ("ru", "города с населением более 1,5 миллиона", [">"], [1_500_000]),
        ("ru", "фильмы после 1950 года", [">"], ["1950"]),
        ("ru", "горы выше 8000 метров", [">"], [8000]),
        ("ro", "orașe cu mai mult de 2.000 de locuitori", [">"], [2000]),
        ("ro", "filme apărute înainte de 1950", ["<"], ["1950"]),
        ("fa", "شهرهای با بیش از ۲ میلیون نفر", [">"], [2_000_000]),
        ("fa", "فیلم\u200cهای بعد از سال 1950", [">"], ["1950"]),
    ],
)
def test_comparisons_are_read_in_every_script(
    language: str, text: str, operators: list[str], values: list[float | str]
) -> None:
    found = analyse(text, load_pack(language)).comparisons
    assert [one.operator for one in found] == operators
    assert [one.date or one.value for one in found] == values


@pytest.mark.parametrize(
    ("language", "text", "operators", "values"),
    [
        ("en", "a temperature below -5", ["<"], [-5]),
        ("en", "a temperature under −5 °C", ["<"], [-5]),
        ("en", "a temperature of more than minus 5 degrees", [">"], [-5]),
        ("en", "a temperature between -20 and 0", [">=", "<="], [-20, 0]),
        ("en", "a temperature between 0 and -20", [">=", "<="], [-20, 0]),
        ("en", "a temperature (above -5)", [">"], [-5]),
        ("en", "a balance below -$1,500", ["<"], [-1500]),
        ("en", "an altitude between -2000 and -1990", [">=", "<="], [-2000, -1990]),
        ("de", "eine Temperatur unter -5 Grad", ["<"], [-5]),
        ("de", "eine Temperatur unter minus 5 Grad", ["<"], [-5]),
        ("es", "con una temperatura de más de menos 5 grados", [">"], [-5]),
        ("fr", "avec une température inférieure à moins 5 degrés", ["<"], [-5]),
        ("fr", "avec au moins 5 films", [">="], [5]),
        ("es", "con al menos 5 premios", [">="], [5]),
        ("pt", "com pelo menos 5 prêmios", [">="], [5]),
        ("it", "con meno di 5 premi", ["<"], [5]),
        ("en", "flights of more than 10-20 hours", [">"], [10]),
        ("en", "made in 1990-1995", ["="], ["1990"]),
        ("en", "after 2020-01-05", [">"], ["2020-01-05"]),
    ],
)
def test_numbers_below_zero_are_told_from_ranges_and_dates(
    language: str, text: str, operators: list[str], values: list[float | str]
) -> None:
    found = analyse(text, load_pack(language)).comparisons
    assert [one.operator for one in found][: len(operators)] == operators
    assert [one.date or one.value for one in found][: len(values)] == values


@pytest.mark.parametrize(
    "text", ["ISO-9001", "covid-19", "1990-1995", "Boeing-747", "10 -20 km", "5 - 3", "20%-30%", "2020-01-05"]
)
def test_a_hyphen_is_no_sign(text: str) -> None:
    sentence = Sentence(text, load_pack("en"))
    read = [number_at(sentence, at) for at in range(len(sentence))]
    assert min(one[0] for one in read if one) >= 0


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("launched after Nine Lanterns", [None]),
        ("longer than Two Sisters", [None]),
        ("longer than Two", [2]),
        ("More Than Two Sisters", [2]),
        ("longer than two Sisters", [2]),
    ],
)
def test_a_number_that_a_name_begins_with_is_none(text: str, values: list[float | None]) -> None:
    assert [one.value for one in analyse(text, load_pack("en")).comparisons] == values


@pytest.mark.parametrize(
    ("language", "text", "measure", "descending"),
    [
        ("ru", "Какая самая высокая гора в России?", "height", True),
        ("ru", "Какой крупнейший город Франции?", "area", True),
        ("ro", "Care este cel mai lung râu din Europa?", "length", True),
        ("hi", "भारत की सबसे लंबी नदी कौन सी है?", "length", True),
        ("fa", "بلندترین کوه ایران کدام است؟", "height", True),
        ("ru", "Какое самое глубокое озеро?", "depth", True),
        ("ro", "Care este cel mai tânăr președinte?", "birth date", True),
    ],
)
def test_superlatives_are_read_in_every_script(language: str, text: str, measure: str, descending: bool) -> None:
    order = analyse(text, load_pack(language)).order
    assert order is not None
    assert load_pack("en").stems(measure) in order.measures
    assert order.descending is descending


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("ru", "Является ли Берлин столицей Германии?", "boolean"),
        ("ru", "Сколько жителей в Москве?", "count"),
        ("ro", "Este Berlin capitala Germaniei?", "boolean"),
        ("ro", "Câte filme a regizat Kubrick?", "count"),
        ("hi", "क्या बर्लिन जर्मनी की राजधानी है?", "boolean"),
        ("hi", "कितने देश हैं?", "count"),
        ("hi", "जर्मनी की राजधानी क्या है?", "select"),
        ("fa", "آیا برلین پایتخت آلمان است؟", "boolean"),
        ("fa", "چند کشور وجود دارد؟", "count"),
        ("fa", "پایتخت آلمان چیست؟", "select"),
    ],
)
def test_the_kind_of_answer_is_told_in_every_script(language: str, text: str, kind: str) -> None:
    assert analyse(text, load_pack(language)).answer_type == kind


def _dates(language: str, text: str) -> list[str | None]:
    return [one.date for one in analyse(text, load_pack(language)).comparisons]


@pytest.mark.parametrize("language", sorted(languages()))
def test_times_are_told_from_today_in_every_language(language: str) -> None:
    today, relative = date.today(), load_pack(language).data.numbers.relative
    expected = {
        "year 0": str(today.year),
        "year -1": str(today.year - 1),
        "year 1": str(today.year + 1),
        "month 0": f"{today:%Y-%m}",
        "month -1": f"{today.replace(day=1) - timedelta(days=1):%Y-%m}",
        "month 1": f"{today.replace(day=28) + timedelta(days=4):%Y-%m}",
        "day 0": str(today),
        "day -1": str(today - timedelta(days=1)),
        "day 1": str(today + timedelta(days=1)),
    }
    assert expected.keys() == relative.keys()
    for name, said in relative.items():
        assert all(_dates(language, f"Xyzzy {one}") == [expected[name]] for one in said), said


def test_the_last_year_may_be_that_of_something() -> None:
    assert _dates("en", "What was the last year of the war?") == _dates("en", "Who hired Ann in his last year?") == []
    assert _dates("en", "Which lessons of this year were cancelled?") == [str(date.today().year)]


def test_years_may_be_numbers() -> None:
    found = analyse("Which events cost between 500 and 2000?", load_pack("en")).comparisons
    assert [(one.operator, one.value) for one in found] == [(">=", 500), ("<=", 2000)]


@pytest.mark.parametrize(
    ("language", "text", "dates"),
    [
        ("de", "zwischen dem 1. und dem 15. Oktober 2026", ["2026-10-01", "2026-10-15"]),
        ("en", "from 3 to 9 October 2020", ["2020-10-03", "2020-10-09"]),
        ("en", "between 3 and 2020-10-09", ["2020-10-03", "2020-10-09"]),
    ],
)
def test_the_first_day_of_a_range_is_of_the_month_of_the_last(language: str, text: str, dates: list[str]) -> None:
    assert _dates(language, text) == dates


@pytest.mark.parametrize(
    ("language", "text", "dates"),
    [
        ("de", "von März bis Mai 2023", ["2023-03", "2023-05"]),
        ("de", "vom 3. März bis zum 9. Mai 2023", ["2023-03-03", "2023-05-09"]),
        ("en", "between May and June 2023", ["2023-05", "2023-06"]),
        ("en", "from November to February 2023", ["2022-11", "2023-02"]),
        ("en", "from 3 March to 9 May 2023", ["2023-03-03", "2023-05-09"]),
        ("es", "entre marzo y mayo de 2023", ["2023-03", "2023-05"]),
        ("fr", "entre mars et mai 2023", ["2023-03", "2023-05"]),
        ("hi", "मार्च और मई 2023 के बीच", ["2023-03", "2023-05"]),
        ("ro", "între martie și mai 2023", ["2023-03", "2023-05"]),
        ("ru", "с марта по май 2023", ["2023-03", "2023-05"]),
    ],
)
def test_the_first_month_of_a_range_is_of_the_year_of_the_last(language: str, text: str, dates: list[str]) -> None:
    assert _dates(language, text) == dates


def test_a_compound_may_begin_with_what_is_asked_of_it() -> None:
    text = "Gesamtkosten, Durchschnittspreis, Durchschnittsnote, Gesamtzahl, Gesamtschule, des Durchschnitts"
    words = " ".join(word.text for word in Sentence(text, load_pack("de")).words)
    assert words == "Gesamt kosten Durchschnitts preis Durchschnitts note Gesamtzahl Gesamtschule des Durchschnitts"
