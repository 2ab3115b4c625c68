from __future__ import annotations

import bz2
import gzip
import hashlib
import itertools
import json
import lzma
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
import tenacity
import zstandard
from pyoxigraph import Quad

from tests.doubles import Clock
from triad.errors import ConfigError, DataError
from triad.indexing import downloads, reading
from triad.indexing.pipeline import run
from triad.indexing.plan import plan
from triad.indexing.reading import Faults
from triad.indexing.recipe import Source, local_path, recipe_of
from triad.locks import lock_of, locked

CONTENT = bytes(range(256)) * 4000


def fetch(source: Source, folder: Path, **options: Any) -> Path:
    return downloads.fetch(source, folder, wait=tenacity.wait_none(), **options)


def read(*arguments: Any) -> Iterator[Quad]:
    for quads in reading.read(*arguments):
        yield from quads


def source(address: str, **options: Any) -> Source:
    return Source(address=address, format="nt", **options)


# Fetching -------------------------------------------------------------------------------------------------


def test_a_file_is_fetched_once_and_lies_under_its_server_and_path(dump_server: Any, tmp_path: Path) -> None:
    address = dump_server.put("en/labels.nt", CONTENT)
    path = fetch(source(address), tmp_path)
    assert path.read_bytes() == CONTENT
    assert path == local_path(source(address), tmp_path)
    assert path.relative_to(tmp_path).parts[1:] == ("en", "labels.nt")
    fetch(source(address), tmp_path)
    assert len(dump_server.requests) == 1


def test_addresses_that_differ_in_their_queries_are_of_different_files(dump_server: Any, tmp_path: Path) -> None:
    addresses = [dump_server.put(f"export.nt?graph={name}", name.encode()) for name in ("a", "b")]
    paths = [fetch(source(address), tmp_path) for address in addresses]
    assert [path.read_text() for path in paths] == ["a", "b"]
    assert {path.name for path in paths} == {"export.nt"}


@pytest.mark.slow(0.1)
def test_no_secret_of_an_address_is_told_or_kept(dump_server: Any, tmp_path: Path) -> None:
    turtle = b'<#Ann> <http://www.w3.org/2000/01/rdf-schema#label> "Ann" .'
    address = dump_server.put("a.ttl?token=word2&v=1", turtle).replace("://", "://ann:word1@")
    run(recipe_of([address]), tmp_path / "built", downloads=tmp_path)
    told = str(plan(recipe_of([address]), tmp_path, store=True))
    for wrong in (address.replace("a.ttl", "b.ttl"), "http://ann:word1@/a.nt?token=word2", "http://ann:word1@[/"):
        with pytest.raises((ConfigError, DataError)) as caught:
            run(recipe_of([wrong]), tmp_path / "wrong", downloads=tmp_path)
        told += str(caught.value)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()).decode(errors="replace")
    assert "/a.ttl?v=1" in told
    assert "/a.ttl?v=1" in kept
    assert not re.search("word[12]", told + kept)


def test_a_file_whose_record_has_an_address_with_a_password_is_not_fetched_again(
    dump_server: Any, tmp_path: Path
) -> None:
    address = dump_server.put("a.nt", CONTENT).replace("://", "://ann:word1@")
    record = fetch(source(address), tmp_path).with_name("a.nt.json")
    kept = json.loads(record.read_text())
    for before in (kept, kept | {"address": address}):
        record.write_text(json.dumps(before))
        fetch(source(address), tmp_path)
        assert json.loads(record.read_text()) == kept
    assert len(dump_server.requests) == 1


def test_paths_cannot_leave_the_folder(tmp_path: Path) -> None:
    path = local_path(source("http://example.org/a/../../%2e%2e/b.nt"), tmp_path)
    assert path == tmp_path / "example.org" / "a" / "b.nt"


def test_progress_is_told_in_bytes(dump_server: Any, tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    fetch(source(dump_server.put("a.nt", CONTENT)), tmp_path, tell=lambda *args: told.append(args))
    assert told[-1] == (len(CONTENT), len(CONTENT))


def test_a_connection_that_is_cut_goes_on_where_it_ended(dump_server: Any, fault: Any, tmp_path: Path) -> None:
    dump_server.faults += [fault(cut=1000), fault(cut=2000)]
    assert fetch(source(dump_server.put("a.nt", CONTENT)), tmp_path).read_bytes() == CONTENT
    assert [request.get("Range") for request in dump_server.requests] == [None, "bytes=1000-", "bytes=3000-"]
    assert dump_server.requests[1]["If-Range"] == '"1"'


@pytest.mark.slow(0.1)
def test_a_server_that_falls_silent_is_asked_again(dump_server: Any, fault: Any, tmp_path: Path) -> None:
    dump_server.faults.append(fault(stall=5000))
    path = fetch(source(dump_server.put("a.nt", CONTENT)), tmp_path, stall=1.5)
    assert path.read_bytes() == CONTENT
    assert dump_server.requests[1]["Range"] == "bytes=5000-"


def test_a_later_run_goes_on_where_an_earlier_one_ended(dump_server: Any, fault: Any, tmp_path: Path) -> None:
    address = dump_server.put("a.nt", CONTENT)
    dump_server.faults += [fault(cut=1000), *[fault(cut=0)] * downloads.FRUITLESS]
    with pytest.raises(DataError, match=r"a\.nt'.*in a row; what has arrived is kept"):
        fetch(source(address), tmp_path)
    assert fetch(source(address), tmp_path).read_bytes() == CONTENT
    assert dump_server.requests[-1]["Range"] == "bytes=1000-"


def test_two_do_not_fetch_the_same_file_at_once(dump_server: Any, tmp_path: Path) -> None:
    wanted = source(dump_server.put("a.nt", CONTENT))
    path = local_path(wanted, tmp_path)
    with locked(lock_of(path), "it"), pytest.raises(ConfigError, match=r"another process, \d+, is writing to .*a\.nt"):
        fetch(wanted, tmp_path)
    assert dump_server.requests == []
    assert fetch(wanted, tmp_path).read_bytes() == CONTENT
    assert not lock_of(path).exists()


@pytest.mark.parametrize("end", [".part", ".part.json", ".json"])
def test_what_arrives_is_not_written_through_links(dump_server: Any, tmp_path: Path, end: str) -> None:
    wanted = source(dump_server.put("a.nt", CONTENT))
    path = local_path(wanted, tmp_path)
    path.parent.mkdir(parents=True)
    (tmp_path / "file").write_text("", encoding="ascii")
    path.with_name(path.name + end).symlink_to(tmp_path / "file")
    with pytest.raises(ConfigError, match="is a link to"):
        fetch(wanted, tmp_path)
    assert (tmp_path / "file").read_text(encoding="ascii") == ""


def test_a_file_that_has_changed_meanwhile_is_fetched_anew(dump_server: Any, fault: Any, tmp_path: Path) -> None:
    address = dump_server.put("a.nt", CONTENT)
    dump_server.faults += [fault(cut=1000), *[fault(status=503)] * downloads.FRUITLESS]
    with pytest.raises(DataError):
        fetch(source(address), tmp_path)
    dump_server.put("a.nt", CONTENT[::-1], '"2"')
    assert fetch(source(address), tmp_path).read_bytes() == CONTENT[::-1]


@pytest.mark.parametrize("etag", ["", 'W/"1"'])
def test_without_a_way_to_tell_versions_apart_nothing_is_continued(
    dump_server: Any, fault: Any, tmp_path: Path, etag: str
) -> None:
    dump_server.faults.append(fault(cut=1000))
    assert fetch(source(dump_server.put("a.nt", CONTENT, etag)), tmp_path).read_bytes() == CONTENT
    assert "Range" not in dump_server.requests[1]


def test_a_server_without_ranges_sends_all_again(dump_server: Any, fault: Any, tmp_path: Path) -> None:
    dump_server.ranges = False
    dump_server.faults.append(fault(cut=1000))
    assert fetch(source(dump_server.put("a.nt", CONTENT)), tmp_path).read_bytes() == CONTENT


def test_a_part_that_is_complete_is_not_fetched_again(dump_server: Any, tmp_path: Path) -> None:
    address = dump_server.put("a.nt", CONTENT)
    part = local_path(source(address), tmp_path).with_name("a.nt.part")
    part.parent.mkdir()
    part.write_bytes(CONTENT)
    part.with_name("a.nt.part.json").write_text(json.dumps({"validator": '"1"'}))
    assert fetch(source(address), tmp_path).read_bytes() == CONTENT


def test_a_server_that_is_busy_is_asked_again_when_it_says(dump_server: Any, fault: Any, tmp_path: Path) -> None:
    dump_server.faults += [fault(status=429, headers={"Retry-After": "0"}), fault(status=503)]
    assert fetch(source(dump_server.put("a.nt", CONTENT)), tmp_path).read_bytes() == CONTENT


@pytest.mark.parametrize("value", ["100000", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_server_that_asks_for_a_long_wait_is_left(dump_server: Any, fault: Any, tmp_path: Path, value: str) -> None:
    dump_server.faults.append(fault(status=503, headers={"Retry-After": value}))
    with pytest.raises(DataError, match=r"it asks to wait for [\d,]+ s|wait for inf s"):
        fetch(source(dump_server.put("a.nt", CONTENT)), tmp_path)


@pytest.mark.parametrize(
    "headers",
    [
        "Content-Length: abc\r\n",
        f"Content-Length: {'9' * 5000}\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Transfer-Encoding: chunked\r\n",
    ],
)
def test_a_length_that_is_none_is_an_error(hostile_server: Any, tmp_path: Path, headers: str) -> None:
    server = hostile_server(lambda _: [f"HTTP/1.1 200 OK\r\n{headers}\r\nhello\r\n".encode()])
    with pytest.raises(DataError, match="the answer is damaged"):
        fetch(source(f"{server.url}/a.nt"), tmp_path)


@pytest.mark.parametrize("header", ["bytes 0-9/" + "9" * 5000, "bytes x-9/10", "bytes ²-9/10", "bytes 0-9/ten", ""])
def test_a_part_that_cannot_be_placed_is_an_error(hostile_server: Any, tmp_path: Path, header: str) -> None:
    answer = f"HTTP/1.1 206 Partial\r\nContent-Range: {header}\r\nContent-Length: 5\r\n\r\nhello".encode()
    server = hostile_server(lambda _: [answer])
    with pytest.raises(DataError, match=r"'Content-Range: .*which cannot be read"):
        fetch(source(f"{server.url}/a.nt"), tmp_path)


@pytest.mark.slow(0.6)
def test_a_server_that_never_comes_to_the_file_falls_silent(hostile_server: Any, tmp_path: Path) -> None:
    server = hostile_server(lambda _: itertools.repeat(b"HTTP/1.1 100 Continue\r\n\r\n"), pause=0.01)
    with pytest.raises(DataError, match=r"no byte came for 0\.1 s, 6 times in a row"):
        fetch(source(f"{server.url}/a.nt"), tmp_path, stall=0.1)


@pytest.mark.slow(0.1)
def test_a_slow_server_is_not_taken_for_a_silent_one(hostile_server: Any, clock: Clock, tmp_path: Path) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
    server = hostile_server(lambda _: [head, *[b"x"] * 10], pause=0.02)

    def later(*_: object) -> None:
        clock.now += 80.0

    assert fetch(source(f"{server.url}/a.nt"), tmp_path, stall=100.0, tell=later).read_bytes() == b"x" * 10
    assert len(server.requests) == 1


def test_a_file_that_does_not_end_where_the_recipe_says_is_an_error(hostile_server: Any, tmp_path: Path) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"ffff\r\n" + b"x" * 0xFFFF + b"\r\n"
    server = hostile_server(lambda _: itertools.chain([head], itertools.repeat(chunk)))
    with pytest.raises(DataError, match="has more bytes than it should"):
        fetch(source(f"{server.url}/a.nt", size=5), tmp_path)


def test_an_empty_file_is_an_error(dump_server: Any, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.nt' sent an empty file"):
        fetch(source(dump_server.put("a.nt", b"")), tmp_path)


@pytest.mark.slow(0.2)
def test_what_is_sent_without_a_triple_is_an_error(dump_server: Any, tmp_path: Path) -> None:
    recipe = recipe_of([dump_server.put("a.nt", b"[1, 2, 3]\n")]).model_copy(update={"max_errors": 5})
    with pytest.raises(DataError, match=r"there is not one triple in what '.*a\.nt' sent"):
        run(recipe, tmp_path / "index", downloads=tmp_path)


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("name", "sent"), [("a.jsonld", b"[1, 2, 3]"), ("a.jsonld", b"{}"), ("a.nt.gz", gzip.compress(b"", mtime=0))]
)
def test_what_is_no_graph_at_all_is_an_error_and_fetched_anew(
    dump_server: Any, tmp_path: Path, name: str, sent: bytes
) -> None:
    recipe = recipe_of([dump_server.put(name, sent)])
    with pytest.raises(DataError, match=rf"there is not one triple in what '.*{name}' sent"):
        run(recipe, tmp_path / "index", downloads=tmp_path / "kept")
    assert not [*(tmp_path / "kept").rglob(name)]


@pytest.mark.slow(0.4)
def test_a_file_of_comments_may_have_no_triple(dump_server: Any, tmp_path: Path) -> None:
    full, empty = dump_server.put("a.nt", b"<x:a> <x:b> <x:c> .\n"), dump_server.put("b.nt", b"# completed\n")
    run(recipe_of([full, empty]), tmp_path / "index", downloads=tmp_path / "kept")


@pytest.mark.parametrize(
    "page",
    [
        "<!DOCTYPE html><html><body>Not found</body></html>",
        "\ufeff\n <HTML lang=en>",
        '<?xml version="1.0"?>\n<!-- a page --><html xmlns="http://www.w3.org/1999/xhtml">',
    ],
)
def test_a_web_page_in_place_of_the_file_is_an_error(dump_server: Any, tmp_path: Path, page: str) -> None:
    address = dump_server.put("a.nt", page.encode())
    with pytest.raises(DataError, match=r"a\.nt' sent a web page in place of the file"):
        fetch(source(address), tmp_path)
    assert not list(tmp_path.rglob("a.nt"))


@pytest.mark.parametrize(
    "start", ["<http://example.org/a> ", '<?xml version="1.0"?><rdf:RDF/>', "<html:p> ", "# <html>", "<!---->" * 140]
)
def test_what_only_looks_like_a_web_page_is_kept(dump_server: Any, tmp_path: Path, start: str) -> None:
    address = dump_server.put("a.nt", start.encode())
    assert fetch(source(address), tmp_path).read_text() == start


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_a_server_does_not_give_is_an_error_at_once(
    dump_server: Any, fault: Any, tmp_path: Path, status: int
) -> None:
    dump_server.faults.append(fault(status=status))
    with pytest.raises(DataError, match=rf"cannot fetch '.*a\.nt': {status} "):
        fetch(source(dump_server.put("a.nt", CONTENT)), tmp_path)
    assert len(dump_server.requests) == 1


def test_size_and_checksum_are_verified(dump_server: Any, tmp_path: Path) -> None:
    right = source(dump_server.put("a.nt", CONTENT), size=len(CONTENT), sha256=hashlib.sha256(CONTENT).hexdigest())
    assert fetch(right, tmp_path).is_file()


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ({"sha256": "0" * 64}, "has the sha256 checksum"),
        ({"md5": "0" * 32}, "has the md5 checksum"),
        ({"size": 7}, "has 1,024,000 bytes, and the recipe says 7"),
    ],
)
def test_what_is_not_what_the_recipe_says_is_deleted(
    dump_server: Any, tmp_path: Path, expected: dict[str, Any], message: str
) -> None:
    address = dump_server.put("a.nt", CONTENT)
    with pytest.raises(DataError, match=message + ".*; it was deleted"):
        fetch(source(address, **expected), tmp_path)
    assert not list(tmp_path.rglob("a.nt*.part"))
    fetch(source(address), tmp_path)
    with pytest.raises(DataError, match=message):
        fetch(source(address, **expected), tmp_path)


def test_a_full_disk_is_told_with_the_room_that_is_needed(
    dump_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 9, 1))
    with pytest.raises(DataError, match=r"'a.nt' needs 0\.00 GB more in .*--downloads can name another folder"):
        fetch(source(dump_server.put("a.nt", CONTENT)), tmp_path)


def test_a_folder_that_cannot_be_written_is_an_error(dump_server: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="--downloads can name another folder"):
        fetch(source(dump_server.put("a.nt", CONTENT)), tmp_path / "file")


def test_local_files_stay_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    path.write_bytes(CONTENT)
    assert fetch(source(str(path)), tmp_path / "downloads") == path
    with pytest.raises(DataError, match="checksum"):
        fetch(source(str(path), md5="0" * 32), tmp_path)
    assert path.is_file()
    with pytest.raises(DataError, match=r"there is no file '.*b\.nt'"):
        fetch(source(str(tmp_path / "b.nt")), tmp_path)


# Reading --------------------------------------------------------------------------------------------------

EX = "http://example.org/"
LINES = "".join(f'<{EX}{at}> <{EX}p> "{at}" .\n' for at in range(50))
DBPEDIA = f"# started 2017-07-06T12:05:32Z\n{LINES}# completed 2017-07-06T12:09:13Z\n"
YAGO = f"""@prefix yago: <{EX}> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
yago:Ann\trdfs:label\t"Ann"@en .
"""


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [(".bz2", bz2.compress), (".gz", gzip.compress), (".xz", lzma.compress), (".zst", zstandard.compress)],
)
def test_a_dump_with_comments_is_read_whatever_compresses_it(
    tmp_path: Path, suffix: str, compress: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / f"labels_en.ttl{suffix}"
    path.write_bytes(compress(DBPEDIA.encode()))
    faults = Faults(0)
    assert len(list(read(source(str(path)), path, faults))) == 50


def archive(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in members.items():
            file.writestr(name.replace("_", "."), text)
    return path


def value(quad: pyoxigraph.Quad) -> str:
    assert isinstance(quad.object, pyoxigraph.Literal)
    return quad.object.value


@pytest.mark.slow(0.2)
def test_members_of_an_archive_are_read_in_the_order_of_the_recipe(tmp_path: Path) -> None:
    path = archive(tmp_path / "yago.zip", facts_ttl=YAGO, schema_ttl=YAGO.replace("Ann", "Bob"), meta_txt="nonsense")
    whole = Source(address=str(path))
    assert [value(quad) for quad in read(whole, path, Faults(0))] == ["Ann", "Bob"]
    chosen = Source(address=str(path), members=("sch*.ttl", "facts.ttl"))
    assert [value(quad) for quad in read(chosen, path, Faults(0))] == ["Bob", "Ann"]
    with pytest.raises(DataError, match=r"no member 'taxonomy\.ttl'; it has 'facts\.ttl', 'schema\.ttl'"):
        list(read(Source(address=str(path), members=("taxonomy.ttl",)), path, Faults(0)))


def test_a_damaged_archive_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "yago.zip"
    path.write_bytes(b"PK nonsense")
    with pytest.raises(DataError, match=r"yago\.zip"):
        list(read(Source(address=str(path)), path, Faults(0)))


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("a.nt", f"<{EX}a> <{EX}b> .\n<{EX}a> <{EX}b> <{EX}c d> .\n<{EX}a> <{EX}b> <{EX}c> .\n", [1, 2]),
        # A statement of Turtle has no line of its own; the one after it may be lost, too.
        ("a.ttl", f"@prefix : <{EX}> .\n:a :b .\n:a :b :c .\n:a :b :d .\n", [2]),
    ],
)
def test_malformed_lines_are_left_out_and_named(tmp_path: Path, name: str, text: str, lines: list[int]) -> None:
    path = tmp_path / name
    path.write_text(text)
    faults = Faults(5)
    assert len(list(read(Source(address=str(path)), path, faults))) == 1
    assert faults.count == len(lines)
    assert [(line.file, line.line) for line in faults.lines] == [(name, line) for line in lines]


def test_too_many_malformed_lines_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    path.write_text("nonsense\n" * 3)
    with pytest.raises(DataError, match=r"'a\.nt', line 3, is not valid.*, after 2 that were left out"):
        list(read(Source(address=str(path)), path, Faults(2)))


def test_progress_is_told_in_triples_and_ends_at_their_number(tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    path.write_text(LINES)
    told: list[tuple[int, int | None]] = []
    list(read(source(str(path)), path, Faults(0), lambda *args: told.append(args)))
    assert told == [(50, 50)]
