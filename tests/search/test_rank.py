from __future__ import annotations

from hypothesis import given, strategies as st

from triad.language.normalize import fold, other_numbers
from triad.search.base import CLOSE, Entry
from triad.search.rank import rank

EX = "http://example.org/"


def entry(label: str, *aliases: str, popularity: int = 0) -> Entry:
    return Entry(EX + label, "entity", label, aliases, popularity=popularity)


def labels(text: str, *entries: Entry) -> list[str]:
    return [candidate.label for candidate in rank(text, entries, 10)]


def test_equal_comes_before_other_number_before_similar() -> None:
    film, films, filmed = entry("Film"), entry("Films"), entry("Filmed", popularity=10**6)
    assert labels("film", filmed, films, film) == ["Film", "Films", "Filmed"]


def test_a_label_comes_before_an_alias_of_something_as_popular() -> None:
    assert labels("Paris", entry("Lutetia", "Paris"), entry("Paris")) == ["Paris", "Lutetia"]


def test_an_alias_of_something_much_more_popular_comes_before_a_label() -> None:
    assert labels("Paris", entry("Ville lumière", "Paris", popularity=9000), entry("Paris")) == [
        "Ville lumière",
        "Paris",
    ]


def test_popularity_does_not_make_a_poor_name_a_good_one() -> None:
    assert labels("Berlin", entry("Bern", popularity=10**6), entry("Berlin Wall")) == ["Berlin Wall", "Bern"]


def test_among_names_with_all_the_words_popularity_decides() -> None:
    obamas = [entry("Barack Hussein Obama II", popularity=5000), entry("Obama Day", popularity=3)]
    assert labels("Obama", *obamas) == ["Barack Hussein Obama II", "Obama Day"]


def test_a_long_name_that_is_much_better_known_comes_before_a_short_one() -> None:
    long = entry("Museum of the History of the City of Sarthe", popularity=1000)
    assert labels("Sarthe", entry("Sarthe Museum", popularity=100), long) == [long.label, "Sarthe Museum"]


def test_the_name_that_fits_best_is_told() -> None:
    [candidate] = rank("Big Apple", [entry("New York City", "NYC", "The Big Apple")], 1)
    assert candidate.matched == "The Big Apple"


def test_ties_are_broken_by_iri() -> None:
    twins = [Entry(EX + name, "entity", "Twin") for name in "cab"]
    assert [candidate.iri[-1] for candidate in rank("Twin", twins, 10)] == ["a", "b", "c"]


@given(st.text(min_size=1), st.text(min_size=1), st.integers(0, 10**9))
def test_scores_lie_between_0_and_1_and_only_equal_names_are_close(text: str, name: str, popularity: int) -> None:
    [candidate] = rank(text, [entry(name, popularity=popularity)], 1)
    assert 0 <= candidate.score <= 1
    if candidate.exact:
        assert candidate.score > 0.97
    elif candidate.score >= CLOSE:
        assert fold(name) in other_numbers(fold(text))


def test_of_names_that_no_question_has_only_the_beginning_is_compared() -> None:
    [long, longer] = rank("Intel", [entry("Intel" + " x" * 4_000), entry("Intel" + " x" * 40_000)], 2)
    assert long.score == longer.score
