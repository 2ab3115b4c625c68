"""Spans of values that words tell without naming them: adjectives in other forms, dates by their years or months."""

from collections.abc import Iterator

from triad.language.analysis import Analysis
from triad.language.normalize import fold
from triad.lexical.composition.elements import INDIRECT, NEARLY, Span
from triad.lexical.composition.names import Names


def dated(analysis: Analysis, names: Names) -> Iterator[Span]:
    """Yield the dates for whose years or months rows are wanted: hired each year, and of things that are named."""
    pack, said = names.packs[0], {word.stem for word in analysis.words}
    times = {pack.english.units[pack.english.stem(name)] for name in ("year", "month")}
    if (at := analysis.each) is None:
        return
    unit = pack.unit_phrases.longest([word.stem for word in analysis.words], at)
    if unit is None or pack.units[unit[1]] not in times:
        return
    spoken = [cls for cls in names.schema.classes if not said.isdisjoint(map(pack.stem, names.heads(cls)))]
    for iri in (iri for iri in names.schema.relations if names.schema.value_kind(iri) == "date"):
        if (event := names.event_of(iri) & said) or any(names.schema.has(cls, iri) for cls in spoken):
            text = next((name.text for name in names.of(iri)), "")
            yield Span("relation", at, unit[0], iri, NEARLY if event else INDIRECT, exact=False, text=text)


def inflected(analysis: Analysis, names: Names) -> Iterator[Span]:
    """Yield the values that relations list, by an adjective in another form: offene, which are "offen"."""
    pack = names.packs[0]
    content = [] if analysis.language == "en" else [one for one in enumerate(analysis.words) if not one[1].empty]
    for iri, value in ((iri, value) for iri, values in names.schema.listed.items() if content for value in values):
        stems = pack.stem_list(value)
        for at, word in content:
            if [word.stem] == stems and word.folded != fold(value):
                yield Span("text", at, at + 1, iri, NEARLY, text=value)
