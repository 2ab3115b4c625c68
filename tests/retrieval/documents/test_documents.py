"""Documents of every kind, the messy ones too: what is read of them, and how they become passages."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from loguru import logger

from triad.errors import ConfigError, DataError
from triad.retrieval.documents.folder import DocumentFolder, mentioned
from triad.retrieval.documents.reading import read_document
from triad.retrieval.search.base import cut_text
from triad.search.base import Entry
from triad.search.local import LocalIndex

pytest.importorskip("markdown_it")
pytest.importorskip("bs4")
pypdf = pytest.importorskip("pypdf")

MARKDOWN = """---
title: "Care: chains and belts"
date: 2024-05-12
---
# Care

Oil the chain. A belt needs no oil!

## Intervals

| part | km |
| --- | --- |
| chain | 2,500 |

- Brakes: *every* 1,000 km, see [the guide](guide.md)

```
torque = 5 Nm
```
"""

HTML = """<!doctype html><html lang="de"><head><title>Pflege &amp; Wartung</title>
<meta property="article:published_time" content="2023-11-02T08:00:00Z"><script>alert("no")</script></head>
<body><nav>Start</nav><h1>Pflege</h1><p>Die Kette <b>ölen</b>.<br>Dann fahren.</p>
<h2>Teile</h2><table><tr><td>Kette</td><td>2.500 km</td></tr></table><!-- hidden --></body>"""


@pytest.fixture
def warned() -> Iterator[list[str]]:
    """The warnings of a test."""
    told: list[str] = []
    sink = logger.add(lambda message: told.append(str(message)), level="WARNING", format="{message}")
    yield told
    logger.remove(sink)


def written(folder: Path, name: str, content: str | bytes) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def pdf(text: str) -> bytes:
    """A PDF of one page."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return data + (
        b"xref\n0 6\n0000000000 65535 f \n"
        + table
        + b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(data)
    )


def test_markdown_is_read_with_its_front_matter_headings_and_tables(tmp_path: Path) -> None:
    document = read_document(written(tmp_path, "care.md", MARKDOWN))
    assert (document.title, document.date, document.language) == ("Care: chains and belts", "2024-05-12", "en")
    care, intervals = document.sections
    assert (care.headings, care.blocks) == (("Care",), ("Oil the chain. A belt needs no oil!",))
    assert intervals.headings == ("Care", "Intervals")
    assert intervals.blocks == ("part | km", "chain | 2,500", "Brakes: every 1,000 km, see the guide", "torque = 5 Nm")


def test_html_is_read_without_what_is_not_seen(tmp_path: Path) -> None:
    document = read_document(written(tmp_path, "pflege.html", HTML))
    assert (document.title, document.date, document.language) == ("Pflege & Wartung", "2023-11-02", "de")
    assert [section.headings for section in document.sections] == [(), ("Pflege",), ("Pflege", "Teile")]
    said = " ".join(block for section in document.sections for block in section.blocks)
    assert said == "Start Die Kette ölen. Dann fahren. Kette | 2.500 km"


def test_characters_that_stand_between_blocks_end_no_page(tmp_path: Path) -> None:
    page = "<h1>One</h1><p>a \x1d\u00b2 b</p><p>&#29;\u00b2</p><p>x\x1ey</p><h2>Two</h2><p>c</p>"
    document = read_document(written(tmp_path, "odd.html", page))
    assert [section.headings for section in document.sections] == [("One",), ("One", "Two")]
    assert [section.blocks for section in document.sections] == [("a \u00b2 b", "\u00b2", "x", "y"), ("c",)]


def test_html_that_is_nested_deeply_is_read(tmp_path: Path) -> None:
    document = read_document(written(tmp_path, "deep.html", "<b>" * 700 + "deep" + "</b>" * 700))
    assert document.sections[0].blocks == ("deep",)


def test_a_pdf_is_read_page_by_page(tmp_path: Path) -> None:
    document = read_document(written(tmp_path, "note.pdf", pdf("Updated on 3 May 2024: torque is 5 Nm")))
    assert document.sections[0].headings == ("page 1",)
    assert document.sections[0].blocks == ("Updated on 3 May 2024: torque is 5 Nm",)
    assert document.date == "2024-05-03"


def test_the_date_is_told_by_the_text_or_else_by_the_file(tmp_path: Path) -> None:
    told = written(tmp_path, "told.txt", "Notice\n\nAs of 12 May 2023 the price is 5 EUR.")
    silent = written(tmp_path, "silent.txt", "Prices rose by 5 in 100.")
    os.utime(silent, (1_600_000_000, 1_600_000_000))
    assert (read_document(told).title, read_document(told).date) == ("Notice", "2023-05-12")
    assert read_document(silent).date == "2020-09-13"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("none.pdf", b"this is no PDF", "no PDF"),
        ("cut.pdf", pdf("text")[:200], "PDF"),
        ("latin.txt", "Öl".encode("latin-1"), "UTF-8"),
        ("bytes.md", b"\x00\x01\x02", "not a text"),
        ("empty.md", b"", "no text"),
        ("blank.html", b"<html><body> </body></html>", "no text"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_reason(
    tmp_path: Path, warned: list[str], name: str, content: bytes, why: str
) -> None:
    file = written(tmp_path, name, content)
    with pytest.raises(DataError, match=why):
        read_document(file)
    written(tmp_path, "good.md", "Fine.")
    with closing(DocumentFolder(tmp_path)) as folder:
        found = {path: folder.read(path)[1] for path in folder.files()}
    assert {path for path, passages in found.items() if passages} == {"good.md"}
    [warning] = warned
    assert name in warning
    assert why in warning


def test_texts_with_a_mark_of_their_encoding_are_read(tmp_path: Path) -> None:
    file = written(tmp_path, "wide.txt", "Kettenöl für Räder.".encode("utf-16"))
    assert read_document(file).sections[0].blocks == ("Kettenöl für Räder.",)


def test_links_in_circles_and_hidden_files_are_passed_over(tmp_path: Path, warned: list[str]) -> None:
    written(tmp_path, "a/one.md", "One.")
    written(tmp_path, ".git/two.md", "Two.")
    written(tmp_path, "image.png", b"png")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "a" / "self").symlink_to(tmp_path / "a" / "self")
    (tmp_path / "lost.md").symlink_to(tmp_path / "nowhere.md")
    assert list(DocumentFolder(tmp_path).files()) == ["a/one.md"]
    assert [Path(warning.split("'")[1]).name for warning in warned] == ["lost.md", "self"]


def test_links_that_lead_out_of_the_folder_are_left_out(tmp_path: Path, warned: list[str]) -> None:
    secret = written(tmp_path, "outside/secret.txt", "Secret.")
    written(tmp_path, "within/one.md", "One.")
    (tmp_path / "within" / "link.txt").symlink_to(secret)
    (tmp_path / "within" / "folder").symlink_to(secret.parent)
    (tmp_path / "within" / "two.md").symlink_to(tmp_path / "within" / "one.md")
    assert list(DocumentFolder(tmp_path / "within").files()) == ["one.md", "two.md"]
    assert all("leads out of the folder" in warning for warning in warned)
    assert len(warned) == 2


def _of_one_stream(pages: int) -> bytes:
    """Return a small PDF whose pages are all the same, very long one."""
    writer, named, entries = pypdf.PdfWriter(), pypdf.generic.NameObject, pypdf.generic.DictionaryObject
    stream = pypdf.generic.StreamObject()
    stream.set_data(b"BT /F1 9 Tf " + b"(a) Tj 0 -9 Td " * 20_000 + b"ET")
    kind = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    font = entries({named("/F1"): entries({named(key): named(value) for key, value in kind.items()})})
    shared = {named("/Contents"): writer._add_object(stream.flate_encode())}
    for _ in range(pages):
        page = writer.add_blank_page(100, 100)
        page.update(shared | {named("/Resources"): entries({named("/Font"): font})})
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["slow.html", "slow.pdf"])
def test_a_file_that_takes_too_long_to_read_is_left_out_and_the_next_one_is_read(
    tmp_path: Path, warned: list[str], name: str
) -> None:
    written(tmp_path, name, "<p>x" * 30_000 if name == "slow.html" else _of_one_stream(100))
    assert (tmp_path / name).stat().st_size < 300_000
    written(tmp_path, "text.md", "Text.")
    with closing(DocumentFolder(tmp_path, seconds=1)) as folder:
        assert folder.read(name)[1] == []
        folder._seconds = 120
        assert [one.text for one in folder.read("text.md")[1]] == ["Text."]
    [warning] = warned
    assert f"{name}' takes longer than 1 seconds to read" in warning


def test_of_a_file_that_is_too_large_nothing_is_read(
    tmp_path: Path, warned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triad.retrieval.documents.folder._LARGEST", 10)
    (tmp_path / "large.md").write_text("Oil the chain.")
    with closing(DocumentFolder(tmp_path)) as documents:
        state, passages = documents.read("large.md")
        assert (state.content, passages) == ("", [])
        assert "is larger than" in warned[0]
        (tmp_path / "large.md").write_text("Oil the chain, too.")
        assert documents.changed({"large.md": state}) == ([], [])
        (tmp_path / "large.md").write_text("Oil it.")
        assert documents.changed({"large.md": state}) == (["large.md"], [])


def test_a_long_text_without_an_end_is_cut_in_time() -> None:
    started = time.process_time()
    assert sum(map(len, cut_text("a" * 2**24))) == 2**24
    assert list(cut_text("One. \t  Two", 5)) == ["One.", "Two"]
    assert time.process_time() - started < 5


@pytest.mark.slow
def test_pieces_have_titles_headings_and_neighbours(tmp_path: Path) -> None:
    long = " ".join(f"Sentence {at} tells something of the matter." for at in range(60))
    written(tmp_path, "guide.md", f"# Guide\n\n{long}\n\n## Ende\n\nShort.\n")
    with closing(DocumentFolder(tmp_path)) as folder:
        [state, passages] = folder.read("guide.md")
    assert [one.id for one in passages] == [
        "guide.md#Guide 1",
        "guide.md#Guide 2",
        "guide.md#Guide 3",
        "guide.md#Guide / Ende 1",
    ]
    assert state.passages == tuple(one.id for one in passages)
    assert [one.title for one in passages] == ["Guide", "Guide", "Guide", "Guide – Ende"]
    assert all(len(one.text) <= 1_100 and len(one.sentences) > 1 for one in passages[:3])
    assert " ".join(one.text for one in passages[:3]) == long
    assert [(one.before, one.after) for one in passages[1:3]] == [
        ("guide.md#Guide 1", "guide.md#Guide 3"),
        ("guide.md#Guide 2", "guide.md#Guide / Ende 1"),
    ]
    assert {(one.source, one.document) for one in passages} == {("documents", "guide.md")}


def test_things_are_mentioned_where_their_labels_stand_letter_by_letter(tmp_path: Path) -> None:
    index = LocalIndex()
    names = {"fjell": "Fjell 7", "fjell-carbon": "Fjell 7 Carbon", "sand": "Sand", "lock": "Frame lock, 5 mm"}
    index.add([Entry(f"http://example.org/{key}", "entity", name) for key, name in names.items()])
    mentions = partial(mentioned, index)
    assert mentions("The Fjell 7 Carbon rolls through sand with a Frame lock, 5 mm.") == (
        "http://example.org/fjell-carbon",
        "http://example.org/lock",
    )
    assert mentions("the fjell 7") == ()


@pytest.mark.slow
def test_only_what_has_changed_is_new(tmp_path: Path) -> None:
    for name in ("same.md", "other.md", "gone.md", "touched.md"):
        written(tmp_path, name, name)
    with closing(DocumentFolder(tmp_path)) as folder:
        known = {path: folder.read(path)[0] for path in folder.files()}
    assert folder.changed(known) == ([], [])
    written(tmp_path, "other.md", "changed")
    written(tmp_path, "new.md", "new")
    os.utime(tmp_path / "touched.md", (1, 1))
    (tmp_path / "gone.md").unlink()
    assert folder.changed(known) == (["new.md", "other.md"], ["gone.md"])


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no folder of documents"):
        DocumentFolder(tmp_path / "none")
