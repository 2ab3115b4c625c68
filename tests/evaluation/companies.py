"""A graph of companies, questions about it, and a model that reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from triad.errors import ModelError
from triad.trace import Message

COMPANIES = 12
ASKED = re.compile(r"Who founded (Company \d+)\?|Is (Company \d+) a company\?")


def turtle() -> str:
    """Write companies 1 to 12, each with a founder of its own."""
    lines = [
        "@prefix ex: <http://example.org/> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        'ex:Company rdfs:label "company" . ex:foundedBy rdfs:label "founded by" .',
    ]
    for number in range(1, COMPANIES + 1):
        lines.append(f'ex:C{number} a ex:Company ; rdfs:label "Company {number}" ; ex:foundedBy ex:F{number} .')
        lines.append(f'ex:F{number} rdfs:label "Founder {number}" .')
    return "\n".join(lines)


def questions() -> list[dict[str, Any]]:
    """Return a question on each company, and two that have another form."""
    found: list[dict[str, Any]] = [
        {
            "id": f"q{number}",
            "question": f"Who founded Company {number}?",
            "answers": [f"http://example.org/F{number}"],
            "sparql": f"SELECT ?who WHERE {{ <http://example.org/C{number}> <http://example.org/foundedBy> ?who }}",
        }
        for number in range(1, COMPANIES + 1)
    ]
    found.append(
        {
            "id": "ask",
            "question": "Is Company 1 a company?",
            "sparql": "ASK { <http://example.org/C1> a <http://example.org/Company> }",
        }
    )
    return found


def reply(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
    """Read a question as the generalist does."""
    asked = ASKED.findall(messages[-1].content)
    if not asked:
        raise ModelError("the model is asleep")
    founded, asked_about = asked[-1]
    if founded:
        triple = {"subject": founded, "relation": "founded by", "object": "?who"}
        sparql = f"SELECT ?who WHERE {{ <{founded.replace(' ', '_')}> <founded_by> ?who }}"
    else:
        triple = {"subject": asked_about, "relation": "is a", "object": "company"}
        sparql = f"ASK {{ <{asked_about.replace(' ', '_')}> a <company> }}"
    kind = "select" if founded else "boolean"
    return json.dumps({"triples": [triple], "answer_type": kind, "sparql": sparql})
