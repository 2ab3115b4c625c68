from __future__ import annotations

from typing import Any

import pytest

from triad.answers import Answer
from triad.citations import Citation, CitedSentence
from triad.datasets.expected import Expected, ExpectedValue, Nugget, Supports
from triad.evaluation.metrics.definitions import DEFINITIONS
from triad.evaluation.metrics.scoring import aggregate, score_turn
from triad.evaluation.metrics.stated import amounts, unit_named
from triad.language.pack import load_pack
from triad.questions import Question
from triad.rdf import IRI, XSD, Literal, Value
from triad.trace import Step, Trace

EX = "http://example.org/"
AVERAGE = ExpectedValue(6099.0, "EUR", 1.0)
DIFFERENCE = ExpectedValue(400.0, "EUR", 1.0, optional=True)
ASKED = "How does the price of the Fjell 7 compare to the average of all?"


def said(text: str, **fields: Any) -> Answer:
    return Answer(Question("?"), sentences=(CitedSentence(text),), **fields)


def table(*columns: tuple[str, list[Any]]) -> Answer:
    rows = tuple(tuple(map(_value, row)) for row in zip(*(values for _, values in columns), strict=True))
    return Answer(Question("?"), variables=tuple(name for name, _ in columns), rows=rows)


def _value(value: Any) -> Value:
    if isinstance(value, str):
        return Value(IRI(value), value.removeprefix(EX)) if value.startswith(EX) else Value(Literal(value), value)
    return Value(Literal(str(value), XSD + "double"), str(value))


def exact(*values: ExpectedValue, **fields: Any) -> Expected:
    return Expected("exact", values, **fields)


def right(expected: Expected, answer: Answer | None, *, declined: bool = False) -> bool:
    return score_turn(expected, answer, None, declined=declined)["right"] == 1


PRICE = exact(AVERAGE, DIFFERENCE, asked=ASKED, before=(ExpectedValue(6499.0, "EUR"),))


@pytest.mark.parametrize(
    "text",
    [
        "The average is 6,099 EUR.",
        "On average they cost €6,098.50.",
        "The average is 6099.",
        "It costs 6,499 EUR, which is 400 EUR above the average of 6,099 EUR.",
        "At 6,499 EUR it is dearer than the average of 6,099 EUR.",
        "The average is 6,099 EUR; the lowest price is 4,999 EUR.",
        "The average is 6,099 EUR (from 4,999 EUR to 7,999 EUR).",
        "The average of 5,599, 6,199 and 6,499 EUR is 6,099 EUR.",
        "Der Durchschnitt ist 6.099,00 Euro für alle Räder der Reihe.",
    ],
)
def test_a_value_is_stated_in_words(text: str) -> None:
    assert right(PRICE, said(text))


@pytest.mark.parametrize(
    "text",
    [
        "The average is 5,999 EUR.",
        "The average is 6,099 USD.",
        "The average is 6,099 kg.",
        "The average is 5,999, 6,099 or 6,199 EUR.",
        "The average is 5,999 EUR or 6,099 EUR.",
        "It is between 6,000 and 6,099 EUR.",
        "The average is 5,999 EUR. Elsewhere it is 6,099 EUR.",
        "The average is 6,099 EUR. The Fjell 5 costs 5,199 EUR. The Fjell 6 costs 5,799 EUR.",
        "It is 400 EUR dearer than the average.",
        "",
    ],
)
def test_a_value_beside_others_or_of_another_unit_is_not_stated(text: str) -> None:
    assert not right(PRICE, said(text))


@pytest.mark.parametrize(
    ("gold", "text", "is_right"),
    [
        (ExpectedValue(7.0), "There are 7 bikes.", True),
        (ExpectedValue(7.0), "There are seven bikes: Brygge 5, Brygge 6 and others.", True),
        (ExpectedValue(7.0), "The Fjell 7 has it.", False),
        (ExpectedValue(7.0), "In 2024 there were 7 bikes.", True),
        (ExpectedValue(7.0), "7 or 8 bikes.", False),
        (ExpectedValue(50.0, "percent", 0.5), "The share is 50 %.", True),
        (ExpectedValue(50.0, "percent", 0.5), "3 of 6, that is 50 percent.", True),
        (ExpectedValue(4.9584, "EUR/Wh", 0.02), "It costs 4.96 EUR/Wh.", True),
        (ExpectedValue(4.9584, "EUR/Wh", 0.02), "It costs €4.96 per Wh.", True),
        (ExpectedValue(4.9584, "EUR/Wh", 0.02), "It costs 4.96 EUR.", False),
        (ExpectedValue(184.6, "Wh per hour", 1), "It charges 184.6 Wh/h.", True),
        (ExpectedValue(24.8, "kg", 0.01), "It weighs 24,800 g.", True),
        (ExpectedValue(4.25, "h", 0.01), "Charging takes 4:15 h.", True),
        (ExpectedValue(4.25, "h", 0.01), "Charging takes 255 minutes.", True),
        (ExpectedValue(-400.0, "EUR"), "It is 400 euros cheaper.", True),
    ],
)
def test_units_are_converted_and_numbers_in_names_are_none(gold: ExpectedValue, text: str, is_right: bool) -> None:
    assert right(exact(gold), said(text)) == is_right


CLASSIC = ExpectedValue("Aurvind Vidde 4 Classic", iri=EX + "aurvind-vidde-4-classic")
VIDDES = Supports(aggregated=tuple(EX + f"aurvind-vidde-{name}" for name in ("3", "4", "4-classic", "5-wave")))


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("The Aurvind Vidde 4 Classic.", True),
        ("It is the Vidde 4 Classic, ahead of the Vidde 3.", True),
        ("The Vidde 4.", False),
        ("The Vidde 3, the Vidde 4 Classic.", False),
        ("Vidde 3, Vidde 4 and Vidde 4 Classic", False),
        ("The Vidde 3 is the cheapest, and then comes the Vidde 4 Classic.", False),
    ],
)
def test_a_thing_is_named_by_its_own_name_and_before_others_of_its_kind(text: str, is_right: bool) -> None:
    assert right(exact(CLASSIC, supports=VIDDES), said(text)) == is_right


def test_all_things_of_a_list_are_named_and_no_others() -> None:
    gold = exact(ExpectedValue("Cream", accept=("Creme",)), ExpectedValue("petrol"))
    assert right(gold, said("It comes in Creme and petrol."))
    assert not right(gold, said("It comes in cream."))
    other = Citation(1, "graph", "Black", "", things=(EX + "black",))
    assert not right(gold, said("It comes in cream, black and petrol.", citations=(other,)))


def test_a_column_of_the_rows_gives_values_if_it_has_no_others() -> None:
    assert right(exact(AVERAGE), table(("average_EUR", [6099.4])))
    assert right(exact(AVERAGE), table(("average", ["6.099,00 €"])))
    assert right(exact(AVERAGE), table(("average", ["6.099 €"]))), "as the graph has it, whatever the language"
    assert not right(exact(AVERAGE), table(("price", [6099.0, 6499.0])))
    assert right(PRICE, table(("price", [6099.0, 6499.0]))), "the turn before has the other one"
    assert right(exact(CLASSIC), table(("id", [EX + "aurvind-vidde-4-classic"]), ("price", [4.9])))
    assert right(exact(ExpectedValue(50.0, "percent")), table(("share", [0.5])))
    assert right(exact(ExpectedValue(24.8, "kg")), table(("weight_g", [24800])))
    assert right(exact(ExpectedValue("00155")), table(("number", ["00155"])))
    assert not right(exact(ExpectedValue("00155")), table(("number", [155])))


def test_a_yes_or_no_is_the_boolean_or_the_first_word() -> None:
    gold = exact(ExpectedValue(True), ExpectedValue(211.25, "kg", 0.1), before=(ExpectedValue(240.0, "kg"),))
    assert right(gold, said("Yes, 240 kg is more than the average of 211.25 kg."))
    assert right(gold, said("Ja, der Durchschnitt ist 211,25 kg."))
    assert not right(gold, said("No, the average is 211.25 kg."))
    assert not right(gold, said("Yes."))
    assert right(gold, said("The average is 211.25 kg.", boolean=True))


def test_values_in_order() -> None:
    first, second = ExpectedValue("Halla"), ExpectedValue("Fjord")
    gold = exact(first, second, ordered=True)
    assert right(gold, said("Halla, then Fjord."))
    assert not right(gold, said("Fjord, then Halla."))
    assert right(gold, table(("name", ["Halla", "Fjord"])))
    assert not right(gold, table(("name", ["Fjord", "Halla"])))


def test_nuggets_are_found_by_all_their_keys() -> None:
    nuggets = (
        Nugget("manual mode since 4.2", ("manual", r"4\.2"), required=True, passages=("p2",)),
        Nugget("plus button", ("plus button",)),
        Nugget("no manual mode before", ("no manual mode",), passages=("p1",)),
    )
    gold = Expected("nuggets", nuggets=nuggets, least=2, supports=Supports(passages=("p2",)))
    whole = score_turn(gold, said("Manual mode came with 4.2: hold the Plus\nbutton."), None, declined=False)
    assert whole["right"] == 1
    assert whole["nugget_recall"] == pytest.approx(2 / 3)
    assert not right(gold, said("There was no manual mode; hold the plus button.")), "the required one is missing"
    assert not right(gold, said("Manual mode came with 4.2.")), "too few"
    assert not right(gold, None, declined=True)


def test_what_the_data_does_not_tell_is_to_be_declined() -> None:
    gold = Expected("unanswerable", why="no power is given")
    assert right(gold, None, declined=True)
    assert not right(gold, None), "it failed"
    assert not right(gold, said("It has 250 W."))
    values = score_turn(gold, None, None, declined=True)
    assert values["declined_unanswerable"] == 1
    assert "declined_answerable" not in values


def test_citations_and_recall_are_held_against_the_supports() -> None:
    supports = Supports((EX + "fjell",), ("p25",), {"p25": ("p78",)}, (EX + "fjell-5",))
    citations = (
        Citation(1, "documents", "Winter", "", document="passages/p78.md"),
        Citation(2, "passages", "Havn", "", things=(EX + "havn",)),
        Citation(3, "passages", "Fjell 5", "", things=(EX + "fjell-5",)),
        Citation(4, "passages", "not cited", "", things=(EX + "brett",)),
        Citation(5, "table", "an average", "", query="SELECT 1"),
    )
    sentences = (CitedSentence("a", (1, 2, 5)), CitedSentence("b", (3,), held=False), CitedSentence("c"))
    found = (EX + "havn 1", "passages/p78.md#Winter 1", EX + "fjell 2")
    trace = Trace(Question("?"), (Step("answering", "passages", "search", candidates=found),))
    answer = Answer(Question("?"), sentences=sentences, citations=citations, trace=trace)
    gold = exact(AVERAGE, supports=supports)
    values = score_turn(gold, answer, None, declined=False)
    assert values["citation_precision"] == pytest.approx(2 / 3)
    assert (values["recall_at_1"], values["recall_at_5"]) == (0.0, 1.0)
    other = score_turn(Expected("unanswerable"), None, None, declined=True)
    assert other["citation_precision"] is None
    numbers = aggregate([score_turn(gold, answer, None, declined=False), other])
    assert numbers["held_share"] == 0.5
    assert numbers["right"] == 0.5
    assert numbers.keys() <= DEFINITIONS.keys()


def test_units_are_read_with_what_they_are_divided_by() -> None:
    english = load_pack("en")
    assert unit_named("Wh per hour", english) == unit_named("Wh/h", english)
    assert unit_named("km/h", english).dimension == "speed"
    found = amounts("60 to 130 km, then 2 h", english)
    assert [(one.value, one.unit.dimension if one.unit else None) for one in found] == [
        (60.0, "length"), (130.0, "length"), (2.0, "time")
    ]  # fmt: skip
    assert [one.list for one in found] == [0, 0, 1]
