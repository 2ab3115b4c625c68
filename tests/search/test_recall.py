from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from triad.questions import Kind
from triad.search.base import Entry, Lookup
from triad.search.local import LocalIndex

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wikidata(shared_data: Path) -> LocalIndex:
    index = LocalIndex()
    with gzip.open(shared_data / "linking" / "entities.tsv.gz", "rt", encoding="utf-8") as lines:
        next(lines)
        for_index = []
        for line in lines:
            iri, label, description, aliases = line.rstrip("\n").split("\t")
            kind: Kind = "relation" if iri.startswith("P") else "entity"
            for_index.append(Entry(iri, kind, label, tuple(filter(None, aliases.split("|"))), description))
    index.add(for_index)
    return index


@pytest.mark.parametrize(
    ("file", "at_1", "at_10"), [("mentions_dev.tsv", 0.93, 0.99), ("mentions_dev_noisy.tsv", 0.80, 0.95)]
)
def test_most_mentions_find_what_they_stand_for(
    wikidata: LocalIndex, shared_data: Path, file: str, at_1: float, at_10: float
) -> None:
    lines = (shared_data / "linking" / file).read_text(encoding="utf-8").splitlines()
    mentions, gold = zip(*(line.split("\t") for line in lines), strict=True)
    found = [
        [candidate.iri for candidate in candidates]
        for candidates in wikidata.search_many([Lookup(mention) for mention in mentions])
    ]
    assert sum(iris[:1] == [iri] for iris, iri in zip(found, gold, strict=True)) >= at_1 * len(gold)
    assert sum(iri in iris for iris, iri in zip(found, gold, strict=True)) >= at_10 * len(gold)
