"""Replies to the user, written without a model: the answer in a sentence, from its values alone.

Short lists are given in full, long ones are summarised with their count. Nothing is made up: where there is no answer,
the reply says so.
"""

from collections.abc import Sequence
from typing import Final

from triad.answers import Answer, Reading, Unknown
from triad.conversation.turns import Turn
from triad.language.normalize import fold
from triad.language.pack import Pack
from triad.language.telling import in_question_words
from triad.lexical.composition.elements import INDIRECT
from triad.phases.context import Context
from triad.rdf import IRI, XSD, Literal, Value
from triad.text import one_line

FULL: Final = 8
"""Values, classes or facts that are given: what is read at a glance."""
_LINE: Final = 2_000  # characters of a sentence on what else is meant: three readings, each with ten values
_SAMPLE: Final = 5  # values that are shown of a longer list


def in_a_sentence(pack: Pack, question: str, answer: Answer) -> str:
    """Return the answer in a sentence, in the language of the words."""
    if answer.sentences:
        return answer.text
    if not answer.values and not (answer.source == "model" and answer.text):
        return pack.replies["unknown"]
    values = (pack.replies["yes" if answer.boolean else "no"]) if answer.boolean is not None else _values(pack, answer)
    told = None if _is_guess(question, answer) else _in_question_words(pack, question, answer, values)
    reply, stop = told or values or answer.text, pack.data.stop
    ended = reply.endswith((stop, "!", "?")) and not reply.endswith("..")
    reply = reply if ended else reply.rstrip(".") + stop
    return pack.replies["own"].format(reply=reply) if answer.source == "model" else reply


def unknown(pack: Pack, why: Unknown | None) -> str:
    """Return the reply to a question that has no answer: the reason that helps most."""
    reason = why.reason if why else None
    return pack.no_answer([one_line(reason.text)] if reason and reason.kind != "empty" else [])


def meanings(pack: Pack, readings: Sequence[Reading]) -> list[str]:
    """Return sentences on what was assumed and what else may be meant, the readings numbered if there are several."""
    told: dict[str, list[str]] = {}
    for at, one in enumerate(readings, 1):
        told.setdefault(one.taken, []).append(f"{at}. {one}" if len(readings) > 1 else str(one))
    said = {taken: pack.replies["assumed" if taken else "did_you_mean"] for taken in told}
    return [one_line(said[one].format(taken=one, readings="; ".join(told[one])), _LINE) for one in told]


def guessed(pack: Pack, question: str, guess: Answer, why: Unknown) -> str:
    """Return the reply that gives a guess as such, after the reason for the doubt."""
    reply = pack.replies["doubtful"].format(reply=in_a_sentence(pack, question, guess))
    reason = why.reason
    return f"{pack.no_answer([one_line(reason.text)])} {reply}" if reason and reason.kind != "doubt" else reply


def _is_guess(question: str, answer: Answer) -> bool:
    """Return whether an answer may be one to another question, so that a sentence of this one's words claims too much.

    It leaves out words, something else may be meant as well, or, where no model read the question, a relation of the
    query is none that its words name, or was guessed from them: "runs the ward" is not to be on it.
    """
    if answer.ignored or answer.told_readings:
        return True
    if answer.method != "lexical" or answer.boolean is not None:
        return False
    relations = [link for link in answer.links.values() if link.kind == "relation"]
    said = " ".join([fold(question), *(fold(one.became) for one in answer.words)])
    return any(one.score < INDIRECT and (one.score or fold(one.label) not in said) for one in relations)


def _in_question_words(pack: Pack, question: str, answer: Answer, values: str) -> str | None:
    if len(answer.variables) > 1 or any(one.owner for one in answer.values):
        return None  # rows, and values of several things, are a list
    term = answer.values[0].term if answer.values and answer.boolean is None else None
    return in_question_words(
        pack,
        question,
        [one.words for one in answer.words if one.kind in ("name", "value")],
        values or answer.text,
        several=len(answer.values) > 1,
        truth=answer.boolean,
        whole_date=isinstance(term, Literal) and term.datatype == f"{XSD}date",
    )


def _values(pack: Pack, answer: Answer) -> str:
    if len(answer.variables) > 1:
        labels = ((_label(value) for value in row if value is not None) for row in answer.rows)
        items = [": ".join(dict.fromkeys(row)) for row in labels]
    else:
        items = [_label(value) for value in answer.values]
    count = len(items)
    comma = "; " if any(pack.data.comma in item for item in items) else pack.data.comma
    if count > FULL:
        more = f"{count:,}+" if answer.truncated else f"{count:,}"
        shown = comma.join(items[:_SAMPLE])
        return pack.replies["more"].format(shown=shown, more=f"{count - _SAMPLE:,}", count=more)
    return pack.replies["and"].join([comma.join(items[:-1]), items[-1]] if len(items) > 1 else items)


def _label(value: Value) -> str:
    return one_line(f"{value.owner}: {value.shown}" if value.owner else value.shown)


def explained(context: Context, pack: Pack, turn: Turn) -> str:
    """Explain the last answer: by the facts behind it, or by its query."""
    if (answer := turn.answer) is None and turn.unknown:
        return unknown(pack, turn.unknown)
    if answer is None:
        return f"{pack.replies['unknown']} ({turn.error})" if turn.error else pack.replies["no_answer"]
    if answer.source == "model":
        return pack.replies["own"].format(reply=turn.reply)
    if answer.provenance:
        told = [(fact.subject, fact.predicate, fact.object) for fact in answer.provenance[:FULL]]
        names = context.schema.labels(one.value for fact in told for one in fact if isinstance(one, IRI))
        facts = ["- " + " – ".join(one_line(names.get(str(one), str(one))) for one in fact) for fact in told]
        facts = [f"{fact} {one_line(one.said)}".strip() for fact, one in zip(facts, answer.provenance, strict=False)]
        return "\n".join([pack.replies["why_facts"], *facts])
    return f"{pack.replies['why_query']}\n{answer.query}" if answer.query else pack.replies["no_query"]


def ask_back(pack: Pack, labels: list[str]) -> str:
    """Return the question which of several entities is meant."""
    return f"{pack.replies['ask_back']}\n{numbered(labels)}"


def numbered(labels: Sequence[str]) -> str:
    """Return options, a line each, with their numbers."""
    return "\n".join(f"{at}. {one_line(label)}" for at, label in enumerate(labels, 1))
