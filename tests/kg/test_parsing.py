"""Files that would hang, fill or end a program that parses them itself."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pyoxigraph
import pytest
from pyoxigraph import RdfFormat

from triad.errors import DataError
from triad.kg.local import LocalGraph
from triad.kg.parsing import Fault, ParseLimits, Statements, parse

pytestmark = pytest.mark.slow

EX = "http://example.org/"
LINE = f"<{EX}a> <{EX}b> <{EX}c> .\n"
SMALL = ParseLimits(memory=256 << 20, seconds=30)


def rdf_xml(entities: str, value: str) -> bytes:
    return (
        f'<?xml version="1.0"?><!DOCTYPE rdf:RDF [{entities}]>'
        f'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="{EX}">'
        f'<rdf:Description rdf:about="{EX}a"><e:b>{value}</e:b></rdf:Description></rdf:RDF>'
    ).encode()


NESTED = '<!ENTITY a0 "0123456789">' + "".join(f'<!ENTITY a{at} "{f"&a{at - 1};" * 10}">' for at in range(1, 10))
REPEATED = f'<!ENTITY a "{"x" * 100_000}">'


def parsed(content: bytes, format_: RdfFormat, limits: ParseLimits = SMALL) -> list[pyoxigraph.Quad]:
    return [quad for quads in parse(io.BytesIO(content), format_, "data", limits=limits) for quad in quads]


def workers() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "parse" in child.cmdline()]


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert workers() == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its memory")
@pytest.mark.parametrize("content", [rdf_xml(NESTED, "&a9;"), rdf_xml(REPEATED, "&a;" * 10_000)], ids=["deep", "long"])
def test_entities_that_stand_for_gigabytes_are_an_error(content: bytes) -> None:
    with pytest.raises(DataError, match=r"'data' cannot be read as RDF/XML: .*more memory than the 0\.25 GiB"):
        parsed(content, RdfFormat.RDF_XML)


@pytest.mark.parametrize(
    ("content", "format_"),
    [
        (rdf_xml(REPEATED, "&a;</e:b><e:b>".replace("&a;", "&a;" * 20) * 40), RdfFormat.RDF_XML),
        (f"@prefix e: <{EX}{'x' * 20_000}> .".encode() + b"e:a e:b e:c ." * 2_000, RdfFormat.TURTLE),
    ],
    ids=["entities", "prefixes"],
)
def test_a_file_whose_short_forms_stand_for_far_more_than_it_has_is_an_error(
    content: bytes, format_: RdfFormat
) -> None:
    with pytest.raises(DataError, match=rf"'data' cannot be read as {format_.name}: .* more than 500 times as much"):
        parsed(content, format_)


def test_what_is_short_may_stand_for_much_where_it_stays_in_proportion() -> None:
    values = "<e:b rdf:datatype='&xsd;integer'>1</e:b>" * 20_000
    content = rdf_xml(f'<!ENTITY xsd "http://www.w3.org/2001/XMLSchema#{"x" * 4_000}">', f"1</e:b>{values}<e:b>1")
    assert len(parsed(content, RdfFormat.RDF_XML)) == 20_002


def test_entities_for_namespaces_are_read() -> None:
    content = rdf_xml(f'<!ENTITY ex "{EX}">', "&ex;c &lt;&#65;")
    assert [str(quad.object) for quad in parsed(content, RdfFormat.RDF_XML)] == [f'"{EX}c <A"']


def test_many_long_values_do_not_come_at_once() -> None:
    content = rdf_xml(REPEATED, "&a;</e:b><e:b>".replace("&a;", "&a;" * 20) * 30)
    batches = [len(quads) for quads in parse(io.BytesIO(content), RdfFormat.RDF_XML, "data", limits=SMALL)]
    assert sum(batches) == 31
    assert max(batches) < 10


@pytest.mark.parametrize(
    ("start", "format_"),
    [
        (f'<{EX}a> <{EX}b> "', RdfFormat.N_TRIPLES),
        (f'<{EX}a> <{EX}b> """', RdfFormat.TURTLE),
        ("#", RdfFormat.TURTLE),
        ('{"http://example.org/a": "', RdfFormat.JSON_LD),
    ],
)
def test_a_literal_or_comment_that_does_not_end_is_an_error(start: str, format_: RdfFormat) -> None:
    with pytest.raises(DataError, match="longer than 16 MB; is there one that does not end"):
        parsed(start.encode() + b"x" * (20 << 20), format_)


def test_a_literal_that_a_format_allows_may_be_long() -> None:
    [quad] = parsed(rdf_xml("", "x" * (20 << 20)), RdfFormat.RDF_XML, ParseLimits())
    assert isinstance(quad.object, pyoxigraph.Literal)
    assert len(quad.object.value) == 20 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its memory")
def test_a_parser_that_dies_is_an_error() -> None:
    with pytest.raises(DataError, match="'data' cannot be read as Turtle"):
        parsed(f"<{EX}a> <{EX}b> ".encode() + b"[<http://example.org/a> " * 500_000, RdfFormat.TURTLE)


def test_a_parser_that_comes_no_further_is_an_error() -> None:
    with pytest.raises(DataError, match=r"came no further for 0\.2 seconds"):
        parsed(rdf_xml("", "<rdf:Description><e:b>" * 40_000), RdfFormat.RDF_XML, ParseLimits(seconds=0.2))


def test_waiting_for_the_file_is_not_the_parsers_fault() -> None:
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            time.sleep(0.7)
            return super().read(size)

    batches = parse(Slow(LINE.encode()), RdfFormat.N_TRIPLES, "data", limits=ParseLimits(seconds=0.6))
    assert len(next(batches)) == 1
    time.sleep(0.7)
    assert list(batches) == []


def test_a_page_that_is_no_rdf_is_an_error() -> None:
    with pytest.raises(DataError, match="'data' is not valid RDF/XML"):
        parsed(b"<!DOCTYPE html><html><body>404</body></html>", RdfFormat.RDF_XML)


@pytest.mark.parametrize("format_", [RdfFormat.TURTLE, RdfFormat.N_TRIPLES, RdfFormat.RDF_XML, RdfFormat.JSON_LD])
def test_a_byte_order_mark_is_no_part_of_the_file(format_: RdfFormat) -> None:
    quad = pyoxigraph.Quad(*[pyoxigraph.NamedNode(EX + name) for name in "abc"])
    content = pyoxigraph.serialize([quad], format=format_)
    assert content is not None
    assert parsed(b"\xef\xbb\xbf" + content, format_) == [quad]
    assert parsed(b"\xef\xbb\xbf", RdfFormat.TURTLE) == []


@pytest.mark.parametrize(
    ("content", "format_"),
    [
        (rdf_xml("", "1"), RdfFormat.RDF_XML),
        (f"@prefix e: <{EX}> . e:a e:b e:c . @prefix f: <{EX}f/> . @prefix ö: <{EX}o/> .".encode(), RdfFormat.TURTLE),
        (f"PREFIX e: <{EX}> e:g {{ e:a e:b e:c }}".encode(), RdfFormat.TRIG),
    ],
)
def test_the_prefixes_of_a_file_are_told(content: bytes, format_: RdfFormat) -> None:
    prefixes = {"f": "http://example.org/first/"}
    assert len([*parse(io.BytesIO(content), format_, "data", limits=SMALL, prefixes=prefixes)]) == 1
    assert prefixes["e"] == EX
    assert prefixes["f"] == "http://example.org/first/"
    assert set(prefixes) <= {"e", "f", "rdf"}


def test_faults_are_told_in_their_place() -> None:
    faults: list[Fault] = []
    content = LINE + "nonsense\n" + LINE + "nonsense\n"
    batches = parse(io.BytesIO(content.encode()), RdfFormat.N_TRIPLES, "data", skip=faults.append)
    assert [len(quads) for quads in batches] == [1, 1]
    assert [(fault.file, fault.format, fault.line) for fault in faults] == [
        ("data", "N-Triples", 2),
        ("data", "N-Triples", 4),
    ]


def test_a_blank_node_stays_one_across_batches_and_is_not_that_of_another_file() -> None:
    lines = "".join(f'_:b <{EX}p> "{"x" * 1000}{at}" .\n' for at in range(20_000))
    quads = parsed(lines.encode(), RdfFormat.N_TRIPLES)
    assert len(quads) == 20_000
    assert len({quad.subject for quad in quads}) == 1
    assert quads[0].subject not in {
        quad.subject for quad in parsed(lines[: lines.index(chr(10)) + 1].encode(), RdfFormat.N_TRIPLES)
    }


def test_a_part_of_a_file_names_a_blank_node_alike_wherever_it_is() -> None:
    content = b"<a:r> <a:q> <<( _:a <a:p> <<( _:b <a:p> _:a )>> )>> .\n_:a <a:p> _:b .\n"
    (batch,) = parse(io.BytesIO(content), RdfFormat.N_TRIPLES, "part", scope="x")
    stated, said = batch
    assert isinstance(stated.object, pyoxigraph.Triple)
    assert isinstance(stated.object.object, pyoxigraph.Triple)
    assert said.subject == stated.object.subject == stated.object.object.object == pyoxigraph.BlankNode("xa")
    assert said.object == stated.object.object.subject == pyoxigraph.BlankNode("xb")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<a:a> <a:p> <a:o> .\n<<( <a:s> <a:p> <a:o> )>> <a:p> <a:o> .", r"line 2 .*<<\( is not a valid subject"),
        (b"<a:s> <<( <a:s> <a:p> <a:o> )>> <a:o> .", r"line 1 .*<<\( is not a valid predicate"),
    ],
)
def test_a_triple_term_where_none_can_be_is_told_with_its_place(content: bytes, said: str) -> None:
    with pytest.raises(DataError, match=said):
        parsed(content, RdfFormat.TURTLE)


def test_triple_terms_that_are_nested_too_deeply_are_told_and_left_out() -> None:
    def nested(depth: int) -> str:
        return f"<{EX}a> <{EX}b> {f'<<( <{EX}a> <{EX}b> ' * depth}<{EX}c>{' )>>' * depth} ."

    content = "\n".join((nested(32), nested(14_000), LINE)).encode()
    faults: list[Fault] = []
    batches = parse(io.BytesIO(content), RdfFormat.N_TRIPLES, "data", limits=SMALL, skip=faults.append)
    assert sum(len([*quads]) for quads in batches) == 2
    assert [one.message for one in faults] == ["triple terms within one another, more than 32 deep"]
    with pytest.raises(DataError, match="more than 32 deep"):
        parsed(nested(33).encode(), RdfFormat.TURTLE)


def test_a_reader_that_has_enough_ends_the_worker() -> None:
    batches = parse(io.BytesIO(LINE.encode() * 500_000), RdfFormat.N_TRIPLES, "data")
    next(batches)
    assert len(workers()) == 1
    batches.close()
    assert workers() == []


PROGRAM = """
import sys
from triad.kg.local import LocalGraph
print("started", flush=True)
LocalGraph.load(sys.argv[1])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_a_program_that_ends_while_it_loads_leaves_no_worker_and_no_draft_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: signal.Signals
) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path / "cache"))
    large = tmp_path / "large.rdf"
    item = '<rdf:Description rdf:about="http://example.org/a"><e:b>text</e:b></rdf:Description>'
    large.write_bytes(rdf_xml("", "x</e:b></rdf:Description>" + item * 400_000 + "<rdf:Description><e:b>"))
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, large], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdout
        program.stdout.readline()
        process = psutil.Process(program.pid)
        while not (children := process.children()):
            time.sleep(0.01)
        os.kill(program.pid, end)
        program.communicate(timeout=120)
    gone, alive = psutil.wait_procs(children, timeout=120)
    assert (gone, alive) == (children, [])
    small = tmp_path / "small.nt"
    small.write_text(LINE)
    with LocalGraph.load(small) as graph:
        folder = graph.folder
    assert list((tmp_path / "cache" / "graphs").iterdir()) == [folder]


def test_the_limits_are_options_of_a_graph_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "slow.rdf"
    path.write_bytes(rdf_xml("", "<rdf:Description><e:b>" * 40_000))
    with pytest.raises(DataError, match=r"slow\.rdf' cannot be read .*no further for 0\.1 seconds \('parse_timeout'"):
        LocalGraph.load(path, parse_timeout=0.1)


@pytest.mark.parametrize(
    "text",
    [
        b"_:a <http://x/p> <http://x/o> .\n",
        b'<http://x/s> <http://x/p> "x" .\n_:a <http://x/p> "x" .\n',
        b"<http://x/s> <http://x/p> _:a .\n",
        b'<http://x/s> <http://x/p> "x"@en _:a .\n',
    ],
)
def test_a_blank_node_of_two_batches_is_one(text: bytes) -> None:
    store = pyoxigraph.Store()
    for _ in range(2):
        Statements(text).load(store)
    assert len(store) == text.count(b"\n")
