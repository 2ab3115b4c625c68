"""A turn in words, with its sources and its query: what goes to those who read text."""

from dataclasses import asdict
from typing import Any

from triad.conversation.replies import meanings
from triad.language.pack import load_pack
from triad.server.state.conversations import Kept
from triad.text import clean, fenced, one_line


def in_text(kept: Kept) -> str:
    """Return a turn as Markdown: the reply, what it cites, and the query behind it."""
    turn = kept.turn
    pack, answer = load_pack(turn.language), turn.answer
    parts = [clean(turn.reply) or pack.no_answer(())]
    if turn.unknown and turn.unknown.guess and turn.reply == str(turn.unknown):
        parts.append(pack.replies["doubtful"].format(reply=one_line(turn.unknown.guess.text)))
    parts += meanings(pack, turn.told_readings)
    if answer and answer.citations:
        parts.append(
            "\n".join(
                f"[{one.number}] {one_line(one.title)}: {one_line(one.text)[:300]}" for one in answer.citations[:10]
            )
        )
    if answer and answer.query:
        parts.append(fenced(answer.query, "sparql"))
    return "\n\n".join(parts)


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
