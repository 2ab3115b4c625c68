"""Shares: how many of a hundred things are what a question says of them."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from triad.language.written import SHARE
from triad.lexical.composition.elements import Constraint, Thing
from triad.lexical.composition.partial_query import PartialQuery
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
        yield Share(**{one.name: getattr(partial, one.name) for one in fields(partial)}, of=whole)
