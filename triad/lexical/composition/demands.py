"""Demands: where a question asks for something, besides at its beginning.

A last sentence may demand something ("Which …? List their names."), and so may a clause ("… and report its range"); and
a question may begin with what a row is wanted for each of ("For each hall, return its seats").
"""

from collections.abc import Iterator

from triad.language.analysis import later_demands
from triad.language.operators import Operator
from triad.lexical.composition.spans import Span
from triad.lexical.composition.tagged_question import TaggedQuestion


def first_key(tagged: TaggedQuestion) -> Span | None:
    """Return what a question begins with that asks something for each of it: "for each hall, return its seats"."""
    each = next((one for one in tagged.operators if one.kind == "each"), None)
    if each is None or any(map(tagged.wording.sentence.content, range(each.start))):
        return None
    key = tagged.operand(each)
    after = next((one for one in tagged.spans if key and one.start >= key.end), None)
    return key if key and after and after.start > key.end else None  # and not of each loan *type*


def last_demand(tagged: TaggedQuestion) -> int:
    """Return where a last sentence that demands begins: "Which … ? List their names."; 0 if there is none.

    One that asks for "the count" says again what is counted before.
    """
    words, text = tagged.analysis.words, tagged.analysis.text
    if said_again(tagged) is not None:
        return 0
    for at in range(len(words) - 1, 0, -1):
        if any(sign in text[words[at - 1].end : words[at].start] for sign in ".?!;"):
            return at if tagged.wording.sentence.form("ask", at) is not None else 0
    return 0


def said_again(tagged: TaggedQuestion) -> Operator | None:
    """Return the last words that count what was to be counted before: "Which … ? List the city and the count."."""
    counts = [one for one in tagged.operators if one.kind == "count"]
    return counts[-1] if counts and tagged.operand(counts[-1]) is None else None


def further_demands(tagged: TaggedQuestion) -> Iterator[int]:
    """Yield where further demands end before what they are for, besides the only ones: "… and report its range"."""
    sentence, last = tagged.wording.sentence, last_demand(tagged)
    begin = sentence.skip_empty(0, len(sentence))
    keyed = any(sentence.form("each", at) for at in range(begin))  # "for each party, return its theme"
    for at, end in list(later_demands(sentence, 0))[keyed:]:
        after = next((one.start for one in tagged.spans if one.start >= end), len(sentence))
        if at != last and not any(map(sentence.content, range(end, after))):
            yield end
