"""A turn in words, with its sources and its query: what goes to those who read text."""

from dataclasses import asdict
from typing import Any

from triad.conversation.replies import meanings
from triad.language.pack import load_pack
from triad.server.state.conversations import Kept
from triad.text import clean, escaped, fenced, one_line


def in_text(kept: Kept) -> str:
    """Return a turn as Markdown: the reply, what it cites, and the query behind it; what a graph says is text in it."""
    turn = kept.turn
    pack, answer = load_pack(turn.language), turn.answer
    query = answer.query if answer else None
    said = [] if query and turn.reply == query else [clean(turn.reply) or pack.no_answer(())]
    if turn.unknown and turn.unknown.guess and turn.reply == str(turn.unknown):
        said.append(pack.replies["doubtful"].format(reply=one_line(turn.unknown.guess.text)))
    said += meanings(pack, turn.told_readings)
    cited = answer.citations[:10] if answer else ()
    said.append("\n".join(f"[{one.number}] {one_line(one.title)}: {one_line(one.text)[:300]}" for one in cited))
    parts = ["  \n".join(escaped(line, len(line)) for line in part.splitlines()) for part in said if part]
    return "\n\n".join([*parts, *([fenced(query, "sparql")] if query else [])])


def metadata(kept: Kept) -> dict[str, Any]:
    """Return what a program wants to know of a turn, besides its text."""
    turn = kept.turn
    answer = turn.answer
    return {
        "turn": kept.id,
        "conversation": kept.conversation,
        "graph": kept.graph,
        "outcome": turn.outcome,
        "standalone": turn.standalone,
        "query": answer.query if answer else None,
        "confidence": answer.confidence if answer else None,
        "source": answer.source if answer else None,
        "values": [value.shown for value in answer.values[:100]] if answer else [],
        "readings": [asdict(one) for one in turn.readings],
        "reasons": [reason.text for reason in turn.unknown.reasons] if turn.unknown else [],
        "citations": [
            {"number": one.number, "source": one.source, "title": one.title, "text": one.text, "query": one.query}
            for one in (answer.citations if answer else ())
        ],
    }
