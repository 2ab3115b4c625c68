"""What a notebook shows of answers: a table in HTML, and a data frame.

Labels and literals are text of strangers: all of it is escaped, and only addresses of the web become links.
"""

from __future__ import annotations

import logging
import re
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from triad.errors import ConfigError
from triad.rdf import IRI, Literal, Value

if TYPE_CHECKING:
    import jinja2
    import pandas as pd

    from triad.answers import Answer, Unknown

ROWS: Final = 20
"""Rows of an answer that are shown, so that the next cell is in sight; of the others only how many there are."""
_EXACT: Final = re.compile(r"\s*[+-]?[0-9]*\.?[0-9]*\s*")  # of XSD's decimals and whole numbers, none has an exponent


def to_html(answer: Answer | None, *, unknown: Unknown | None = None, reply: str = "") -> str:
    """Return an answer as a piece of HTML: its rows, how sure it is, and its query.

    A question that is unknown may have a guess for an answer. The reply of a conversation stands for all where there is
    neither.
    """
    question = unknown.question if unknown else answer.question if answer else None
    return _template().render(
        title=question.text if question else reply,
        answer=answer,
        perhaps="perhaps, " if unknown else "",
        reasons=[f"I don't know: {unknown}."] if unknown and unknown.reasons else [],
        readings=unknown.readings if unknown else answer.told_readings if answer else (),
        most=ROWS,
        is_address=lambda value: isinstance(value.term, IRI) and value.term.value.startswith(("http://", "https://")),
    )


def data_frame(answer: Answer) -> pd.DataFrame:
    """Return the rows of an answer as a data frame: a column a variable, and one of IRIs beside a column of things.

    Things are their names, and literals what they are in Python: numbers, dates, booleans; what no type holds stays
    text. A yes/no question has one row with a boolean.

    Raises:
        ConfigError: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ConfigError(
            "a data frame needs pandas: pip install pandas, or the extra 'triad-kgqa[notebook]'"
        ) from error
    if answer.boolean is not None:
        return pd.DataFrame({"answer": [answer.boolean]})
    columns: dict[str, list[Any]] = {}
    for at, name in enumerate(answer.variables):
        values = [row[at] for row in answer.rows]
        columns[name] = [_in_python(value) for value in values]
        if any(value and isinstance(value.term, IRI) for value in values):
            columns[f"{name}_iri"] = [str(value.term) if value else None for value in values]
    return pd.DataFrame(columns)


def _in_python(value: Value | None) -> Any:
    """Return a literal as the type that it has in Python, and a thing as its name."""
    if value is None or not isinstance(value.term, Literal):
        return value and value.label
    import rdflib

    logging.getLogger("rdflib.term").setLevel(logging.ERROR)  # it would show a traceback for each odd date
    text, kind = value.term.value, value.term.datatype if not value.term.language else None
    typed = rdflib.Literal(text, datatype=kind, normalize=False)  # else 1e900000000 is written out
    fits = type(typed.value) not in (int, Decimal) or _EXACT.fullmatch(text)
    return typed.value if fits and typed.value is not None and not typed.ill_typed else text


@cache
def _template() -> jinja2.Template:
    import jinja2

    text = Path(__file__).with_name("notebook.html.jinja").read_text(encoding="utf-8")
    return jinja2.Environment(autoescape=True).from_string(text)
