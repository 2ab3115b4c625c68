from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
import zstandard

from triad.errors import DataError
from triad.kg.files import COMPRESSION_SUFFIXES, OPENERS, RDF_SUFFIXES, open_rdf, rdf_format, rdf_members
from triad.kg.stores import load_rdf

TRIPLE = "<http://example.org/a> <http://example.org/b> <http://example.org/c>"
RDF_XML = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="http://example.org/">
<rdf:Description rdf:about="http://example.org/a"><ex:b rdf:resource="http://example.org/c"/></rdf:Description>
</rdf:RDF>"""
JSON_LD = '{"@id": "http://example.org/a", "http://example.org/b": {"@id": "http://example.org/c"}}'
CONTENT = {".rdf": RDF_XML, ".xml": RDF_XML, ".owl": RDF_XML, ".jsonld": JSON_LD}
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.compress,
}
LINES = "".join(f"<http://example.org/{n}> <http://example.org/b> <http://example.org/c> .\n" for n in range(5000))


def load(path: Path, **options: Any) -> list[str]:
    store = pyoxigraph.Store()
    load_rdf(store, path, **options)
    return [f"{quad.subject} {quad.predicate} {quad.object}" for quad in store]


@pytest.mark.parametrize("suffix", RDF_SUFFIXES)
def test_a_file_of_each_format_is_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"data{suffix}"
    path.write_text(CONTENT.get(suffix, f"{TRIPLE} ."))
    assert load(path) == [TRIPLE]


@pytest.mark.parametrize("suffix", COMPRESSION_SUFFIXES)
def test_a_compressed_file_is_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"data.v2.NT{suffix.upper()}"
    path.write_bytes(COMPRESS[suffix](f"{TRIPLE} .".encode()))
    assert load(path) == [TRIPLE]


@pytest.mark.parametrize("suffix", COMPRESSION_SUFFIXES)
def test_a_file_compressed_in_parts_is_read_to_its_end(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"data.nt{suffix}"
    half = len(LINES) // 2
    path.write_bytes(COMPRESS[suffix](LINES[:half].encode()) + COMPRESS[suffix](LINES[half:].encode()))
    with open_rdf(path) as stream:
        assert stream.read().decode() == LINES


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("suffix", COMPRESSION_SUFFIXES)
def test_a_compressed_file_that_was_cut_off_is_an_error(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"data.nt{suffix}"
    compressed = COMPRESS[suffix](LINES.encode())
    path.write_bytes(compressed[: len(compressed) // 2])
    with pytest.raises(DataError, match=r"cannot read .*data\.nt"):
        load(path)


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("suffix", COMPRESSION_SUFFIXES)
def test_a_file_that_is_not_compressed_as_it_says_is_an_error(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"data.nt{suffix}"
    path.write_text(f"{TRIPLE} .")
    with pytest.raises(DataError, match=r"cannot read .*data\.nt"):
        load(path)


def test_an_archive_with_a_password_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "data.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.nt", LINES)
    content = bytearray(path.read_bytes())
    content[6] |= 1  # the flag of a file that is encrypted, in its own head and in the list of files
    content[content.rindex(b"PK\1\2") + 8] |= 1
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"cannot open .*password"):
        open_rdf(path, "a.nt")


@pytest.mark.parametrize(("at", "value"), [(6, b"\x63"), (8, b"\0\x08")], ids=["version", "encoding"])
def test_an_archive_that_cannot_be_listed_is_an_error(tmp_path: Path, at: int, value: bytes) -> None:
    path = tmp_path / "data.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.nt", LINES)
    head, tail = path.read_bytes().split(b"PK\1\2")
    tail = tail.replace(b"a.nt", b"\xff.nt")  # which is no UTF-8, where the flags say that it is
    changed = bytearray(b"PK\1\2" + tail)
    changed[at : at + len(value)] = value
    path.write_bytes(head + changed)
    for opening in (open_rdf, rdf_members, rdf_format, lambda path: open_rdf(path, "a.nt")):
        with pytest.raises(DataError, match=r"cannot open .*data\.zip'"):
            opening(path)


@pytest.mark.slow(0.2)
def test_an_empty_file_has_no_triples(tmp_path: Path) -> None:
    for suffix in COMPRESSION_SUFFIXES:
        (tmp_path / f"data.ttl{suffix}").write_bytes(COMPRESS[suffix](b""))
        assert load(tmp_path / f"data.ttl{suffix}") == []


@pytest.mark.parametrize("name", ["data.csv", "data", "data.gz", "ttl", ".ttl.rar"])
def test_a_name_without_a_known_extension_is_an_error_that_lists_them(name: str) -> None:
    with pytest.raises(DataError, match=r"\.ttl, \.nt, \.nq.*\.gz"):
        rdf_format(name)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot open .*missing\.ttl': No such file"):
        open_rdf(tmp_path / "missing.ttl")


def test_malformed_rdf_is_an_error_that_names_file_format_and_place(tmp_path: Path) -> None:
    path = tmp_path / "data.ttl"
    path.write_text(f"{TRIPLE} .\n<http://example.org/a> <http://example.org/b> .")
    with pytest.raises(DataError, match=r"data\.ttl' is not valid Turtle: .*line 2 column 47"):
        load(path)


@pytest.mark.slow(0.2)
def test_a_malformed_iri_is_an_error_that_says_how_to_accept_it(tmp_path: Path) -> None:
    path = tmp_path / "data.nt"
    path.write_text("<http://example.org/a b> <http://example.org/b> 'c' .".replace("'", '"'))
    with pytest.raises(DataError, match="lenient=True"):
        load(path)
    assert len(load(path, lenient=True)) == 1


def test_relative_iris_are_resolved_against_the_file(tmp_path: Path) -> None:
    path = tmp_path / "data.ttl"
    path.write_text("<#a> <http://example.org/b> <> .")
    assert load(path) == [f"<{path.as_uri()}#a> <http://example.org/b> <{path.as_uri()}>"]


@pytest.mark.slow(0.2)
def test_little_that_stands_for_much_is_unpacked_bit_by_bit(tmp_path: Path) -> None:
    packer = zstandard.ZstdCompressor().compressobj()
    packed = b"".join([*(packer.compress(bytes(2**20)) for _ in range(256)), packer.flush()])
    (tmp_path / "a.nt.zst").write_bytes(packed)
    tracemalloc.start()
    try:
        with open_rdf(tmp_path / "a.nt.zst") as file:
            assert file.read(1) == b"\0"
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("suffix", [".xz", ".zst"])
def test_a_file_of_no_bytes_is_one_that_was_cut_off(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"data.nt{suffix}").touch()
    with open_rdf(tmp_path / f"data.nt{suffix}") as file, pytest.raises(DataError, match="end in the middle"):
        file.read()


def test_zeros_may_follow_what_is_compressed(tmp_path: Path) -> None:
    path = tmp_path / "a.nt.xz"
    path.write_bytes(lzma.compress(b"a") + bytes(4) + lzma.compress(b"b") + bytes(4_096))
    with open_rdf(path) as file:
        assert file.read() == b"ab"


def test_a_file_that_asks_for_much_memory_to_be_unpacked_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.nt.xz"
    packed = bytearray(lzma.compress(LINES.encode(), format=lzma.FORMAT_ALONE))
    packed[1:5] = (1 << 29).to_bytes(4, "little")  # the size of the dictionary
    path.write_bytes(packed)
    with open_rdf(path) as file, pytest.raises(DataError, match=r"cannot read .*a\.nt\.xz': Memory usage limit"):
        file.read()


def test_what_follows_a_frame_is_read_once(tmp_path: Path) -> None:
    class Counted(io.BytesIO):
        reads = 0

        def read(self, size: int | None = -1, /) -> bytes:
            self.reads += 1
            return super().read(size)

    file = Counted(zstandard.compress(b"") * 1_000 + zstandard.compress(b"a"))
    stream = io.BufferedReader(OPENERS[".zst"](file))  # type: ignore[arg-type]
    assert stream.read() == b"a"
    assert file.reads < 20
