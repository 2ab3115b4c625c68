"""A profile that is counted in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from triad.indexing.labels import LabelProperties
from triad.indexing.profiling.beside import ProfileBeside, _Process
from triad.indexing.profiling.collector import ProfileCollector
from triad.kg.parsing import Statements

EX = "http://example.org/"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
BATCHES = [
    f"<{EX}a{at}> <{TYPE}> <{EX}Book> .\n<{EX}a{at}> <{EX}cites> <{EX}a{at // 2}> .\n".encode() for at in range(6)
]


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[ProfileBeside]:
    with closing(ProfileBeside(LabelProperties(), tmp_path / "beside")) as beside:
        for batch in BATCHES:
            beside.take(Statements(batch))
        assert isinstance(beside._collector, _Process)
        yield beside


def test_it_is_the_profile_that_is_counted_here(beside: ProfileBeside) -> None:
    with closing(ProfileCollector()) as here:
        for batch in BATCHES:
            here.take(Statements(batch))
        assert {**vars(beside.begin_profile()()), "created": ""} == {**vars(here.profile()), "created": ""}


def test_what_could_not_be_taken_is_told_before_anything_is_made_without_it(
    beside: ProfileBeside, tmp_path: Path
) -> None:
    state = beside.state()
    (tmp_path / "other" / "00.records").mkdir(parents=True)
    beside._moved().call("append", tmp_path / "other", state)
    with pytest.raises(IsADirectoryError):
        beside.state()
    with pytest.raises(IsADirectoryError):
        beside.begin_profile()()
