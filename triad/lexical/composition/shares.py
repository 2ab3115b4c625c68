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

    There is none for an average of what is no number of them: of the lot numbers by which lots are called.
    """
    known, sentence = [one for one in partial.columns if one.function], wording.sentence
    asked = [one for one in wording.operators if one.kind == "count" or (one.function and not wording.beyond(one))]
    said = frozenset(at for one in asked for at in range(one.start, one.end))
    alone = sorted(one.function for one in asked) == ["", "AVG"] and not wording.superlatives
    behind = sentence.folded[asked[-1].end : asked[-1].end + 1] if asked and asked[-1].function else []
    alone &= not (behind and behind[0] in wording.pack.data.references.of.split())  # the average of those
    functions = [one.function for one in known] if alone and known and said - partial.said else []
    if functions == ["SUM"] == [one.function for one in partial.columns]:
        partial = replace(partial, columns=(replace(known[0], function="AVG", said=known[0].said | said),))
    elif functions == ["COUNT"] and len(partial.columns) < 3:
        an = {at for at, word in enumerate(sentence.folded) if word in wording.pack.data.numbers.one}
        an |= {at for at in range(len(sentence)) if (number_at(sentence, at) or (0,))[0] == 1}
        others = [one for one in partial.things if one.at - 1 in an and not one.terms and one.id != known[0].thing]
        keys = [one for one in partial.columns if not one.function] or [Column(one.id, key=True) for one in others]
        if len(keys) == 1:
            partial = made(Averaged, replace(partial, columns=(*keys, replace(known[0], said=known[0].said | said))))
    if not (alone and any(one.function == "AVG" and _is_no_number_of(wording, one, said) for one in known)):
        yield partial


def _is_no_number_of(wording: Wording, column: Column, said: frozenset[int]) -> bool:
    """Return whether only "average number" says an averaged relation, or each thing has it as its own: a lot number."""
    number_, stems_of = {wording.analysis.words[at].stem for at in said}, wording.names.stems_of
    rest = stems_of(column.relation) - number_
    holders = (cls for one in wording.schema.sources(column.relation) for cls in wording.schema.above(one))
    own = column.said <= said or any(rest <= stems_of(one) for one in holders)
    return not said.isdisjoint(column.said) and rest not in (frozenset(), stems_of(column.relation)) and own
