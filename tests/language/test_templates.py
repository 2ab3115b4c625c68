from __future__ import annotations

import pytest

from triad.errors import ConfigError
from triad.language.pack import languages, load_pack
from triad.language.pack_files import _check_templates
from triad.language.templates import Templates
from triad.language.turn_schema import SLOTS, TEMPLATES

TEMPLATES_HERE = Templates(
    {"only": ("só", "apenas"), "the": ("le", "la", "l'"), "size": ("größte",), "number": ("zwei", "drei")},
    frozenset({"what", "not", "n"}),
    {"oe": "ö", "ss": "ß"},
)


def what(template: str, text: str) -> str | None:
    """What a text says in the slot of a template; empty if it has none, None if it is not said like that."""
    match = TEMPLATES_HERE.pattern(template).fullmatch(text)
    return match and match.groupdict().get("what", "")


@pytest.mark.parametrize(
    ("template", "text", "said"),
    [
        ("{only} {what}", "SÓ isto", "isto"),
        ("{only} {what}", "so isto", "isto"),
        ("{only} {what}", "soisto", None),
        ("die {size}", "die groesste", ""),
        ("(e|mas)* {what} (também|too)?", "e, mas Roma também", "Roma"),
        ("(e|mas)+ {what}", "Roma", None),
        ("trie par {the}? {what}", "trie par l’altitude", "altitude"),
        ("trie par {the}? {what}", "trie par longueur", "longueur"),
        ("that's (wrong|not right)", "thats not right", ""),
        ("who 's the {what}", "who's the oldest", "oldest"),
        ("montre-moi {what}", "montre moi tout", "tout"),
        ("no, {what}", "no, Rome", "Rome"),
        ("no, {what}", "no Rome", None),
        ("no !, {what}", "no, Rome", None),
        ("!(why|how) {what}", "why so", None),
        ("&the {what}", "the films", "the films"),
        ("&the {what}", "films", None),
        ("orden- {what}", "ordenar por nome", "por nome"),
        ("{what:2} please", "one two please", "one two"),
        ("{what:2} please", "one two three please", None),
        ("{what:no comma}, not {not}", "one, two, not three", None),
        ("{what:only} isto", "so isto", "so"),
        ("top {number}", "top drei", ""),
        ("top {number}", "top 12", ""),
        ("{what} ~ شان", "جمعیتشان", "جمعیت"),
    ],
)
def test_a_text_is_said_as_a_template_says(template: str, text: str, said: str | None) -> None:
    assert what(template, text) == said


@pytest.mark.parametrize(
    ("templates", "text", "places"),
    [
        (("of (them|these)", "of them all"), "Which of them all are in Rome?", ["of them"]),
        (("deles !-s",), "quais deles rios", []),
        (("deles !-s",), "quais deles em Roma", ["deles"]),
        (("^ only", "too $"), "only those, too?", ["only", "too"]),
        (("same !({words}? as)",), "the same as before", []),
        ((), "anything", []),
    ],
)
def test_templates_are_found_as_whole_words(templates: tuple[str, ...], text: str, places: list[str]) -> None:
    assert TEMPLATES_HERE.searched(templates).findall(text) == places


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("(a|b", "a bracket is not closed"),
        ("a)", "a bracket closes that was not opened"),
        ("{only", "a brace has no other"),
        ("a? b*", "all its words may be missing"),
        ("{them}", "there is no list 'them'; there are: number, only, size, the"),
        ("a !", "nothing follows at its end"),
        ("{what} {what}", "redefinition of group name 'what'"),
    ],
)
def test_a_malformed_template_is_told(template: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason.replace("?", r"\?")):
        TEMPLATES_HERE.pattern(template)


def test_the_place_of_a_malformed_template_is_told() -> None:
    data = load_pack("en").data
    wrong = data.model_copy(update={"follow_ups": {**data.follow_ups, "why": ("why {so}",)}})
    with pytest.raises(ConfigError, match=r"en\.yaml: follow_ups\.why: the template 'why \{so\}' cannot be read"):
        _check_templates(wrong, "en.yaml")
    wrong = data.model_copy(update={"lists": {**data.lists, "what": ("a",)}})
    with pytest.raises(ConfigError, match=r"en\.yaml: lists\.what is the name of a slot"):
        _check_templates(wrong, "en.yaml")


@pytest.mark.parametrize("language", languages())
def test_every_list_of_a_pack_is_used(language: str) -> None:
    data = load_pack(language).data
    forms = [form for part, names in TEMPLATES.items() for name in names for form in getattr(getattr(data, part), name)]
    forms += [form for forms in (*data.follow_ups.values(), *data.lists.values()) for form in forms]
    assert not [name for name in data.lists if not any(f"{{{name}}}" in form or f":{name}}}" in form for form in forms)]
    assert not data.lists.keys() & SLOTS
