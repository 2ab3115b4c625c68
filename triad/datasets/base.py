"""Data sets and their questions, and the parts that all formats share: ids, gold terms, answer types."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from triad import sparql
from triad.caching import cached_property
from triad.datasets.expected import Expected
from triad.errors import DataError
from triad.kg.files import DAMAGED, OPENERS
from triad.questions import AnswerType, Question
from triad.rdf import IRI, XSD, Literal, ResultSet, Term
from triad.resources import how_to_get
from triad.strict import parse_yaml

T = TypeVar("T")

_KINDS: Final[Mapping[type, str]] = {str: "a text", list: "a list", dict: "an object"}


@dataclass(frozen=True, slots=True)
class Item:
    """A question and its gold."""

    question: Question
    """With an id that no other item of the set has."""
    gold: ResultSet | None
    """The stored gold answers; None where the gold query is to be run for them."""
    gold_query: str | None = None
    answer_type: AnswerType = "select"
    tags: Mapping[str, str] = field(default_factory=dict)
    """Properties of the question from the data set, such as ``{"hops": "2"}``: groups that scores are broken down
    by."""
    order_matters: bool = False
    """True if the answers have to come in the order of the gold."""
    by_name: bool = False
    """True if gold answers are names of entities: an IRI that is answered counts by its label."""
    dialogue: str | None = None
    """The dialogue that the question is a turn of, if it is to be asked in the context of the turns before."""
    history: tuple[str, ...] = ()
    """The questions of the turns before, in order."""
    path: str | None = None
    """The gold query as the text of a reasoning path, whose names a run finds in its graph."""
    expected: Expected | None = None
    """The gold of an answer in words, which is judged by `triad.evaluation.metrics.scoring`."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """A record that cannot be used."""

    file: str
    id: str
    """The record's id, or its place in the file where it has none."""
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: record {self.id!r}: {self.reason}"


@dataclass(frozen=True, slots=True)
class DataSet:
    """The usable questions of a file, in its order, and the reasons why others were left out."""

    name: str
    items: tuple[Item, ...]
    malformed: tuple[Malformed, ...] = ()


class BadRecord(ValueError):
    """A record that cannot be used; the message says why."""


Record = tuple[str, Any]
"""A record as a format finds it: its id or place, and what it holds or, as a `BadRecord`, why it cannot be read."""


@dataclass(frozen=True)
class SetFile:
    """A file to read."""

    path: Path
    text: str
    language: str = ""
    """The language of questions whose record does not say it; empty if it is not known."""
    answers: SetFile | None = None
    """A file of gold answers."""

    def question(self, text: str, given: Any, language: str | None = None) -> Question:
        """Return a question; without a language it has the one that is wanted, without an id one made of its text."""
        return Question(text, self.wanted if language is None else language, identity(given, text))

    @property
    def wanted(self) -> str:
        """The language in which questions are taken from a set that has them in several, or in English."""
        return self.language or "en"

    @property
    def name(self) -> str:
        """The file's name, without what says that it is compressed."""
        return self.path.stem if self.path.suffix.lower() in OPENERS else self.path.name

    @property
    def stem(self) -> str:
        """The file's name without its extension."""
        return Path(self.name).stem

    @property
    def data(self) -> Any:
        """The content as JSON; None if it is not JSON."""
        return self._json[0]

    @property
    def fault(self) -> str | None:
        """Why a file that begins like JSON is not JSON; None if it is, or does not begin like JSON."""
        return self._json[1]

    def under(self, key: str) -> list[Any] | None:
        """Return the list under a key of a JSON object; None if there is none."""
        found = self.data.get(key) if isinstance(self.data, dict) else None
        return found if isinstance(found, list) else None

    @cached_property
    def _json(self) -> tuple[Any, str | None]:
        if self.text.lstrip()[:1] not in ("{", "["):
            return None, None
        try:
            return json.loads(self.text), None
        except (ValueError, RecursionError) as error:
            return None, str(error)

    @cached_property
    def yaml(self) -> Any:
        """The content as YAML; a `DataError` if it is none."""
        try:
            return parse_yaml(self.text)
        except ValueError as error:
            raise DataError(f"{self.path}: {error}") from error

    @cached_property
    def lines(self) -> list[str]:
        """The lines; only line feeds end one, as questions may hold other separators."""
        return self.text.replace("\r\n", "\n").removesuffix("\n").split("\n")


ReadItem = Callable[[SetFile, str, Any], Item | None]
"""Makes a record an item, or None if it is not to be scored; a `BadRecord` says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Format:
    """How to tell a format, and how to read it."""

    name: str
    fits: Callable[[SetFile], bool]
    records: Callable[[SetFile], Iterable[Record]]
    """Yields the records of a file; a fault of the whole file is a `DataError`."""
    item: ReadItem
    title: Callable[[SetFile], Any] = lambda source: None
    """What a file calls its set; nothing where that is its name."""
    gold_apart: bool = False
    """Whether gold answers may be in a file of their own."""


# What records share ---------------------------------------------------------------------------------------

_SURROGATE = re.compile("[\ud800-\udfff]")
_IRI = re.compile(r"(?:https?|urn|ftp|mailto|tag):[^\s<>\"{}|\\^`]+\Z")
_FORM = re.compile(r"(?<![\w?$:])(SELECT|ASK|CONSTRUCT|DESCRIBE)\b", re.IGNORECASE)
_ONE_COUNT = re.compile(
    r"\s*(?:DISTINCT\b|REDUCED\b)?\s*\(?\s*COUNT\s*\([^()]*\)\s*(?:AS\s*[?$]\w+)?\s*\)?\s*(?:AS\s*[?$]\w+)?"
    r"\s*(?:WHERE\b|FROM\b|\{)",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"(?<![\w?$:])GROUP\s+BY\b", re.IGNORECASE)


def read_text(path: Path, what: str = "the data set") -> str:
    """Return the text of a file, which may be compressed as its name says, and begin with a byte order mark."""
    try:
        with path.open("rb") as file:
            opener = OPENERS.get(path.suffix.lower())
            content = (opener(file) if opener else file).read()
        return (content or b"").decode("utf-8-sig")
    except DAMAGED as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        hint = how_to_get(path) if isinstance(error, FileNotFoundError) else ""
        raise DataError(f"{what} {str(path)!r} cannot be read: {reason}{hint}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{what} {str(path)!r} is not UTF-8: {error.reason} at byte {error.start}") from error


def identity(given: Any, text: str) -> str:
    """Return the id of `SetFile.question`.

    >>> identity(17, "Who?"), identity(None, "Who?")
    ('17', 'q-c3d8cf2ba6')
    """
    if given is None or given == "":
        return "q-" + hashlib.sha1(text.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()[:10]
    if isinstance(given, list | Mapping):
        raise BadRecord(f"an id must be a text or a number, got {given!r}")
    return str(given)


def require(record: Any, key: str, kind: type) -> Any:
    """Return a value of a record; a `BadRecord` if there is none, one of another type, or an empty text."""
    if not isinstance(record, Mapping):
        raise BadRecord(f"an object is expected, got {type(record).__name__}")
    if key not in record:
        raise BadRecord(f"the key {key!r} is missing; there are: {', '.join(map(str, record)) or 'none'}")
    value = record[key]
    if not isinstance(value, kind):
        raise BadRecord(f"{key!r} must be {_KINDS[kind]}, got {value!r}")
    if isinstance(value, str) and not value.strip():
        raise BadRecord(f"{key!r} is empty")
    return value


def option(record: Mapping[str, Any], key: str, kind: type[T], default: T) -> T:
    """Return a value that a record may have, or the default; a `BadRecord` if it is of another type."""
    value = record.get(key)
    if not isinstance(value, kind):
        if value:
            raise BadRecord(f"{key!r} must be {_KINDS[kind]}, got {value!r}")
        return default
    return value


def listed(source: SetFile, records: Any, expected: str, *, id_key: str = "id") -> Iterator[Record]:
    """Yield the records of what should be a list, by their ids, and those that have none by their number."""
    if not isinstance(records, list):
        raise DataError(f"{source.path}: {expected}")
    return numbered(records, "number", id_key)


def numbered(records: Iterable[Any], what: str, id_key: str = "id") -> Iterator[Record]:
    """Yield records by their ids, or as the ``number`` or ``line`` of the file that they are; empty lines are none."""
    for number, record in enumerate(records, start=1):
        if record is not None:
            given = record.get(id_key) if isinstance(record, Mapping) else None
            yield (f"{what} {number}" if given in (None, "") else str(given)), record


def json_records(source: SetFile) -> Iterator[Record]:
    """Yield the records of a JSON list, of a single JSON object, or of lines of JSON."""
    if isinstance(source.data, list | dict):
        return numbered(source.data if isinstance(source.data, list) else [source.data], "number")
    return numbered(map(_json, source.lines), "line")


def _json(line: str) -> Any:
    try:
        return json.loads(line) if line.strip() else None
    except (ValueError, RecursionError) as error:
        return BadRecord(f"not JSON: {error}")


def has_record_with(*keys: str) -> Callable[[SetFile], bool]:
    """Return a test of whether a file is a JSON list of which a record has some keys."""
    return lambda source: (
        isinstance(source.data, list)
        and any(isinstance(record, Mapping) and record.keys() >= set(keys) for record in source.data)
    )


def described(content: Any) -> Mapping[str, Any]:
    """Return what a file says of its data set."""
    found = content.get("dataset") if isinstance(content, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def term_of(value: Any) -> Term:
    """Return the RDF term that a plain value stands for.

    >>> term_of("http://example.org/Bern"), term_of("Bern"), term_of(7)
    (IRI(value='http://example.org/Bern'), Literal(value='Bern', datatype='http://www.w3.org/2001/XMLSchema#string', \
language=None), Literal(value='7', datatype='http://www.w3.org/2001/XMLSchema#integer', language=None))

    Raises:
        BadRecord: The value is not plain.
    """
    match value:
        case bool():
            return Literal(str(value).lower(), XSD + "boolean")
        case int():
            return Literal(str(value), XSD + "integer")
        case float():
            return Literal(str(value), XSD + "double")
        case str():
            return IRI(value) if _IRI.match(value) else Literal(value)
    raise BadRecord(f"an answer must be a text, a number or a boolean, got {value!r}")


def result_of(values: Iterable[Any], *, boolean: bool = False) -> ResultSet:
    """Return plain values as the rows of one variable; a single boolean as the answer of an ASK.

    Plain are texts, numbers and booleans; with ``boolean``, the words true and false are booleans, too.

    Raises:
        BadRecord: A value is not plain.
    """
    terms = [term_of(value) for value in values]
    if len(terms) == 1 and isinstance(term := terms[0], Literal):
        word = term.value.lower()
        if term.datatype == XSD + "boolean" or (boolean and word in ("true", "false")):
            return ResultSet(boolean=word == "true")
    return ResultSet(("answer",), tuple((term,) for term in terms))


def answer_type(query: str) -> AnswerType:
    """Return the answer type of a query, from its text; it need not be standard SPARQL.

    >>> answer_type("ASK { ?s ?p ?o }"), answer_type("SELECT DISTINCT COUNT(?s) WHERE { ?s ?p ?o }")
    ('boolean', 'count')

    Raises:
        BadRecord: The text is neither a SELECT nor an ASK query.
    """
    masked = sparql.mask(query)
    form = _FORM.search(masked)
    if form is None or form[1].upper() not in ("SELECT", "ASK"):
        raise BadRecord(f"the query is neither SELECT nor ASK: {' '.join(query.split())[:80]!r}")
    if form[1].upper() == "ASK":
        return "boolean"
    return "count" if _ONE_COUNT.match(masked, form.end()) and not _GROUPED.search(masked) else "select"


def tagged(tags: Mapping[str, Any]) -> dict[str, str]:
    """Return what a set says of a question as texts; what is None is left out."""
    told = ((name, value) for name, value in tags.items() if value is not None)
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in told}


def checked(item: Item) -> Item:
    """Return an item with its answer type, once it is sure that it can be scored.

    Raises:
        BadRecord: There are neither gold answers nor a query that could give them, or something is no text.
    """
    question, gold, query = item.question, item.gold, item.gold_query
    asked = (question.id, question.text, question.language, "" if query is None else query, item.path or "")
    for text in (*asked, *_texts(gold), *item.tags, *item.tags.values()):
        if not isinstance(text, str):
            raise BadRecord(f"a text is expected, got {text!r}")
        if not text.isascii() and _SURROGATE.search(text):
            raise BadRecord(f"a text has half a character in it: {text!r}")
    if query := query and query.strip():
        kind = answer_type(query)
    elif gold is None and item.path is None and item.expected is None:
        raise BadRecord("there are neither gold answers nor a gold query")
    else:
        kind = "boolean" if gold is not None and gold.boolean is not None else "select"
    return replace(item, gold_query=query or None, answer_type=kind)


def _texts(gold: ResultSet | None) -> Iterator[Any]:
    """Yield all values of gold answers that must be texts; until here, values are as in the file."""
    if gold is not None:
        yield from gold.variables
        for term in (term for row in gold.rows for term in row if term is not None):
            yield term.value
            if isinstance(term, Literal):
                yield from (term.datatype, "" if term.language is None else term.language)
