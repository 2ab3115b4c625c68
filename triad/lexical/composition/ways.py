"""Ways: how all things are reached from the root, by the cheapest links, along those that words name."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import floor

from triad.language.lexical_database import is_verb_only
from triad.language.normalize import fold
from triad.language.operators import Operator
from triad.lexical.composition.elements import Constraint, Span, Thing, reached_from
from triad.lexical.composition.parse import Parse
from triad.lexical.composition.partial_query import PartialQuery
from triad.lexical.composition.schema_graph import NO_CLASS, Link, SchemaGraph, link_cost
from triad.lexical.composition.values import is_ahead, is_past, is_some
from triad.lexical.composition.wording import NEAR, Wording
from triad.sparql.stated import FACT, said_by

_MOST = 9  # things that are reached from the root; to try the ways between all of many takes their number's cube


def collect_hints(parse: Parse) -> None:
    """Take the relations that are left as steps of ways."""
    gone = parse.taken | parse.asked
    parse.hints += [one for one in parse.tagged.spans if one.kind == "relation" and id(one) not in gone]


def connected(parse: Parse, root: Thing) -> Iterator[PartialQuery]:
    """Yield queries in which all things are reached from the root; the cheapest ways first."""
    if (choices := _spanning(parse, root, 0)) is None:
        return
    instead = tuple(_instead(choices, parse.schema))
    plain = not choices.extremes and all(one.counted is None for one in choices.constraints)
    values = bool(choices.columns) and all(one.relation and not one.function for one in choices.columns)
    gone = choices.reached_from(*(one.id for one in choices.things if one.negated))
    by_key = choices.negated and plain and values and gone.isdisjoint(column.thing for column in choices.columns)
    # A building without professors is none of somebody else, where no word says whose building it is.
    unsaid = by_key and all(choices.thing(one.thing).at < 0 for one in choices.columns)
    if not (instead or unsaid):  # each is spoken in one country: of none in Belgium need be said: not in Germany
        yield choices
    if by_key:
        yield replace(choices, by_key=True, instead=instead)
    if unsaid:
        return
    for turn in range(1, min(3, parse.choices)):
        if (other := _spanning(parse, root, turn)) is not None and other.things != choices.things:
            yield other


def _instead(partial: PartialQuery, schema: SchemaGraph) -> Iterator[Thing]:
    """Yield the things that are named beside others which are not to be, where only one of them can be."""
    gone = [one for one in partial.things if one.negated and one.terms and len(one.way) == 1]
    for one in (one for one in partial.things if one.terms and not one.negated):
        alike = any((one.parent, one.way) == (other.parent, other.way) for other in gone)
        if alike and schema.is_single(one.way[0]):
            yield one


@dataclass(slots=True)
class _Tree:
    """What is reached from the root."""

    things: list[Thing]
    constraints: list[Constraint]
    inside: set[int]  # the numbers of the things that are reached
    hints: set[int] = field(default_factory=set)  # the ids of the relations that ways go along
    steps: int = 0

    def enter(self, thing: int) -> None:
        """Add a thing, and what hangs on those that are reached."""
        self.inside |= reached_from(self.things, thing)


def _spanning(parse: Parse, root: Thing, turn: int) -> PartialQuery | None:
    """Return the query whose first way is the cheapest one but ``turn``; None if a thing cannot be reached."""
    tree = _Tree(list(parse.things), list(parse.constraints), set())
    tree.enter(root.id)
    if not _reach(parse, tree, turn):
        return None
    named = len(tree.hints) + _step_within(parse, tree)
    for hint in parse.hints:
        if id(hint) not in tree.hints:
            _hang(parse, tree, hint, turn)
    called = {at for span in parse.tagged.spans if span.kind == "name" for at in span.positions}
    called |= set(range(parse.sorted_from, len(parse.analysis.words)))
    joining = (one for one in parse.tagged.operators if one.kind in ("sort", "order", "or", "both"))
    called |= {at for one in joining for at in range(one.start, one.end)}
    tree.things[root.id] = replace(tree.things[root.id], said=tree.things[root.id].said | called)
    things, constraints = _negate(parse, tree.things, tree.constraints)
    things = [_jointly(parse, one) for one in _loosened(parse, _of_one_node(parse, things), constraints)]
    notes = {"named": float(named), "hints": float(len(tree.hints)), "strained": parse.strained}
    asked = (tuple(parse.extremes), tuple(parse.columns), parse.order, parse.analysis.answer_type == "boolean")
    return PartialQuery(tuple(things), tuple(constraints), *asked, apart=frozenset(parse.apart), notes=notes)


def _reach(parse: Parse, tree: _Tree, turn: int) -> bool:
    """Reach all things, the nearest one first; return whether there are ways."""
    things = tree.things
    while left := [thing.id for thing in things if thing.id not in tree.inside | parse.apart and thing.parent is None]:
        if len(left) > _MOST:
            return False
        # Things are of few classes; what is used up changes with each way that is taken.
        priced = cache(lambda *ends: [(way, *_price(parse, way, tree.hints)) for way in parse.schema.ways(*ends)])
        places = [span.start for span in parse.tagged.spans if span.kind in ("class", "thing")]
        options: list[tuple[float, int, int, int, tuple[Link, ...], tuple[Span, ...]]] = []
        for one in left:
            for parent in sorted(tree.inside):
                low, high = sorted((things[one].at, things[parent].at))
                between = sum(0 <= low < at < high for at in places)
                ways = priced(things[parent].cls, things[one].cls)
                options += [(price, between, parent, one, way, hints) for way, price, hints in ways]
        if not options:
            return False
        options.sort(key=lambda option: (floor(option[0]), option[1], option[0]))
        alike = (option for option in options if option[:4] == options[0][:4])
        best = next((one for one in alike if _is_called(parse, things, *one[2:5])), options[0])
        same = [option for option in options if option[3] == best[3]]
        if tree.steps == 0:
            parse.choices = max(parse.choices, len(same))
            best = same[turn] if turn and len(same) > turn else best
        _, _, parent, one, way, hints = best
        tree.steps += len(way)
        tree.hints |= {id(hint) for hint in hints}
        said = frozenset(at for hint in hints for at in hint.positions)
        things[one] = replace(things[one], parent=parent, way=way, said=things[one].said | said)
        tree.enter(one)
    return True


def _is_called(parse: Parse, things: Sequence[Thing], parent: int, one: int, way: tuple[Link, ...]) -> bool:
    """Return whether a way over something else leads along a relation with the name of its ends: a lease's tenant."""
    stems_of, words = parse.wording.names.stems_of, parse.analysis.words
    ends = ((way[0].reverse, things[parent]), (way[-1], things[one])) if len(way) > 1 else ()
    called = ((stems_of(link.relation), thing.said) for link, thing in ends if link.forward)
    return any(words[at].stem in stems for stems, said in called for at in said)


def _step_within(parse: Parse, tree: _Tree) -> int:
    """Return how many steps lead to the place where things are, which the name of the place says without further words.

    A place may lie within another one, and that within a third: a relation that leads on may be gone several times.
    """
    hints = {hint.iri for hint in parse.hints if id(hint) in tree.hints}
    names, found = parse.wording.names, 0
    for thing in tree.things:
        if thing.parent is None:
            continue
        parent = tree.things[thing.parent]
        # Of two that are named, the first is in the second: "Is Ulm in Germany?"
        to_place = bool(thing.terms) and not (parent.terms and parent.at > thing.at)
        from_place = bool(parent.terms) and not (thing.terms and thing.at > parent.at)
        inward = [to_place and names.is_within(link) for link in thing.way]
        outward = [from_place and names.is_within(link.reverse) for link in thing.way]
        steps = {at for at in range(len(thing.way)) if all(inward[at:]) or all(outward[: at + 1])}
        found += sum(thing.way[at].relation not in hints for at in steps)
        again = {at for at in steps if parse.schema.leads_on(thing.way[at])}
        if again or any(link.again for link in thing.way):
            way = (replace(link, again=at in again) for at, link in enumerate(thing.way))
            tree.things[thing.id] = replace(thing, way=tuple(way))
    return found


def _hang(parse: Parse, tree: _Tree, hint: Span, turn: int) -> None:
    """Hang a relation that no way goes along on the last thing before it that can have it, or on the first one."""
    if not (able := [tree.things[one] for one in tree.inside if parse.can(tree.things[one].cls, hint.iri)]):
        return
    before = [thing for thing in able if thing.at <= hint.start]
    owner, said = max(before, key=lambda thing: thing.at, default=able[0]), frozenset(hint.positions)
    if parse.schema.is_literal(hint.iri):
        test, said = _tests(parse, hint)
        tree.constraints.append(Constraint(owner.id, hint.iri, choices=test, said=said))
        return
    links = [link for link in parse.schema.links(owner.cls) if link.relation == hint.iri]
    after = owner.at > hint.start  # "depends on webdash": webdash is the object
    links.sort(key=lambda link: (link.forward == after, -link.share))
    parse.choices = max(parse.choices, len(links))
    if turn and len(links) > turn:
        links = links[turn:]
    if links:
        end = Thing(len(tree.things), links[0].target, at=hint.start, said=said, parent=owner.id, way=(links[0],))
        tree.things.append(end)
        tree.inside.add(end.id)


def _tests(parse: Parse, hint: Span) -> tuple[tuple[object, ...], frozenset[int]]:
    """Return the test of a value that a word says to be so, and all its words.

    What is *still* valid has a date that lies ahead, and what has *expired* has none; a flight that was *delayed* has a
    delay of more than 0 minutes.
    """
    sentence, said = parse.wording.sentence, frozenset(hint.positions)
    before, word = range(max(0, hint.start - NEAR), hint.start), parse.analysis.words[hint.start]
    known, ahead = parse.schema.relations[hint.iri], parse.schema.lies_ahead(hint.iri)
    if ahead and (still := [at for at in before if sentence.form("still", at)]):
        return (is_ahead,), said.union(still)
    if ahead and any(sentence.form("over", at) for at in hint.positions):
        return (is_past,), said
    from_none = bool(known.units) and any(one.least.number == 0 for one in known.ranges)
    done = parse.analysis.language == "en" and is_verb_only(word.folded)
    return ((is_some,) if done and from_none and hint.iri not in parse.wording.names.counted else ()), said


def _price(parse: Parse, way: tuple[Link, ...], used: set[int]) -> tuple[float, tuple[Span, ...]]:
    """Return what a way costs, and the words that name steps of it."""
    total = 0.0
    hints: list[Span] = []
    for link in way:
        gone = used.union(map(id, hints))
        of_fact = link.relation.startswith(FACT)  # words that name a relation lead from both ends to its facts
        relation = said_by(link.relation)
        hint = next((one for one in parse.hints if one.iri == relation and (of_fact or id(one) not in gone)), None)
        if hint is not None and not (way[-1 if link.forward else 0] is not link and passes_doer(parse.wording, hint)):
            hints.append(hint)
            total += 0.5 * (1 - hint.score) + 0.1 * of_fact  # one fact is meant rather than two
        else:
            total += link_cost(link)
    return total, tuple(hints)


def passes_doer(wording: Wording, hint: Span) -> bool:
    """Return whether words for who did something lead to what it was done to: placed on a lot, by someone."""
    pack, words = wording.pack, wording.analysis.words[hint.end - 1 : hint.end + 1]
    last = [[fold(name.text).split()[-1]] for name in wording.names.of(hint.iri)]
    by, said = (any(pack.forms["agent"].end(one, 0) for one in some) for some in (last, [[w.folded] for w in words]))
    return by and not said and words[-1].folded in pack.data.naming.prepositions


def _loosened(parse: Parse, things: list[Thing], constraints: Sequence[Constraint]) -> list[Thing]:
    """Leave out the classes that relations imply; things that the graph gives no class are found then, too."""
    kept = []
    loose = set() if parse.schema.profile.blank else {NO_CLASS}  # what has no class may be of any, unless unnamed
    stems_of = parse.wording.names.stems_of
    for thing in things:
        if thing.typed and thing.way and thing.at < 0:
            thing = replace(thing, typed=False)
        elif thing.typed:
            ways = [_targets(parse, thing.way[-1])] if thing.way else []
            below = (one for one in things if one.parent == thing.id and one.way and one.terms and not one.negated)
            ways += [_targets(parse, one.way[0], back=True) for one in below]
            limits = (one for one in constraints if one.thing == thing.id and one.relation and one.counted is None)
            ways += [set(parse.schema.sources(one.relation)) for one in limits if not one.negated]
            known = (ends - loose for ends in ways)
            last = thing.way[-1] if thing.way else None  # the soloist of a concert, who may be of another class
            called = last and last.forward and stems_of(last.relation) == stems_of(thing.cls)
            if called or any(ends and all(parse.schema.is_a(end, thing.cls) for end in ends) for ends in known):
                thing = replace(thing, typed=False)
        kept.append(thing)
    return kept


def _jointly(parse: Parse, thing: Thing) -> Thing:
    """Return a thing with a last step along all relations that a word for one of them calls, too."""
    named = (one for one in parse.tagged.spans if one.kind == "relation" and not one.exact and thing.way)
    span = next((one for one in named if one.iri == thing.way[-1].relation), None)
    if span is None or len(together := parse.wording.taken_together(span.iri, span.end)) < 2:
        return thing
    return replace(thing, way=(*thing.way[:-1], replace(thing.way[-1], together=tuple(together))))


def _of_one_node(parse: Parse, things: list[Thing]) -> list[Thing]:
    """Split what is named into one thing each where one node leads to all, a value of which is asked for.

    The severity of the interaction of two drugs is that of one interaction, and none that each of them has some with.
    """
    asked = (one.thing for one in parse.columns if one.relation and not parse.analysis.both)
    owners = {one for one in asked if not things[one].terms}
    for thing in [one for one in things if one.every and one.parent in owners]:
        steps = ((parse.schema.relations[link.relation], link.forward) for link in thing.way)
        several = any((known.most_per_subject if forward else known.most_per_object) > 1 for known, forward in steps)
        if several and all(one.parent != thing.id for one in things):
            first, *rest = (replace(thing, terms=(one,), every=False) for one in thing.terms)
            things[thing.id] = first
            things += [replace(one, id=len(things) + at) for at, one in enumerate(rest)]
    return things


def _targets(parse: Parse, link: Link, *, back: bool = False) -> set[str]:
    return {end.object if link.forward != back else end.subject for end in parse.schema.relations[link.relation].ends}


def _negate(parse: Parse, things: list[Thing], constraints: list[Constraint]) -> tuple[list[Thing], list[Constraint]]:
    """Negate what follows each "not", "no", "without"."""
    for operator in parse.tagged.operators:
        if operator.kind != "not" or any(one.without and operator.start in one.said for one in things):
            continue
        found: list[tuple[int, str, int]] = []
        for thing in things:
            first = min((at for at in thing.said if at >= operator.end), default=None)
            named_before = bool(thing.terms) and thing.at < operator.start
            if first is not None and thing.parent is not None and not named_before:
                found.append((first, "thing", thing.id))
        for at, limit in enumerate(constraints):
            if (first := min((one for one in limit.said if one >= operator.end), default=None)) is not None:
                found.append((first, "limit", at))
        words = frozenset(range(operator.start, operator.end))
        first = min(found)[0] if found else len(parse.analysis.words)
        said = next((one for one in parse.tagged.spans if one.defined and operator.end <= one.start <= first), None)
        if said is not None and things[parse.of_span[id(said)]].at < operator.start:  # cities that are no major cities
            one = things[parse.of_span[id(said)]]
            things[one.id] = replace(one, differs=True, said=one.said | words)
            continue
        if not found:
            continue
        _, kind, index = min(found)
        if kind == "thing":
            gone = _apart(parse, operator, things[index], things)
            owner = things[gone.parent or 0]
            behind = owner.parent is not None and not owner.terms and not 0 <= owner.at < operator.end
            asked = not reached_from(things, owner.id).isdisjoint(one.thing for one in parse.columns)
            if gone is things[index] and gone.terms and behind and not asked:
                gone = owner  # no French films
            things[gone.id] = replace(gone, negated=True, said=gone.said | words)
            continue
        limit = constraints[index]
        owner = things[limit.thing]
        # "Treats no smokers", and not "patients who are no smokers"
        telling = limit.relation in parse.schema.truths or limit.relation in parse.schema.codes
        unsaid = telling and not owner.typed and not owner.terms
        if owner.parent is not None and (owner.at >= operator.end or owner.at < 0 or unsaid):
            things[owner.id] = replace(owner, negated=True, said=owner.said | words)
        else:
            constraints[index] = replace(limit, negated=True, said=limit.said | words)
    return things, constraints


def _apart(parse: Parse, operator: Operator, thing: Thing, things: Sequence[Thing]) -> Thing:
    """Return a thing that is not to be, reached as the one is that is named right before: "border Spain but not Italy".

    A train that stops in Rome but not in Milan has a stop in Rome and none in Milan: no stop is in both.
    """
    words = parse.analysis.words
    beside = (one for one in things if one.said and one.terms and thing.terms and one.parent is not None)
    apart = (one for one in beside if one.id not in reached_from(things, thing.id))
    before = (one for one in apart if max(one.said) < operator.start and parse.schema.meet(one.cls, thing.cls))
    near = (one for one in before if all(words[at].empty for at in range(max(one.said) + 1, operator.start)))
    if (other := next(near, None)) is None or other.parent is None:
        return thing
    parent, way = things[other.parent], other.way
    if parent.parent is not None and parse.schema.is_single(way[0]):
        return replace(thing, parent=parent.parent, way=(*parent.way, *way))
    itself = not other.negated and parse.schema.meet(parent.cls, thing.cls)  # Italy is not meant, either
    return replace(thing, parent=parent.id, way=way, differs=itself)


def passed_by(partial: PartialQuery, said: Collection[str], schema: SchemaGraph) -> Iterator[Thing]:
    """Yield things that would link what is named, where a relation that nobody said does: appointments with doctors."""
    used = partial.counted | {one.thing for one in partial.parts}
    pairs = [(partial.thing(one.parent), one) for one in partial.things if one.parent is not None]
    for thing in (one for one in partial.things if one.said and not one.terms and one.id not in used):
        near = [one for pair in pairs if thing in pair for one in pair if one != thing]
        beside = (pair for pair in pairs if len(near) == 1 and near[0] in pair and thing not in pair)
        direct = (pair for pair in beside if len(pair[1].way) == 1 and pair[1].way[0].relation not in said)
        ends = {one.cls for pair in direct for one in pair if one.terms and one not in near}
        if any(schema.meet(link.target, end) for link in schema.links(thing.cls) for end in ends):
            yield thing
