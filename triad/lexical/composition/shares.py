"""Shares, how many of a hundred things are what a question says of them; and how many things others have on average."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from triad.language.quantities import number_at
from triad.language.written import SHARE
from triad.lexical.composition.elements import Column, Constraint, Thing
from triad.lexical.composition.partial_query import PartialQuery, made
from triad.lexical.composition.wording import Wording
from triad.rdf import number
from triad.sparql.patterns import Aggregate, Arithmetic, Computed, Variable, nodes
from triad.sparql.query_graph import QueryGraph

_PART, _WHOLE = Variable("part"), Variable("whole")


@dataclass(frozen=True)
class Share(PartialQuery):
    """How many of what another query counts are what this one counts, of a hundred."""

    of: PartialQuery | None = None

    def query(self) -> QueryGraph:
        """Return the query."""
        assert self.of is not None
        counted = zip((super().query(), self.of.query()), (_PART, _WHOLE), strict=True)
        named = (replace(one, columns=(Computed(next(nodes(one, Aggregate)), name),)) for one, name in counted)
        share = Arithmetic(Arithmetic(number(100), "*", _PART), "/", _WHOLE)
        return QueryGraph((Computed(share, Variable(SHARE)),), tuple(named))


def as_share(partial: PartialQuery, wording: Wording) -> Iterator[PartialQuery]:
    """Yield a query that counts, or in its place the share of what it counts where the words ask for that.

    What is said behind the verb is held of some of all: what percentage *of the ships of the fleet* are *sold*.
    """
    asked = [start for start, _ in wording.sentence.all("share") if any(start in one.said for one in partial.columns)]
    if not asked or [one.function for one in partial.columns] != ["COUNT"]:
        yield partial
        return
    counted = partial.columns[0].thing
    said: list[Constraint | Thing] = [one for one in partial.things if counted in (one.parent, one.id) and one.terms]
    said += [one for one in partial.things if one.parent == counted and one not in said]
    said += [one for one in partial.constraints if one.thing == counted]
    said.sort(key=lambda one: max(one.said, default=0))
    verb = next((at for at, _ in wording.sentence.all("copula") if at > asked[0]), len(wording.analysis.words))
    some = [one for one in said if max(one.said, default=0) > verb] or said[-1:]
    if some and counted not in (one.id for one in some if isinstance(one, Thing)):
        rest = partial.without(*some)
        whole = rest.changed(replace(rest.thing(counted), typed=True))
        yield made(Share, partial, of=whole)


@dataclass(frozen=True)
class Averaged(PartialQuery):
    """The average of what another query counts for each of some things."""

    def query(self) -> QueryGraph:
        """Return the query."""
        rows = super().query()
        size = next(one.variable for one in rows.columns if isinstance(one, Computed))
        return QueryGraph((Computed(Aggregate("AVG", size), Variable("avg")),), (rows,))


def as_average(partial: PartialQuery, wording: Wording) -> Iterator[PartialQuery]:
    """Yield a query, or one for the average of what it counts for each thing: of bids per lot, of those that a lot has.

    Of an average that is not of a number of them, of the numbers of lots that these are called by, there is none.
    """
    count = next((one for one in wording.operators if one.kind == "count"), None)
    average = next((one for one in wording.operators if one.function == "AVG" and not wording.beyond(one)), None)
    ranked = any(one.kind == "superlative" for one in wording.operators)
    if count is None or average is None or ranked or average.start in partial.said - partial.columns[0].said:
        yield partial
        return
    known = [one for one in partial.columns if one.function]
    said = frozenset((*range(average.start, average.end), *range(count.start, count.end)))
    if [one.function for one in known] == ["SUM"] and not said <= known[0].said and len(partial.columns) == 1:
        partial = replace(partial, columns=(replace(known[0], function="AVG", said=known[0].said | said),))
    elif [one.function for one in known] == ["COUNT"]:
        of_one = [one for one in partial.things if not one.terms and _is_one(wording, one) and one.id != known[0].thing]
        keys = [one for one in partial.columns if not one.function] or [Column(one.id, key=True) for one in of_one]
        if len(keys) == 1 and len(partial.columns) < 3:
            counted = replace(known[0], said=known[0].said | said)
            partial = made(Averaged, replace(partial, columns=(*keys, counted)))
    elif any(one.function == "COUNT" or _is_number_of(wording, one, said) for one in known):
        return
    yield partial


def _is_one(wording: Wording, thing: Thing) -> bool:
    """Return whether each of some things is meant by one of them: a lot."""
    before = number_at(wording.sentence, thing.at - 1) if thing.at > 0 else None
    an = thing.at > 0 and wording.analysis.words[thing.at - 1].folded in wording.pack.data.numbers.one
    return an or bool(before and before[:2] == (1, thing.at))


def _is_number_of(wording: Wording, column: Column, said: frozenset[int]) -> bool:
    """Return whether a number is none of things: "average number" alone says it, or each has it as its own: lot number.

    The positions are those of "average" and "number of".
    """
    number_, words = {wording.analysis.words[at].stem for at in said}, wording.names.stems_of
    called = words(column.relation)
    holders = (map(words, wording.schema.above(one)) for one in wording.schema.sources(column.relation))
    own = any(called - number_ <= name for names in holders for name in names)
    return (
        not said.isdisjoint(column.said)
        and called - number_ not in (frozenset(), called)
        and (own or column.said <= said)
    )
