"""Published data sets come into the data folder whole, from a server or from a folder, and from nowhere else."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from typer.testing import CliRunner

from tests.indexing.conftest import DumpServer
from triad import resources
from triad.cli.program import app
from triad.configs import load_config
from triad.datasets import fetching
from triad.datasets.fetching import get_set, is_there
from triad.datasets.loading import FORMATS
from triad.datasets.published import PublishedSet, published_set, published_sets
from triad.errors import ConfigError, DataError, ResourceNotFound
from triad.locks import lock_of, locked
from triad.strict import validate

KB = "Kismet|directed_by|William Dieterle\nKismet|release_year|1944\nKismet|has_tags|bd-r\nKismet|has_tags|bd-r\n"


@pytest.fixture
def server() -> Iterator[DumpServer]:
    with DumpServer() as server:
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def published(downloads: list[dict[str, Any]], files: dict[str, Any]) -> PublishedSet:
    keys = {"description": "a set", "home": "https://example.org", "licence": "CC0"}
    return validate(PublishedSet, {**keys, "downloads": downloads, "files": files}, "a set")


def get(one: PublishedSet, folder: Path, **options: Any) -> list[Path]:
    return get_set("one", one, folder, downloads=folder.parent / "downloads", **options)


def record(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / "fetched" / "one.json").read_text(encoding="utf-8"))
    return data


def archive(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in members.items():
            packed.writestr(name, text)
    return path


# The shipped list -----------------------------------------------------------------------------------------


def test_every_set_is_read_by_the_configs_that_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_DATA", "/data")
    for name, one in published_sets().items():
        assert one.licence
        for config in one.configs:
            text = resources.read(resources.find("configs", config))
            assert any(f"$TRIAD_DATA/{path}" in text for path in one.files), (name, config)


def test_every_config_of_published_data_says_how_it_is_fetched() -> None:
    # What these read was made of others' data, and is published nowhere in that form.
    ours = {"dialogues", "dialogues-in-context", "products", "table_ragonite"}
    listed = {config for one in published_sets().values() for config in one.configs}
    for name, path in resources.available("configs").items():
        if "$TRIAD_DATA" in resources.read(path) and not name.endswith("-servers"):
            assert name in listed | ours


@pytest.mark.parametrize("name", ["qald9", "lcquad"])
def test_the_format_of_a_set_that_is_published_in_another_one_is_found(name: str) -> None:
    config = load_config(name)
    assert config.dataset is not None
    assert config.dataset.format is None
    assert {"qald", "lcquad1"} <= FORMATS.keys()


def test_no_address_of_the_list_can_be_exchanged_unnoticed_where_it_names_a_commit() -> None:
    for one in published_sets().values():
        for download in one.downloads:
            assert download.address.startswith("https://")
            assert download.by_hand or "/HEAD/" in download.address or len(download.address.split("/")[5]) == 40


def test_an_unknown_set_is_named_with_the_known_ones() -> None:
    with pytest.raises(ResourceNotFound, match=r"has the name 'qald'; known: qald9, .*; did you mean 'qald9'"):
        published_set("qald")


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"../x/a.json": {"of": "a.json"}}, "must be a path inside the data folder"),
        ({"/x/a.json": {"of": "a.json"}}, "must be a path inside the data folder"),
        ({"a.json": {"of": "a.json"}}, "in a folder of its own"),
        ({"x/a.json": {"of": "b.json"}}, "no download is called 'b.json'"),
        ({"x/a.json": {"of": ["a.json", "a.json"]}}, "only a graph is made of several files"),
    ],
)
def test_a_list_that_cannot_be_followed_is_refused(files: dict[str, Any], fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        published([{"address": "https://example.org/a.json"}], files)


# Fetching -------------------------------------------------------------------------------------------------


def test_a_file_comes_where_configs_read_it_with_a_record_of_its_origin(server: DumpServer, folder: Path) -> None:
    address = server.put("en/a.json", b"[1]")
    one = published([{"address": address}], {"x/questions.json": {"of": "a.json"}})
    assert not is_there(one, folder)
    assert get(one, folder) == [folder / "x" / "questions.json"]
    assert (folder / "x" / "questions.json").read_bytes() == b"[1]"
    assert is_there(one, folder)
    checksum = hashlib.sha256(b"[1]").hexdigest()
    kept = record(folder)
    assert kept["licence"] == "CC0"
    assert kept["downloads"] == {"a.json": {"address": address, "bytes": 3, "sha256": checksum}}
    assert kept["files"] == {"x/questions.json": checksum}
    assert get(one, folder) == []
    assert len(server.requests) == 1


def test_a_file_with_another_checksum_than_the_published_one_is_refused(server: DumpServer, folder: Path) -> None:
    address = server.put("a.json", b"[1]")
    one = published([{"address": address, "sha256": "0" * 64}], {"x/a.json": {"of": "a.json"}})
    with pytest.raises(DataError, match="has the sha256 checksum"):
        get(one, folder)
    assert not (folder / "x" / "a.json").exists()


def test_a_file_that_has_changed_since_it_was_first_fetched_is_refused(server: DumpServer, folder: Path) -> None:
    one = published([{"address": server.put("a.json", b"[1]")}], {"x/a.json": {"of": "a.json"}})
    get(one, folder)
    (folder / "x" / "a.json").unlink()
    server.put("a.json", b"[2]", etag='"2"')
    with pytest.raises(DataError, match="has changed since it was first fetched"):
        get_set("one", one, folder, downloads=folder / "other")
    get_set("one", one, folder, downloads=folder / "other", replace=True)
    assert (folder / "x" / "a.json").read_bytes() == b"[2]"


def test_a_file_that_was_not_fetched_is_not_replaced_unasked(server: DumpServer, folder: Path) -> None:
    one = published([{"address": server.put("a.json", b"[1]")}], {"x/a.json": {"of": "a.json"}})
    (folder / "x").mkdir(parents=True)
    (folder / "x" / "a.json").write_text("mine")
    with pytest.raises(ConfigError, match="exists, and was not fetched; replace it with --force"):
        get(one, folder)
    assert (folder / "x" / "a.json").read_text() == "mine"
    get(one, folder, replace=True)
    assert (folder / "x" / "a.json").read_text() == "[1]"


def test_without_a_server_it_says_how_by_hand(server: DumpServer, folder: Path, tmp_path: Path) -> None:
    one = published([{"address": f"{server.address}/a.json"}], {"x/a.json": {"of": "a.json"}})
    with pytest.raises(DataError, match=r"404.*By hand: fetch http://127.0.0.1.*as 'a.json', and name its folder"):
        get(one, folder)
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "a.json").write_text("[1]")
    get(one, folder, taken_from=tmp_path / "given")
    assert (folder / "x" / "a.json").read_text() == "[1]"


def test_what_is_fetched_by_hand_says_how(folder: Path) -> None:
    with pytest.raises(DataError, match=r"'MetaQA.zip' is fetched by hand, from https://.*/MetaQA : open"):
        get(published_set("metaqa"), folder)


def test_two_do_not_fetch_the_same_set_at_once(folder: Path) -> None:
    one = published([{"address": "https://example.org/a.json"}], {"x/a.json": {"of": "a.json"}})
    with (
        locked(lock_of(folder / "fetched" / "one.json"), "it"),
        pytest.raises(ConfigError, match="is writing to the data set 'one'"),
    ):
        get(one, folder)


# Making ---------------------------------------------------------------------------------------------------


@pytest.mark.slow(0.2)
def test_a_graph_is_made_of_several_files_in_the_same_bytes_each_time(server: DumpServer, folder: Path) -> None:
    addresses = [
        server.put("a.ttl", b"@base <http://example.org/> . <a> <b> <c> ."),
        server.put("b.n3", b"@prefix : <http://example.org/> . :d :e 1 ."),
    ]
    one = published(
        [{"address": address} for address in addresses], {"x/kg.nt.gz": {"of": ["a.ttl", "b.n3"], "form": "graph"}}
    )
    [path] = get(one, folder)
    first = path.read_bytes()
    assert gzip.decompress(first).decode() == (
        "<http://example.org/a> <http://example.org/b> <http://example.org/c> .\n"
        '<http://example.org/d> <http://example.org/e> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
    )
    get(one, folder, replace=True)
    assert path.read_bytes() == first


@pytest.mark.slow(0.1)
def test_a_graph_that_is_not_valid_leaves_nothing_behind(server: DumpServer, folder: Path) -> None:
    address = server.put("a.ttl", b"<a> <b> <c> . oh")
    one = published([{"address": address}], {"x/kg.nt.gz": {"of": "a.ttl", "form": "graph"}})
    with pytest.raises(DataError, match="not valid"):
        get(one, folder)
    assert list((folder / "x").iterdir()) == []


def test_metaqa_comes_from_its_archive(tmp_path: Path, folder: Path) -> None:
    question = "who directed [Kismet]\tWilliam Dieterle\n"
    hops = {f"MetaQA/{hop}-hop/vanilla/qa_dev.txt": question for hop in (1, 2, 3)}
    archive(tmp_path / "MetaQA.zip", {"MetaQA/kb.txt": KB, **hops})
    get(published_set("metaqa"), folder, taken_from=tmp_path)
    assert (folder / "metaqa" / "2-hop_dev.txt").read_text() == question
    graph = pyoxigraph.Store()
    graph.bulk_load(gzip.decompress((folder / "metaqa" / "kg.nt.gz").read_bytes()), pyoxigraph.RdfFormat.N_TRIPLES)
    assert graph.query(
        """PREFIX r: <http://example.org/metaqa/relation/> PREFIX c: <http://example.org/metaqa/class/>
        PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
        ASK { ?film a c:Film ; rdfs:label "Kismet" ; r:release_year 1944 ; r:directed_by ?who ; r:has_tags ?tag .
              ?who a c:Person ; rdfs:label "William Dieterle" . ?tag a c:Tag }"""
    )


def test_only_the_file_that_is_asked_for_is_taken_from_an_archive(tmp_path: Path) -> None:
    archive(tmp_path / "a.zip", {"../../evil.txt": "x", "in/a.txt": "good"})
    with fetching.opened(tmp_path / "a.zip", "in/a.txt") as stream:
        assert stream.read() == b"good"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip"]


def test_links_in_an_archive_are_no_files(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as packed:
        link = tarfile.TarInfo("a.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(link)
        entry = tarfile.TarInfo("b.txt")
        entry.size = 4
        packed.addfile(entry, io.BytesIO(b"good"))
    with fetching.opened(tmp_path / "a.tar.gz", "b.txt") as stream:
        assert stream.read() == b"good"
    with (
        pytest.raises(DataError, match=r"must have one file 'a.txt'; it has 'b.txt'"),
        fetching.opened(tmp_path / "a.tar.gz", "a.txt"),
    ):
        pass


def test_what_unpacks_to_too_much_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.txt", bytes(10 << 20))
    monkeypatch.setattr(fetching, "LARGEST", 1 << 20)
    with (
        pytest.raises(DataError, match="unpacks to more than 1,048,576 bytes"),
        fetching.opened(tmp_path / "a.zip", "a.txt") as stream,
    ):
        stream.read()


@pytest.mark.parametrize("content", [b"no archive", b"PK\x05\x06" + bytes(18), b""])
def test_a_damaged_archive_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(DataError, match=r"a\.zip"), fetching.opened(tmp_path / "a.zip", "a.txt"):
        pass


def test_a_member_that_is_damaged_is_named_as_the_download_and_not_as_what_is_made(
    tmp_path: Path, folder: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_LZMA) as packed:
        packed.writestr("a.txt", "much " * 10_000)
    content = bytearray((tmp_path / "a.zip").read_bytes())
    content[60:90] = bytes(30)
    (tmp_path / "a.zip").write_bytes(content)
    one = published([{"address": "https://example.org/a.zip"}], {"x/a.txt": {"of": "a.zip", "member": "a.txt"}})
    with pytest.raises(DataError, match=r"a\.zip' is damaged"):
        get(one, folder, taken_from=tmp_path)


def test_lines_that_are_not_utf8_are_told(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "kb.txt").write_bytes("Amélie|has_genre|comedy\n".encode("latin-1"))
    one = published([{"address": "https://example.org/kb.txt"}], {"x/kg.nt.gz": {"of": "kb.txt", "form": "metaqa"}})
    with pytest.raises(DataError, match=r"kb\.txt' is not UTF-8"):
        get(one, folder, taken_from=tmp_path)


# The command line -----------------------------------------------------------------------------------------


@pytest.mark.slow(0.1)
def test_the_command_lists_sets_and_fetches_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_DATA", str(tmp_path / "data"))
    listed = json.loads(CliRunner().invoke(app, ["data", "list", "--json"]).stdout)
    assert {"name", "there", "licence", "home", "downloads", "files", "needs"} <= listed[0].keys()
    lines = CliRunner().invoke(app, ["data", "list"]).stdout.splitlines()
    assert any(line.startswith("metaqa\t") and line.endswith("\tby hand") for line in lines)
    (tmp_path / "qald9_yago100.json").write_text("{}")
    result = CliRunner().invoke(app, ["data", "get", "yago", "--from", str(tmp_path)])
    assert result.stdout == f"{tmp_path}/data/yago/questions.json\n"
    assert "licence: MIT" in result.stderr
    assert "a run needs, too: the graph" in result.stderr
    assert CliRunner().invoke(app, ["data", "get", "yago"]).stdout == ""
