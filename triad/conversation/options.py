"""Things of the same name, and what tells them apart: what the user is asked back with, and chooses from.

Options are told apart by what they are: by their classes, else by their descriptions, else by what only one of them
has. A choice is made by number, by name, or by a few words that fit one option only.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from triad.conversation.mentions import PARTLY, RelationWords
from triad.conversation.referents import class_labels, class_names
from triad.conversation.turns import CHOICES, Interpretation
from triad.language.normalize import fold, other_numbers
from triad.language.pack import Pack
from triad.language.quantities import place_in
from triad.phases.context import Context
from triad.phases.homonyms import names_apart
from triad.questions import Candidate
from triad.rdf import writable
from triad.search.base import CLOSE, Lookup

_LESSER, _FAR = 2 / 3, 10
"""Of the facts of another thing, what a lesser-known one has at most, and a far better known one at least."""
_SHORT: Final = 60  # characters of a description that is shown: a line of a narrow terminal has room for them
_PLACED: Final = 4  # words of a choice by its place: "the second one please" chooses, and a longer text asks


def homonyms(context: Context, name: str, *, every: bool = False) -> list[Candidate]:
    """Return the entities whose label is a name, the best known first.

    Of two that a relation connects, such as a river and its source, the mere name means the better known one. With
    ``every``, lesser-known things, and those that are also called so, are given, too.
    """
    [found] = context.search([Lookup(name, ("entity",), CHOICES, exact=True)])
    called = [one for one in found if one.score >= CLOSE and one.kind == "entity"]
    exact = [one for one in called if every or fold(one.label) == fold(name)]
    things = {one.iri: one for one in exact if writable(one.iri)}
    if every or len(things) < 2:
        return list(things.values())
    values = " ".join(f"<{iri}>" for iri in things)
    query = f"SELECT DISTINCT ?a ?b {{ VALUES ?a {{ {values} }} VALUES ?b {{ {values} }} ?a ?p ?b }} LIMIT 50"
    for row in context.graph.lookup(query):
        one, other = things[str(row["a"])], things[str(row["b"])]
        lesser, greater = sorted((one, other), key=lambda thing: thing.popularity)
        if lesser.popularity <= _LESSER * greater.popularity:
            exact = [thing for thing in exact if thing.iri != lesser.iri]
    return list({one.iri: one for one in exact}.values())


def meant(context: Context, pack: Pack, question: str, name: str, things: Sequence[Candidate]) -> list[Candidate]:
    """Return those of some things of the same name that a question may mean: one, where its words or the graph tell.

    The question may name a class of some of them, or a relation that only some of them have, or one of them may be
    clearly better known.
    """
    named = set(fold(name).split())
    words = {word for word in fold(question).split() if word not in named and not pack.is_idle(word)}
    hits = [fits(context, pack, words, Interpretation("", "", {name: one})) for one in things]
    left = [one for one, count in zip(things, hits, strict=True) if count == max(hits)]
    said = RelationWords(" ".join(words), context.question.language, context.glossary)
    hops = {one.iri: context.schema.card(one.iri) for one in left}
    fitting = [one for one in left if any(said.names(hop.label, hop.relation) >= PARTLY for hop in hops[one.iri])]
    related = fitting or left
    first, *others = sorted(related, key=lambda one: -one.popularity)
    return [first] if all(first.popularity >= _FAR * one.popularity for one in others) else related


def described(context: Context, things: Sequence[Candidate]) -> list[str]:
    """Return a label for each of some things of the same name that tells it from the others."""
    kinds = [", ".join(class_labels(context, one)[:2]) for one in things]
    for told in (kinds, [one.description for one in things]):
        if len(set(told)) == len(things) and all(told):
            return [f"{one.label} ({text[:_SHORT]})" for one, text in zip(things, told, strict=True)]
    apart = names_apart(context, {one.iri: one.label for one in things})
    return [apart.get(one.iri, f"{one.label} (<{one.iri}>)") for one in things]


def chosen(context: Context, pack: Pack, text: str, options: Sequence[Interpretation]) -> Interpretation | None:
    """Return the option that a text chooses: by its name, its place or words that fit it alone; None if none."""
    wanted = fold(text)
    if len(named := [one for one in options if wanted == fold(one.label)]) == 1:
        return named[0]
    if len(wanted.split()) <= _PLACED and (place := place_in(text, pack)) and abs(place) <= len(options):
        return options[place - 1 if place > 0 else place]
    words = {word for word in wanted.split() if not pack.is_idle(word)}
    hits = [fits(context, pack, words, one) for one in options]
    best = max(hits, default=0)
    # Of the words, more must fit the option than not, or it is another question.
    return options[hits.index(best)] if best and hits.count(best) == 1 and best * 2 >= len(words) else None


def fits(context: Context, pack: Pack, words: set[str], option: Interpretation) -> int:
    """Return how many words fit an option: its label, and the classes of what it is about."""
    names = (name for thing in option.known.values() for name in class_names(context, thing))
    told = {word for name in (fold(option.label), *names) for word in name.split()}
    told |= {form for word in told for form in other_numbers(word)}
    english = {word: set(pack.translations.get(pack.stem(word), ())) for word in words}
    stems = set(map(pack.stem, told))
    return sum(word in told or bool(english[word] & told) or pack.stem(word) in stems for word in words)


def named_apart(context: Context, base: Interpretation, name: str, things: Sequence[Candidate]) -> list[Interpretation]:
    """Return an interpretation for each thing that a name may stand for."""
    told = zip(described(context, things), things, strict=True)
    return [replace(base, label=label, known={**base.known, name: thing}) for label, thing in told]
