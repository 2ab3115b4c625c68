from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pyoxigraph
import pytest

from tests.phases.films import TURTLE as FILMS
from triad.agent import Agent
from triad.errors import ConfigError, DataError
from triad.indexing import build
from triad.indexing.entries import LabelProperties
from triad.indexing.pipeline import IndexReport
from triad.indexing.reading import SkippedLine
from triad.kg import open_graph
from triad.kg.guard import check
from triad.kg.labels import WELL_KNOWN
from triad.kg.profile import read_profile
from triad.rdf import RDFS
from triad.search import open_index
from triad.search.local import LocalIndex

pytestmark = pytest.mark.slow(0.3)

EX = "http://example.org/"
RDFS_LABEL = RDFS + "label"
TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Shining a :Film ; rdfs:label "The Shining"@en ; :director :Kubrick ; :genre "horror" .
:Kubrick rdfs:label "Stanley Kubrick"@en .
"""


@pytest.fixture
def films(tmp_path: Path) -> Path:
    path = tmp_path / "films.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    return path


def left_over(folder: Path, *known: str) -> list[str]:
    return sorted({path.name for path in folder.iterdir()} - set(known))


def test_the_graph_and_its_labels_can_be_opened(films: Path, tmp_path: Path) -> None:
    report = build(films, tmp_path / "built")
    assert report.target == str(tmp_path / "built")
    assert report.store
    assert report.triples == 5
    assert report.entries == {"entity": 2, "class": 1, "relation": 2, "literal": 1}
    assert report.seconds > 0
    assert (report.skipped, report.skipped_lines) == (0, ())
    with open_graph(tmp_path / "built") as graph:
        [director] = graph.lookup(f"SELECT ?x {{ <{EX}Shining> <{EX}director> ?x }}").column("x")
        assert str(director) == EX + "Kubrick"
    with open_index(tmp_path / "built") as index:
        assert index.search("stanley kubrick")[0].iri == EX + "Kubrick"
        assert index.search("films", kind="class")[0].iri == EX + "Film"
        assert index.search("horror", kind="literal")[0].iri == EX + "genre"


def test_the_folder_describes_itself(films: Path, tmp_path: Path) -> None:
    build(films, tmp_path / "built")
    description = json.loads((tmp_path / "built" / "triad.json").read_text(encoding="utf-8"))
    assert description.pop("created").endswith("+00:00")
    assert len(description.pop("fingerprint")) == 32
    assert len(description.pop("key")) == 32
    assert description.pop("label_properties") == {"named": list(WELL_KNOWN), "own": []}
    assert description == {
        "version": 7,
        "recipe": str(films),
        "store": "store",
        "labels": "labels",
        "sources": ["films.ttl"],
        "triples": 5,
        "entries": {"entity": 2, "class": 1, "relation": 2, "literal": 1},
        "skipped": 0,
        "prefixes": {"": "http://example.org/", "rdfs": "http://www.w3.org/2000/01/rdf-schema#"},
    }


def test_the_fingerprint_depends_on_the_content(films: Path, tmp_path: Path) -> None:
    def fingerprint(target: str) -> str:
        build(films, tmp_path / target)
        return str(json.loads((tmp_path / target / "triad.json").read_text(encoding="utf-8"))["fingerprint"])

    first, second = fingerprint("first"), fingerprint("second")
    films.write_text(TURTLE + ":Kubrick :born 1928 .", encoding="utf-8")
    assert first == second != fingerprint("third")


def test_several_files_and_formats_make_one_graph(films: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.nt.gz"
    more.write_bytes(gzip.compress(f"<{EX}Kubrick> <{EX}born> <{EX}New_York> .\n".encode()))
    report = build([films, str(more)], tmp_path / "built")
    assert report.triples == 6
    with open_index(tmp_path / "built") as index:
        assert index.search("New York")[0].exact


TRIG = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Momo rdfs:label "Momo" .
:y2022 { :Momo :sold 300 ; :price 7 . }
:y2023 { :Momo :sold 400 ; :price 7 . }
"""


@pytest.mark.parametrize("name", ["sales.trig", "sales.nq", "sales.nq.gz"])
def test_triples_stay_in_their_named_graphs(tmp_path: Path, name: str) -> None:
    quads = list(pyoxigraph.parse(TRIG.encode(), pyoxigraph.RdfFormat.TRIG))
    lines = pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.N_QUADS)
    assert lines is not None
    content = {"sales.trig": TRIG.encode(), "sales.nq": lines, "sales.nq.gz": gzip.compress(lines)}[name]
    (tmp_path / name).write_bytes(content)
    assert build(tmp_path / name, tmp_path / "built").triples == 5
    with open_graph(tmp_path / "built") as graph:
        sold = graph.lookup(f"SELECT ?n {{ ?s <{EX}sold> ?n }} ORDER BY ?n").column("n")
        assert [str(term) for term in sold] == ["300", "400"]
        rows = graph.select(check(f"SELECT ?g ?n {{ GRAPH ?g {{ ?s <{EX}sold> ?n }} }} ORDER BY ?n")).rows
        assert [(str(graph), str(number)) for graph, number in rows] == [(EX + "y2022", "300"), (EX + "y2023", "400")]
        [only] = graph.select(check(f"SELECT ?n {{ GRAPH <{EX}y2023> {{ ?s <{EX}sold> ?n }} }}")).column("n")
        assert str(only) == "400"
        assert not graph.select(check(f"SELECT ?n {{ GRAPH ?g {{ <{EX}Momo> <{RDFS_LABEL}> ?n }} }}")).rows
    profile = read_profile(tmp_path / "built")
    assert profile is not None
    assert profile.graphs == {"": 1, EX + "y2022": 2, EX + "y2023": 2}


def test_blank_nodes_of_two_files_stay_two(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.nt").write_text(f"_:b <{EX}p> <{EX}{name}> .\n", encoding="utf-8")
    build([tmp_path / "one.nt", tmp_path / "two.nt"], tmp_path / "built")
    store = pyoxigraph.Store.read_only(str(tmp_path / "built" / "store"))
    assert len({quad.subject for quad in store.quads_for_pattern(None, None, None)}) == 2


def test_properties_of_names_can_be_told(tmp_path: Path) -> None:
    path = tmp_path / "graph.ttl"
    path.write_text(f'<{EX}p7> <{EX}calledThus> "Ann" .', encoding="utf-8")
    build(path, tmp_path / "built", properties=LabelProperties(labels=(EX + "calledThus",)))
    with open_index(tmp_path / "built") as index:
        assert index.search("Ann")[0].iri == EX + "p7"


def test_progress_is_told_in_triples_and_in_entries(films: Path, tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    build(films, tmp_path / "built", progress=lambda *args: told.append(args))
    assert ("read films.ttl", 5, 5) in told
    assert told[-1] == ("index", 6, 6)
    assert [stage for stage, *_ in told] == sorted((stage for stage, *_ in told), reverse=True)


def test_an_existing_folder_is_only_replaced_when_asked(films: Path, tmp_path: Path) -> None:
    build(films, tmp_path / "built")
    with pytest.raises(
        ConfigError, match=r"built' exists; with --overwrite \(overwrite=True in Python\) it is replaced"
    ):
        build(films, tmp_path / "built")
    films.write_text(TURTLE + ":Kubrick :born 1928 .", encoding="utf-8")
    assert build(films, tmp_path / "built", overwrite=True).triples == 6
    assert left_over(tmp_path, "films.ttl", "built") == []


def test_a_folder_of_other_things_is_never_replaced(films: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="is not what an earlier build made"):
        build(films, tmp_path / "thesis", overwrite=True)
    assert left_over(tmp_path / "thesis") == ["chapter.tex"]


def test_an_empty_folder_may_be_the_target(films: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert build(films, tmp_path / "empty").triples == 5


def test_a_malformed_file_is_named_with_the_position_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "bad.ttl"
    path.write_text("@prefix : <http://example.org/> .\n:a :b .\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"bad\.ttl', line 2, is not valid Turtle: "):
        build(path, tmp_path / "built")
    assert left_over(tmp_path, "bad.ttl") == []


def test_a_failed_build_leaves_what_was_there(films: Path, tmp_path: Path) -> None:
    build(films, tmp_path / "built")
    films.write_text("no turtle", encoding="utf-8")
    with pytest.raises(DataError):
        build(films, tmp_path / "built", overwrite=True)
    with open_index(tmp_path / "built") as index:
        assert index.search("The Shining")[0].exact


def test_an_interrupted_build_leaves_nothing(films: Path, tmp_path: Path) -> None:
    def interrupt(stage: str, done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(films, tmp_path / "built", progress=interrupt)
    assert left_over(tmp_path, "films.ttl") == []


@pytest.mark.parametrize("name", ["missing.ttl", "graph.txt"])
def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match=name):
        build(tmp_path / name, tmp_path / "built")
    assert left_over(tmp_path) == []


def test_damaged_compressed_data_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "graph.nt.gz"
    path.write_bytes(gzip.compress(f"<{EX}a> <{EX}b> <{EX}c> .\n".encode() * 1000)[:-20])
    with pytest.raises(DataError, match=r"graph\.nt\.gz"):
        build(path, tmp_path / "built")
    assert left_over(tmp_path, "graph.nt.gz") == []


def test_no_files_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no files"):
        build([], tmp_path / "built")


BAD_LINES = f"""<{EX}a> <{EX}b> <{EX}c> .
this is no triple
<{EX}a> <{EX}b> <{EX}with space> .
<{EX}a> <{EX}b> <{EX}d> .
"""


@pytest.fixture
def bad_lines(tmp_path: Path) -> Path:
    path = tmp_path / "bad.nt"
    path.write_text(BAD_LINES, encoding="utf-8")
    return path


def test_invalid_lines_are_an_error_that_says_how_to_leave_them_out(bad_lines: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"'bad\.nt', line 2.*; 'triad index --lenient', or lenient=True in Python"):
        build(bad_lines, tmp_path / "built")


def test_invalid_lines_can_be_left_out_and_are_counted(bad_lines: Path, tmp_path: Path) -> None:
    report = build(bad_lines, tmp_path / "built", lenient=True)
    assert (report.triples, report.skipped) == (2, 2)
    assert [(line.file, line.line) for line in report.skipped_lines] == [("bad.nt", 2), ("bad.nt", 3)]


def test_more_invalid_lines_than_allowed_are_an_error(bad_lines: Path, tmp_path: Path) -> None:
    assert build(bad_lines, tmp_path / "built", lenient=True, max_errors=2).skipped == 2
    with pytest.raises(DataError, match="no more are allowed"):
        build(bad_lines, tmp_path / "other", lenient=True, max_errors=1)


def test_a_report_is_a_value(tmp_path: Path) -> None:
    line = SkippedLine("bad.nt", 2, "no triple")
    report = IndexReport(str(tmp_path), 1, {"entity": 1}, True, 0.1, 1, (line,))
    assert report == IndexReport(str(tmp_path), 1, {"entity": 1}, True, 0.1, 1, (line,))


def test_no_file_has_a_name_that_some_system_forbids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "films.ttl"
    file.write_text(FILMS, encoding="utf-8")
    build(file, tmp_path / "built")
    with Agent(file, model="none") as agent:
        agent.ask("Who directed Lolita?", min_confidence=0)
    made = list(tmp_path.rglob("*"))
    assert len(made) > 3
    assert (tmp_path / "cache") in made
    assert not [path for path in made if re.search(r'[:*?"<>|\\]', path.name)]


def test_an_rdf_file_needs_no_certain_name_and_is_read_as_rdf(tmp_path: Path) -> None:
    file = tmp_path / "any name.ttl"
    file.write_text(FILMS, encoding="utf-8")
    report = build(file, tmp_path / "built")
    assert report.triples > 50
    with LocalIndex(tmp_path / "built" / "labels") as index:
        assert [item.iri for item in index.search("Stanley Kubrick", 1)] == [EX + "Kubrick"]


def test_a_bad_line_is_not_taken_for_the_one_before(tmp_path: Path) -> None:
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    file = tmp_path / "labels.nt"
    file.write_text(f'<{EX}a> {label} "first" .\nthis is no triple\n<{EX}b> {label} "second" .\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"labels\.nt"):
        build(file, tmp_path / "built")
    assert not (tmp_path / "built").exists()
