from __future__ import annotations

import copy
import pickle

import pytest
import rdflib

from triad.rdf import XSD
from triad.sparql.term import BNode, Literal, URIRef, Variable


def test_terms_are_equal_if_they_are_of_one_kind_and_one_text() -> None:
    terms = [URIRef("a"), BNode("a"), Variable("a"), Literal("a"), Literal("a", "en"), Literal("a", datatype="a"), "a"]
    assert len(set(terms)) == len(terms)
    for at, one in enumerate(terms):
        assert [other for other in terms if other == one] == [terms[at]]
    assert Literal("a", "en") == Literal("a", "EN")
    assert Literal("01", datatype=XSD + "integer") != Literal(1)


@pytest.mark.parametrize(
    "term",
    [
        URIRef("http://example.org/a"),
        BNode("b1"),
        Variable("x"),
        Literal('say "hi" \\ \n\r é'),
        Literal("hallo", "de-CH"),
        Literal("2001", datatype=XSD + "gYear"),
    ],
)
def test_a_term_is_written_as_rdflib_writes_it_and_stays_what_it_is_when_copied(
    term: URIRef | BNode | Variable | Literal,
) -> None:
    options = {"lang": term.language, "datatype": term.datatype} if isinstance(term, Literal) else {}
    theirs = getattr(rdflib, type(term).__name__)(str(term), **options)
    assert "\n" in term or term.n3() == theirs.n3()
    for other in (copy.deepcopy(term), pickle.loads(pickle.dumps(term))):
        assert (type(other), other, other.n3()) == (type(term), term, term.n3())


def test_a_language_that_is_no_tag_is_refused() -> None:
    with pytest.raises(ValueError, match="not a valid language tag"):
        Literal("a", "en> ?p ?o")
