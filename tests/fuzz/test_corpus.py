from __future__ import annotations

import pytest

from tests.fuzz.__main__ import fuzz
from tests.fuzz.targets import CORPUS, TARGETS

FOUND = [(name, path.name) for name in TARGETS for path in sorted((CORPUS / name).glob("*"))]
FEW = {"rdf": 8, "guard": 40, "endpoint": 30, "question": 6, "value": 3, "index": 6}
"""Inputs of targets that take long for each; they start or ask another process."""


@pytest.mark.parametrize(("name", "file"), FOUND)
def test_what_broke_a_target_once_breaks_it_no_more(name: str, file: str) -> None:
    TARGETS[name].run((CORPUS / name / file).read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_a_target_holds_for_its_examples_and_for_some_that_are_nearly_right(name: str) -> None:
    target = TARGETS[name]
    for example in target.examples:
        target.run(example)
    _, broken, why = fuzz(target, FEW.get(name, 60), 1)
    assert not why, f"{broken!r}: {why}"


def test_the_corpus_has_no_folder_without_a_target() -> None:
    assert {path.name for path in CORPUS.glob("*") if path.is_dir()} <= set(TARGETS)
