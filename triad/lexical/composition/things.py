"""Things: each class and each name of a question is one, and so may be a relation that is a noun."""

import itertools
from dataclasses import replace

from triad.lexical.composition.elements import Span
from triad.lexical.composition.parse import Parse
from triad.lexical.composition.schema_graph import NO_CLASS


def name_things(parse: Parse) -> None:
    """Make a thing of each class and of each name."""
    by_class: dict[str, Span] = {}
    previous: Span | None = None
    reach = 0  # the end of the previous span, with the words right after it that say "named"
    for span in parse.tagged.spans:
        if span.start >= parse.sorted_from or span.kind == "name":
            parse.taken.add(id(span))
            if span.start == reach:
                reach = span.end  # the ship named Lettice
            continue
        if span.kind == "class":
            same = previous if _narrows(parse, previous, span) else by_class.get(span.iri)
            if (apart := _apart_from(parse, previous, span)) is not None:
                without = (*parse.things[apart].without, span.iri, *parse.schema.below(span.iri))
                parse.change(replace(parse.things[apart], without=without))
                parse.say(apart, *range(previous.end if previous else span.start, span.end))
                parse.of_span[id(span)] = apart
                parse.taken.add(id(span))
            elif same is not None and not _is_another(parse, same, span):
                known = parse.of_span[id(same)]
                parse.of_span[id(span)] = known
                parse.taken.add(id(span))
                parse.say(known, *span.positions)
                if parse.schema.is_a(span.iri, parse.things[known].cls):
                    parse.change(replace(parse.things[known], cls=span.iri, below=parse.schema.below(span.iri)))
                if span.defined:
                    parse.change(replace(parse.things[known], defined=span.defined))
            elif choice := _choice(parse, span):
                thing = parse.add(span.iri, span, terms=tuple(term for one in choice for term in one.terms))
                parse.say(thing.id, *(at for one in choice for at in one.positions))
                parse.of_span |= {id(one): thing.id for one in choice}
                parse.taken |= {id(one) for one in choice}
            else:
                by_class[span.iri] = span
                parse.add(span.iri, span, typed=True)
            if span.kind_by:
                kind = parse.add(span.kind_by.target, terms=span.terms)
                kind = replace(kind, parent=parse.of_span[id(span)], way=(span.kind_by,), at=span.start)
                parse.change(replace(kind, said=frozenset(span.positions)))
        elif span.kind == "thing" and id(span) not in parse.of_span:
            cls = span.classes[0] if span.classes else NO_CLASS
            called = previous is not None and parse.wording.calls(previous.end, span.start)
            near = previous if span.start == reach or called else None
            meet = near is not None and any(parse.schema.meet(near.iri, one) for one in span.classes or (near.iri,))
            if near is not None and near.kind == "class" and meet:
                one = parse.things[parse.of_span[id(near)]]
                if not one.terms:
                    parse.change(replace(one, terms=span.terms, typed=called, said=one.said | set(span.positions)))
                    parse.of_span[id(span)] = one.id
                    parse.taken.add(id(span))
                    previous, reach = span, span.end
                    continue
            before = parse.joined_before(span)
            pairs = [(one, other) for one in before[0].classes for other in span.classes] if before is not None else []
            alike = not pairs or any(parse.schema.meet(*pair) for pair in pairs)
            if before is not None and id(before[0]) in parse.of_span and alike:
                one = parse.things[parse.of_span[id(before[0])]]
                every = before[1] != "or" and len(before[0].terms) == len(span.terms) == 1
                terms = (*one.terms, *span.terms)
                parse.change(replace(one, terms=terms, said=one.said | set(span.positions), every=every))
                parse.of_span[id(span)] = one.id
                parse.taken.add(id(span))
            else:
                parse.add(cls, span, terms=span.terms)
        previous, reach = span, span.end


def _narrows(parse: Parse, known: Span | None, span: Span) -> bool:
    """Return whether words say which of the things of a class are meant, or of which: "servers that are machines"."""
    if known is None or known.kind != "class" or id(known) not in parse.of_span:
        return False
    between = parse.analysis.words[known.end : span.start]
    are = not between or any(word.folded in parse.wording.pack.be for word in between)
    apart = any(known.end <= one.start < span.start for one in parse.tagged.operators)  # servers that are no machines
    return are and not apart and all(word.empty for word in between) and parse.schema.meet(known.iri, span.iri)


def _apart_from(parse: Parse, known: Span | None, span: Span) -> int | None:
    """Return the number of the thing of which a class is left out: animals that are no cows, except cows and goats."""
    thing = parse.thing_of(known)
    if known is None or thing is None or known.kind != "class":
        return None
    between = range(known.end, span.start)
    no = [one for one in parse.tagged.operators if one.kind == "not" and one.start in between]
    also = known.iri in thing.without and bool(parse.wording.joined(known.end, span.start))
    below = span.iri != thing.cls and parse.schema.is_a(span.iri, thing.cls)
    apart = all(parse.analysis.words[at].empty or any(one.start <= at < one.end for one in no) for at in between)
    return thing.id if below and (no or also) and apart else None


def _is_another(parse: Parse, known: Span, span: Span) -> bool:
    """Return whether words name other things of a class than before: "states that border the largest state"."""
    between = (one for one in parse.tagged.spans if one.kind == "relation" and known.end <= one.start < span.start)
    steps = {one.iri for one in between}
    return any(link.relation in steps and link.target == span.iri for link in parse.schema.links(span.iri))


def _choice(parse: Parse, span: Span) -> list[Span]:
    """Return the things of a class between which a question has to choose: "which company …, SAP or Intel?"."""
    if not parse.analysis.either or parse.analysis.asked.isdisjoint(span.positions):
        return []
    things = [one for one in parse.tagged.spans if one.kind == "thing" and one.start >= span.end]
    joined = any(parse.wording.joined(one.end, other.start) == "or" for one, other in itertools.pairwise(things))
    of_class = all(any(parse.schema.is_a(cls, span.iri) for cls in one.classes) for one in things)
    first, words = things[0].start if things else 0, parse.analysis.words
    steps = (one for one in parse.tagged.spans if one.kind == "relation" and not parse.schema.is_literal(one.iri))
    near = (one.end for one in steps if one.end <= first and all(words[at].empty for at in range(one.end, first)))
    led = any("," not in parse.wording.gap(end, first) for end in near)  # what borders Germany or France
    return things if joined and of_class and not led else []


def chain(parse: Parse) -> None:
    """Make things of relations that are nouns: "the dependencies of plotline", "the head of the ward"."""
    for span in reversed(parse.chained):
        owner = parse.owner(span.iri, span, asked=True)
        if span.start >= parse.sorted_from:
            continue
        if owner.at < span.start and any(one.at > span.start for one in parse.things if not (one.terms or one.way)):
            continue  # it leads from one to the other: who is a student of a student of hers
        parse.taken.add(id(span))
        end = parse.end(owner, span.iri, span)
        noun = parse.analysis.answer_type != "boolean" and not parse.wording.names.is_verb(span.iri)
        if noun and owner.terms and owner.parent is None:
            # What is asked for is connected with the students of somebody, and not with their teacher.
            parse.change(replace(owner, parent=end.id, way=tuple(link.reverse for link in end.way)))
            parse.change(replace(end, parent=None, way=()))
