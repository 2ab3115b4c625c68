"""Lines of the vocabulary: what each says, how much of it there is room for, and those about named graphs and meanings.

What the ontology says of near names is told where that decides between them: gross premium, net premium. Names are near
that have the same words of the question. A description decides if it has a further word of the question, which names no
class and stands in the descriptions of none of the others; what it says around that word is shown. Words that a
glossary defines have a line of their own, which says how a template writes them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from triad.grouping import grouped
from triad.language.analysis import Analysis
from triad.language.definitions import Defined
from triad.language.pack import Pack, load_pack
from triad.phases.context import Context
from triad.phases.grounding.facts import Fact, clipped, quote
from triad.phases.grounding.question_names import QuestionNames
from triad.phases.homonyms import facts_of_sources, find_sources
from triad.text import shortened, within as lines_within

NOT_READ: Final = "relations not read"
"""The end of a line for which a look-up took too long; the prompt says what it means."""
NAMES: Final = (24, 16, 12, 8, 5, 3, 0)
"""Names of other relations that a line has at most, in attempts to stay within the budget."""
_SPARED: Final = 2  # names that are not left out, for saying so is as long
_OF_SOURCE: Final = 8  # names of relations of a named graph
_SAID: Final = 70  # characters shown of a description
_MEANING: Final = 80  # characters of what a word is defined as
_ROOM: Final = 160  # characters of all meanings: some 40 tokens
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+")


@dataclass(slots=True)
class Line:
    """A line of the vocabulary."""

    head: str
    """How it begins, after the names of classes if it is about some."""
    facts: Sequence[Fact] = ()
    detailed: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)
    """Names of the other relations, the most frequent first."""
    most: int = NAMES[0]
    """Names of other relations that it has at most."""
    is_read: bool = True
    """Whether no look-up took too long."""
    classes: list[str] = field(default_factory=list)
    """The names of classes whose things have the same; none if it is about something else."""

    def text(self, names: int) -> str:
        """Return it with at most so many names of other relations."""
        head = self.head
        if self.classes:
            head = ", ".join(self.classes) + (", a class" if len(self.classes) == 1 else ", classes") + head
        most = min(names, self.most)
        shown = self.rest[: most + _SPARED if len(self.rest) <= most + _SPARED and most else most]
        parts = list(self.detailed)
        if shown:
            left = f" ({len(shown)} of {len(self.rest)})" if len(shown) < len(self.rest) else ""
            parts.append(("also " if parts else "") + ", ".join(shown) + left)
        if not self.is_read:
            parts.append(NOT_READ)
        return head + (": " + "; ".join(parts) if parts else "")


def within(lines: Sequence[Line], tokens: int) -> list[str]:
    """Return the lines with as many names of relations as the tokens allow, four characters each."""
    for most in NAMES:
        texts = list(dict.fromkeys(line.text(most) for line in lines))
        if sum(len(text) + 4 for text in texts) <= 4 * tokens:
            return texts
    return lines_within(texts, 4 * tokens, apart=4)


def named_graphs(context: Context) -> Iterator[Line]:
    """Yield the line about the named graphs in which facts stand, if there are a few that names tell apart."""
    if not find_sources(context):
        return
    parts: list[str] = []
    of_sources = facts_of_sources(context).items()
    for relations, names in grouped((relations, f"<{name}>") for name, relations in of_sources).items():
        shown = ", ".join(map(clipped, relations[:_OF_SOURCE]))
        left = f" ({_OF_SOURCE} of {len(relations)})" if len(relations) > _OF_SOURCE else ""
        parts.append(f"{', '.join(names)}" + (f" with {shown}{left}" if shown else ""))
    rule = "write GRAPH <name> { … } around the facts of one, and only around those; classes stand outside"
    yield Line(f"Facts stand in named graphs ({rule}): {'; '.join(parts)}")


# Meanings ------------------------------------------------------------------------------------------------


def meanings(
    context: Context, analysis: Analysis, names: QuestionNames, lines: Iterable[Sequence[Fact]], shown: str
) -> str:
    """Return what tells near classes of a question, and near relations of each line, apart; mostly that is nothing.

    What is ``shown`` is not said again.
    """
    notes = context.schema.notes
    pack = load_pack(analysis.language)
    asked = frozenset(word.stem for at, word in enumerate(analysis.words) if not word.empty and at not in names.taken)
    heard: dict[str, dict[str, str]] = {}
    for one in names.classes:
        if one.words:
            heard.setdefault(one.words, {})[one.candidate.iri] = one.candidate.label
    further = asked.difference(*(_stems(words, pack) for words in heard))
    found: dict[tuple[str, str], None] = {}
    relations = (near for facts in lines for near in _near(facts, asked, pack))
    for near in (*heard.values(), *relations):
        if len(near) > 1 and any(iri in notes for iri in near):
            texts = {iri: [one.value for one in notes[iri].descriptions] if iri in notes else [] for iri in near}
            found |= dict.fromkeys(_deciding(near, texts, further, pack))
    told: list[str] = []
    for name, text in found:
        if text not in shown and len("; ".join([*told, f"{name} means {quote(text)}"])) <= _ROOM:
            told.append(f"{name} means {quote(text)}")
    return "; ".join(told)


def _near(facts: Sequence[Fact], asked: frozenset[str], pack: Pack) -> Iterable[dict[str, str]]:
    """Return the relations that are asked for, those together whose names have the same words of the question."""
    alike: dict[frozenset[str], dict[str, str]] = {}
    for fact in facts:
        if fact.is_asked and (words := asked & _stems(fact.label, pack)):
            alike.setdefault(words, {})[fact.hops[0].relation] = fact.label
    return alike.values()


def _deciding(
    near: Mapping[str, str], texts: Mapping[str, Sequence[str]], words: frozenset[str], pack: Pack
) -> Iterable[tuple[str, str]]:
    named = frozenset(stem for name in near.values() for stem in pack.stem_list(name))
    said = {iri: (words & _stems(" ".join(texts[iri]), pack)) - named for iri in near}
    for iri, name in near.items():
        if own := said[iri] - frozenset[str]().union(*(said[other] for other in near if other != iri)):
            yield clipped(name), clipped(_around(own, texts[iri], pack), _SAID)


def _around(words: frozenset[str], texts: Sequence[str], pack: Pack) -> str:
    """Return the sentence that has one of some words, from where that is within what is shown."""
    sentences = (part for text in texts for part in _SENTENCE.split(text))
    left = next((part for part in sentences if words & _stems(part, pack)), "").split()
    while len(left) > 1 and not words & _stems(clipped(" ".join(left), _SAID), pack):
        left = left[1:]
    return " ".join(left)


def _stems(text: str, pack: Pack) -> frozenset[str]:
    return frozenset(pack.stem_list(text))


def defined(context: Context, analysis: Analysis) -> list[Defined]:
    """Return the definitions of words that the question has, each once."""
    known = context.glossary.defined
    found = context.glossary.terms(analysis.words, load_pack(analysis.language)) if known else ()
    return [known[iri] for iri in dict.fromkeys(iri for term in found for iri in term.iris) if iri in known]


def told(one: Defined, holder: str) -> str:
    """Return the line of a definition; a formula's value is one of the things of its holder, and of no others."""
    kind = "a class" if one.kind == "class" else f"a relation of {clipped(holder)}"
    meaning = shortened(one.meaning, _MEANING)
    return f"{quote(one.word)} (defined): {meaning}: write <{'_'.join(one.word.split())}> as {kind}"
