"""A turn as a server with a model gives it, with hostile texts wherever a graph, a document or a model may put one."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["EVIL", "TURN"]

EVIL: Final = "<img src=x onerror=window.stolen=1>"
_USAGE: Final = {"calls": 2, "cached": 1, "input_tokens": 900, "output_tokens": 40, "money": 0.0021, "seconds": 1.2}


def _thing(name: str) -> dict[str, Any]:
    iri = f"http://example.org/{name}"
    value = {"type": "uri", "value": iri, "datatype": None, "language": None, "label": name, "text": None}
    return {**value, "kind": "entity"}


def _step(number: int, service: str, **more: Any) -> dict[str, Any]:
    step = {"number": number, "phase": "construction", "rung": "exploration", "service": service, "action": "explore"}
    rest: dict[str, Any] = {"role": None, "request": "", "reply": "", "prompt": None, "candidates": [], "usage": _USAGE}
    return {**step, **rest, "seconds": 0.7, "attempt": 1, "error": None, **more}


_FACT: Final = {"subject": _thing("Norrund"), "predicate": _thing("keeper"), "object": _thing("Ola")}
_ANSWER: Final = {
    "type": "select",
    "variables": ["keeper"],
    "rows": [[_thing("Ola")]],
    "values": [_thing("Ola")],
    "boolean": None,
    "text": "Ola",
    "query": "SELECT keeper FROM lighthouse WHERE name = 'Norrund'",
    "links": {"Norrund": {**_thing("Norrund"), "iri": "http://example.org/Norrund", "description": EVIL, "score": 1}},
    "facts": [_FACT],
    "source": "table",
    "method": "model",
    "rung": "exploration",
    "confidence": 0.62,
    "truncated": False,
    "words": [
        {"words": "Norund", "kind": "instead", "became": "Norrund"},
        {"words": f"keeper {EVIL}", "kind": "relation", "became": f"keeper {EVIL}"},
        {"words": "brave", "kind": "left_out", "became": ""},
    ],
    "readings": [{"text": EVIL, "answer": EVIL, "query": EVIL, "taken": EVIL}],
    "notes": [EVIL],
    "prefixes": {},
    "doubts": [{"kind": "answer_type", "text": "a person was asked for"}],
    "sentences": [
        {"text": f"Ola keeps Norrund {EVIL}.", "cites": [1], "held": True, "missing": []},
        {"text": "He came in 1950.", "cites": [1], "held": False, "missing": ["1950"]},
    ],
    "citations": [
        {
            "number": 1,
            "source": "documents",
            "title": f"Keepers {EVIL}",
            "text": f"Ola keeps the light. {EVIL}",
            "things": ["javascript:window.stolen=1"],
            "facts": [_FACT],
            "query": None,
            "document": "keepers.md",
            "date": "1949-03-01",
        }
    ],
    "below": [{"rung": "solver", "text": EVIL, "confidence": 0.2, "query": "SELECT ?x { ?x ?y ?z }"}],
}
TURN: Final[dict[str, Any]] = {
    "id": "0" * 32,
    "conversation": None,
    "number": 1,
    "at": "2026-01-02T03:04:05Z",
    "graph": "places",
    "question": "Who is the brave keeper of Norund?",
    "standalone": "Who is the brave keeper of Norund?",
    "language": "en",
    "kind": "question",
    "outcome": "answer",
    "reply": "Ola keeps Norrund.",
    "answer": _ANSWER,
    "unknown": None,
    "options": [],
    "usage": _USAGE,
    "seconds": 2.5,
    "feedback": None,
    "trace": {
        "steps": [
            _step(1, "model", role="generalist", prompt=[{"role": "user", "content": EVIL}], reply=EVIL),
            _step(2, "graph", error="the graph did not answer", rung="a_rung_to_come", phase="a_phase_to_come"),
        ],
        "seconds": 2.5,
        "usage": _USAGE,
        "by_phase": {"construction": {"usage": _USAGE, "seconds": 1.4}},
        "by_rung": {"exploration": {"usage": _USAGE, "seconds": 1.4}},
    },
}
"""The shape of ``GET /api/v1/turns/{id}``."""
