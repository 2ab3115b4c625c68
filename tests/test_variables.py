"""Variables of the environment in configs and settings."""

from __future__ import annotations

import pytest

from triad.strict import filled, missing


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$HERE/kg.nt", "/data/kg.nt"),
        ("${HERE}/kg.nt", "/data/kg.nt"),
        ("${HERE:-/other}/kg.nt", "/data/kg.nt"),
        ("${NOWHERE:-/other}/kg.nt", "/other/kg.nt"),
        ("${EMPTY:-/other}/kg.nt", "/other/kg.nt"),
        ("${NOWHERE:-http://localhost:8890/sparql}?a=b", "http://localhost:8890/sparql?a=b"),
        ("http://" + "${NOWHERE:-a}" * 40, "http://" + "a" * 40),
        ("a $ sign, $1 and $NOWHERE", "a $ sign, $1 and $NOWHERE"),
    ],
)
def test_variables_are_filled_in(text: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERE", "/data")
    monkeypatch.setenv("EMPTY", "")
    monkeypatch.delenv("NOWHERE", raising=False)
    assert filled(text) == expected


@pytest.mark.parametrize("password", ["plain", "a/b", "a@b", "a#b?c", "50%41", "$HOME", "ü ö"])
@pytest.mark.parametrize("before", ["", "elasticsearch:"])
def test_a_password_may_have_any_characters(before: str, password: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from urllib.parse import unquote, urlsplit

    monkeypatch.setenv("PASSWORD", password)
    for name in ("$PASSWORD", "${PASSWORD}", "${PASSWORD:-none/@}"):
        found = urlsplit(filled(f"{before}https://ann:{name}@example.org/sparql").removeprefix(before))
        assert (found.hostname, found.username, found.path) == ("example.org", "ann", "/sparql")
        assert unquote(found.password or "") == password


def test_a_name_and_a_password_may_be_one_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READER", "ann:a/b")
    assert filled("https://${READER}@example.org") == "https://ann:a%2Fb@example.org"


def test_an_at_sign_of_the_path_is_none_of_a_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHERE", "a/b")
    assert filled("https://example.org/${WHERE}@c") == "https://example.org/a/b@c"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("$NOWHERE/kg.nt", "NOWHERE"),
        ("${NOWHERE}/kg.nt", "NOWHERE"),
        ("https://ann:${NOWHERE}@example.org", "NOWHERE"),
        ("http://localhost:3030/$/ping", ""),
        ("a$b", ""),
    ],
)
def test_what_was_not_filled_in_is_told(text: str, name: str) -> None:
    assert missing(text) == name
