"""MetaQA: a question with its topic in brackets, a tab, and the names of the answers with bars between them.

For ``2-hop_dev.txt``, the types of the questions are looked for in ``2-hop_qa_dev_qtype.txt`` or ``qa_dev_qtype.txt``
beside it, for ``2-hop/vanilla/qa_dev.txt`` also in the folder above; gold queries are looked for in
``2-hop_dev_gold.rq``: one a line, for the question of the same line. Answers are compared by name. As questions have no
ids, they are named after the hops and their text.

Source: https://github.com/yuyuz/MetaQA.
"""

import re
from collections.abc import Iterator
from typing import Any

from triad.datasets.base import BadRecord, Format, Item, Record, SetFile, identity, read_text, tagged
from triad.errors import DataError
from triad.rdf import Literal, ResultSet

_TOPIC = re.compile(r"\[([^\[\]\t]+)\]")
_HOPS = re.compile(r"(?<!\d)([1-9])[-_]?hop", re.IGNORECASE)


def _fits(source: SetFile) -> bool:
    start = [line for line in source.lines[:20] if line]
    return any("\t" in line and _TOPIC.search(line.split("\t")[0]) for line in start)


def _records(source: SetFile) -> Iterator[Record]:
    lines = source.lines
    stem = source.stem
    hops, _, part = stem.partition("_")
    names = (stem, f"{hops}_qa_{part}", f"qa_{stem}")
    types = _beside(source, len(lines), *(f"{name}_qtype.txt" for name in names))
    queries = _beside(source, len(lines), f"{stem}_gold.rq")
    for at, line in enumerate(lines):
        yield f"line {at + 1}", (line, types[at], queries[at])


def _beside(source: SetFile, count: int, *names: str) -> list[str | None]:
    """Return the lines of the first of the files that is there; None for each line if none is."""
    folders = (source.path.parent, source.path.parent.parent)  # the published set has the types one folder above
    for path in (folder / name for folder in folders for name in names):
        if path.is_file():
            lines = SetFile(path, read_text(path)).lines
            if len(lines) != count:
                raise DataError(f"{path} has {len(lines)} lines and {source.path.name} has {count}: they must be equal")
            return [line.strip() or None for line in lines]
    return [None] * count


def _item(source: SetFile, place: str, record: Any) -> Item:
    line, kind, query = record
    marked, tab, names = line.partition("\t")
    if not tab or not _TOPIC.search(marked):
        raise BadRecord(f"a question with a [topic], a tab and answers is expected, got {line[:80]!r}")
    if not (answers := [name for name in names.split("|") if name.strip()]):
        raise BadRecord("there is no answer behind the tab")
    hops = next(reversed(_HOPS.findall(source.path.as_posix())), None)  # the file's own name counts before its folders'
    text = _TOPIC.sub(r"\1", marked).strip()
    key = identity(None, marked)
    question = source.question(text, f"{hops}-hop-{key[2:]}" if hops else key)
    gold = ResultSet(("answer",), tuple((Literal(name),) for name in answers))
    return Item(question, gold, query, tags=tagged({"hops": hops, "type": kind}), by_name=True)


METAQA = Format("metaqa", _fits, _records, _item)
