from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.source import SOURCES, calls
from triad import resources
from triad.errors import ConfigError, ResourceNotFound
from triad.prompts import load_prompt
from triad.roles import ROLES, Advisor, DecisionMaker, Generalist, load_roles

SUBTASKS = {
    "generalist": {
        *("parsing", "triplet_extraction", "answer_type_classification", "template_generation"),
        *("rephrasing", "exploration", "step_planning"),
    },
    "decision_maker": {"entity_selection", "relation_selection", "query_selection", "path_selection"},
    "advisor": {"answering", "sentence", "evidence"},
}


@pytest.mark.parametrize("role", ROLES)
def test_a_shipped_card_names_prompts_that_exist(role: str) -> None:
    card = load_roles().card(role)
    assert set(card.prompts) == SUBTASKS[role]
    for prompt in card.prompts.values():
        assert load_prompt(prompt).role == role


def test_every_shipped_card_is_of_a_role() -> None:
    assert set(resources.available("roles")) == set(ROLES)


def test_the_shipped_cards_have_the_papers_defaults() -> None:
    roles = load_roles()
    assert roles.generalist.examples == 3  # N
    assert (roles.decision_maker.entities, roles.decision_maker.relations) == (2, 2)  # K
    assert roles.advisor.tries == 3  # T
    assert {roles.card(role).checks for role in ROLES} == {3}  # θ
    assert roles.decision_maker.beam == 20
    assert roles.generalist.calls == "together"
    assert roles.advisor.own_knowledge == "all"


@pytest.mark.parametrize("role", ROLES)
def test_a_shipped_card_says_what_the_code_takes_by_default(role: str) -> None:
    written = yaml.safe_load(resources.find("roles", role).read_text(encoding="utf-8"))
    for name, field in ROLES[role].model_fields.items():
        if name in written and not field.is_required():
            assert written[name] == field.default, name


@pytest.mark.parametrize(
    ("role", "changes", "fault"),
    [
        ("generalist", {"exmaples": 2}, "unknown key 'exmaples'; known here: calls, checks, examples"),
        ("generalist", {"entities": 2}, "unknown key 'entities'"),
        ("generalist", {"examples": -1}, "'examples'"),
        ("generalist", {"calls": "all"}, "'calls': .*got 'all'"),
        ("decision_maker", {"entities": 0}, "'entities'"),
        ("decision_maker", {"beam": 0}, "'beam'"),
        ("decision_maker", {"topk-ent": 5}, "unknown key 'topk-ent'; known here: .*entities"),
        ("advisor", {"tries": 0}, "'tries'"),
        ("advisor", {"own_knowledge": True}, "'own_knowledge'"),
        ("advisor", {"prompts": None}, "'prompts'"),
    ],
)
def test_a_card_is_read_strictly(role: str, changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        load_roles({role: changes})


def test_a_fault_is_one_of_the_changes_or_of_the_card(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^'roles', 'advisor': 'tries'"):
        load_roles({"advisor": {"tries": 0}})
    card = tmp_path / "advisor.yaml"
    card.write_text("tries: 0\n", encoding="utf-8")
    for changed in (str(card), {"card": str(card), "own_knowledge": "none"}):
        with pytest.raises(ConfigError, match=f"^{re.escape(str(card))}: .*'tries'"):
            load_roles({"advisor": changed})


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(ConfigError, match=r"(?s)'tries'.*'own_knowledge'"):
        load_roles({"advisor": {"tries": 0, "own_knowledge": "some"}})


def test_an_unknown_role_is_named_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="unknown role 'oracle'; known: generalist, decision_maker, advisor"):
        load_roles({"oracle": {}})
    with pytest.raises(ConfigError, match="unknown role 'oracle'"):
        load_roles({"oracle": {}})


def test_changes_keep_the_rest_of_a_card() -> None:
    roles = load_roles({"generalist": {"examples": 1}, "advisor": {"tries": 5}})
    assert roles.generalist == load_roles().generalist.model_copy(update={"examples": 1})
    assert roles.advisor.tries == 5
    assert roles.decision_maker == load_roles().decision_maker


def test_a_card_of_ones_own_is_named_or_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = resources.find("roles", "advisor").read_text(encoding="utf-8")
    (tmp_path / "roles").mkdir()
    own = tmp_path / "roles" / "silent.yaml"
    own.write_text(shipped.replace("own_knowledge: all", "own_knowledge: none"), encoding="utf-8")
    monkeypatch.setenv("TRIAD_PATH", str(tmp_path))
    for card in ("silent", own, str(own), {"card": "silent"}, {"card": str(own), "tries": 2}):
        advisor = load_roles({"advisor": card}).advisor
        assert advisor.own_knowledge == "none"
        assert advisor.tries == (2 if isinstance(card, dict) and "tries" in card else 3)


def test_a_card_that_is_missing_is_named_with_the_known_ones() -> None:
    with pytest.raises(ResourceNotFound, match="'silent'; known: advisor, decision_maker, generalist"):
        load_roles({"advisor": "silent"})


def test_a_card_cannot_be_changed_once_it_is_loaded() -> None:
    with pytest.raises(Exception, match="frozen"):
        load_roles().advisor.tries = 9
    assert [ROLES[name] for name in ROLES] == [Generalist, DecisionMaker, Advisor]


@pytest.mark.slow(0.8)
def test_no_subtask_lacks_its_prompt() -> None:
    roles = load_roles()
    subtasks = set()
    for _, call in calls("context.call", "self.context.call", "choose"):
        match call.args[:2]:
            case [first, ast.Constant(str(subtask))]:
                role = str(first.value) if isinstance(first, ast.Constant) else "decision_maker"
                load_prompt(roles.card(role).prompts[subtask])
                subtasks.add(subtask)
    assert len(subtasks) == 14


def test_no_key_of_a_card_is_without_effect() -> None:
    read = "\n".join(text for path, text in SOURCES.items() if path.name != "roles.py")
    for card in ROLES.values():
        for key in card.model_fields:
            assert key == "purpose" or re.search(rf"\.{key}\b", read), f"{key} is read nowhere"
