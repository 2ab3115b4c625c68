from __future__ import annotations

import pytest

from triad.language.analysis import analyse
from triad.language.pack import load_pack
from triad.language.quantities import number_in, place_in


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
