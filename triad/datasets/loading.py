"""Reading a data set: the format is found, records become items, and faults are named."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from triad.datasets import conversations, keyed, metaqa, plain, qald, text2sparql
from triad.datasets.base import BadRecord, DataSet, Format, Item, Malformed, SetFile, checked, read_text
from triad.errors import DataError
from triad.naming import among

FORMATS: Final[Mapping[str, Format]] = {
    form.name: form
    for form in (
        *conversations.FORMATS,
        *keyed.FORMATS,
        qald.QALD,
        plain.CRP,
        plain.JSONL,
        text2sparql.TEXT2SPARQL,
        metaqa.METAQA,
        plain.CSV,
    )
}
"""The formats by name, in the order in which a file is tried."""


def load_dataset(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    language: str = "",
    answers: str | os.PathLike[str] | None = None,
    strict: bool = False,
) -> DataSet:
    """Read a data set.

    Args:
        path: A file.
        format: A name of `FORMATS`; by default the content tells.
        language: The language in which the questions are taken from a set that has them in several, and of those whose
            record does not say it. Without one, the former are taken in English, and the latter have none.
        answers: A file of gold answers, for the formats that keep them apart; without it the gold query is to be run.
        strict: Whether a record that cannot be used is an error; by default it is listed and left out.

    Raises:
        DataError: The file cannot be read, its format is unknown, or, if ``strict``, a record cannot be used.
    """
    path, apart = Path(path), None
    text = read_text(path)
    if answers:
        if not Path(answers).is_file():
            raise DataError(f"there is no file {str(answers)!r} with gold answers")
        apart = SetFile(Path(answers), read_text(Path(answers), "the gold answers"))
    source = SetFile(path, text, language, apart)
    if format and format not in FORMATS:
        raise DataError(f"unknown format {format!r}; known: {among(sorted(FORMATS), format)}")
    form = FORMATS[format] if format else _detected(source)
    if answers and not form.gold_apart:
        may = ", ".join(name for name, other in FORMATS.items() if other.gold_apart)
        raise DataError(f"a set in the format {form.name!r} has no gold answers in a file apart; one in {may} may")
    items: dict[str, Item] = {}
    malformed: list[Malformed] = []
    for place, record in form.records(source):
        try:
            if isinstance(record, BadRecord):
                raise record
            if (read := form.item(source, place, record)) is None:
                continue
            item, id_ = checked(read), str(read.question.id)
            if id_ in items:
                raise BadRecord(f"the id {id_!r} is taken by an earlier record")
            items[id_] = item
        except BadRecord as fault:
            malformed.append(Malformed(str(source.path), place, str(fault)))
            if strict:
                raise DataError(str(malformed[0])) from fault
    return DataSet(str(form.title(source) or source.stem), tuple(items.values()), tuple(malformed))


def _detected(source: SetFile) -> Format:
    if not source.text.strip():
        raise DataError(f"the data set {str(source.path)!r} is empty")
    for form in FORMATS.values():
        if form.fits(source):
            return form
    if Path(source.name).suffix.lower() == ".csv":
        return plain.CSV  # whose fault is told
    if source.fault:
        raise DataError(f"{source.path}: not JSON: {source.fault}")
    raise DataError(f"{source.path}: the format cannot be told from the content; name one of {', '.join(FORMATS)}")
