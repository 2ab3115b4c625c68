"""Graphs that are named by files, patterns, folders and standard input, and names that nothing has."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from triad.cli.graphs import expanded, served, sniffed
from triad.cli.program import app

TURTLE = """@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Intel rdfs:label "Intel" ; ex:foundedBy ex:Noyce . ex:Noyce rdfs:label "Robert Noyce" .
ex:foundedBy rdfs:label "founded by" .
"""
LINE = '<http://example.org/AMD> <http://www.w3.org/2000/01/rdf-schema#label> "AMD" .\n'
WHO = "Who founded Intel?"


def triad(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["-q", *map(str, arguments)], input=stdin)


def ask(graph: str | Path, *arguments: str, stdin: str | bytes | None = None) -> Result:
    return triad("ask", WHO, "--model", "none", "--graph", graph, *arguments, stdin=stdin)


def filled(folder: Path) -> Path:
    (folder / "data").mkdir()
    (folder / "data" / "a.ttl").write_text(TURTLE, encoding="utf-8")
    (folder / "data" / "b.nt").write_text(LINE, encoding="utf-8")
    (folder / "data" / "readme.md").write_text("# Data\n", encoding="utf-8")
    (folder / "data" / ".hidden.ttl").write_text("no Turtle", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def kept_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("graphs"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return filled(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("graph", ["data", "data/", "data/*.ttl", "**/a.*", "data/a.ttl"])
def test_a_graph_is_a_folder_a_pattern_or_a_file(
    kept_folder: Path, graph: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(kept_folder)
    assert ask(graph).stdout.startswith("Robert Noyce\n")


def test_a_folder_is_all_of_its_files_of_rdf(folder: Path) -> None:
    assert expanded("data") == [str(folder / "data" / name) for name in ("a.ttl", "b.nt")]


@pytest.mark.slow
@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode())])
def test_a_graph_is_read_from_standard_input(pack: object) -> None:
    assert ask("-", stdin=pack(TURTLE)).stdout.startswith("Robert Noyce\n")  # type: ignore[operator]


@pytest.mark.slow
def test_the_format_of_standard_input_can_be_named() -> None:
    assert ask("-", "--graph-format", "ttl", stdin=TURTLE).exit_code == 0
    assert "did you mean 'ttl'?" in ask("-", "--graph-format", "tll", stdin=TURTLE).stderr
    assert "name it, too: --graph -" in ask("a.ttl", "--graph-format", "ttl").stderr


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        (TURTLE, ".ttl"),
        ("# a comment\n" + LINE, ".nt"),
        (LINE.replace(" .\n", " <http://example.org/graph> .\n"), ".nq"),
        ("@prefix ex: <http://e.org/> .\nex:g {\n ex:a ex:b ex:c }", ".trig"),
        ("GRAPH <http://e.org/g> { <http://e.org/a> a <http://e.org/b> }", ".trig"),
        ("[] a <http://e.org/b> .", ".ttl"),
        ('<?xml version="1.0"?><rdf:RDF/>', ".rdf"),
        ('<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">', ".rdf"),
        ('{"@id": "http://e.org/a"}', ".jsonld"),
        ('[\n  {"@id": "http://e.org/a"}]', ".jsonld"),
    ],
)
def test_the_content_tells_the_format(text: str, suffix: str) -> None:
    assert sniffed(text.encode()) == suffix
    assert sniffed(b"\xef\xbb\xbf" + text.encode()) == suffix


@pytest.mark.slow(0.1)
def test_standard_input_holds_one_thing() -> None:
    assert "standard input is empty" in ask("-", stdin="\n").stderr
    assert "the questions or the graph, not both" in triad("ask", "-", "--graph", "-", stdin=TURTLE).stderr
    assert "a chat reads its questions from standard input" in triad("chat", "--graph", "-", stdin=TURTLE).stderr


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("graph", "said"),
    [
        ("dta", "there is no file or folder 'dta' (looked in '{}'); did you mean 'data'?"),
        ("data/a.tll", "there is no file or folder 'data/a.tll' (looked in '{}/data'); did you mean 'a.ttl'?"),
        ("no*.ttl", "no file fits the pattern 'no*.ttl' (looked in '{}')"),
        ("loop.ttl", "'loop.ttl' is a link that leads nowhere: to 'loop.ttl'"),
        ("pipe.ttl", "cannot open '{}/pipe.ttl': it is no regular file"),
    ],
)
def test_what_is_not_there_is_said_to_be_missing(folder: Path, graph: str, said: str) -> None:
    (folder / "loop.ttl").symlink_to("loop.ttl")
    os.mkfifo(folder / "pipe.ttl")
    result = ask(graph)
    assert (result.exit_code, result.stderr) == (1, f"triad: {said.format(folder)}\n")


@pytest.mark.slow(0.1)
def test_a_config_may_be_named_as_a_graph(folder: Path) -> None:
    assert ask("demo").exit_code == 0


def test_a_folder_without_rdf_is_said_to_have_none(tmp_path: Path) -> None:
    assert "has no RDF files, whose names end in .ttl, " in ask(tmp_path).stderr


@pytest.mark.slow
def test_a_folder_and_standard_input_are_indexed(folder: Path) -> None:
    assert "triples\t5\n" in triad("index", "data", "--to", "made").stdout
    assert "triples\t1\n" in triad("index", "-", "--to", "other", stdin=LINE).stdout
    assert "Robert Noyce" in ask("made").stdout


@pytest.mark.parametrize(
    ("named", "name", "keys"),
    [
        ("data/a.ttl", "a", {"graph": "{}/data/a.ttl"}),
        ("data", "data", {"graph": ["{}/data/a.ttl", "{}/data/b.nt"], "graph_options": {"name": "data"}}),
        ("data/*.ttl", "graph", {"graph": "{}/data/a.ttl"}),
        ("https://example.org/sparql?a=b", "example.org", {"graph": "https://example.org/sparql?a=b"}),
    ],
)
def test_a_graph_is_served_under_its_name(folder: Path, named: str, name: str, keys: dict[str, object]) -> None:
    whole = {key: _filled(value, folder) for key, value in keys.items()}
    assert served(named) == {"graphs": {name: {"config": whole}}}


def _filled(value: object, folder: Path) -> object:
    if isinstance(value, list):
        return [_filled(one, folder) for one in value]
    return value.format(folder) if isinstance(value, str) else value


@pytest.mark.parametrize("named", ["demo", "company.yaml", "nothing", "-"])
def test_a_config_is_served_as_it_is(folder: Path, named: str) -> None:
    assert served(named) == named
