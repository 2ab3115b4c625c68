"""A question as one tagging reads it: its spans, its operators and what these apply to."""

from triad.language.lexical_database import kinds
from triad.language.operators import Operator
from triad.lexical.composition.elements import Span
from triad.lexical.composition.tagging import Tagging
from triad.lexical.composition.wording import NEAR, Wording


class TaggedQuestion:
    """A question whose words one tagging accounts for."""

    def __init__(self, wording: Wording, tagging: Tagging) -> None:
        self.wording = wording
        self.analysis = wording.analysis
        self.schema = wording.schema
        self.spans = [span for span in tagging.spans if span.kind not in ("source", "part")]
        self.parts = [span for span in tagging.spans if span.kind == "part"]
        self.operators = list(tagging.operators)
        self.bounds = list(tagging.bounds)
        self.tagging = tagging

    def operand(self, operator: Operator) -> Span | None:
        """Return the span that an operator applies to: the next one, with nothing but operators between."""
        at = operator.end
        for span in self.spans:
            nouns = (one.kind in ("class", "relation") for one in self.spans if one.start == span.end)
            if span.start < at or (operator.kind == "count" and span.kind == "thing" and not any(nouns)):
                continue
            between = span.start - at
            skipped = sum(one.end - one.start for one in self.operators if at <= one.start and one.end <= span.start)
            if between - skipped > NEAR or any(at <= bound[0].start < span.start for bound in self.bounds):
                return None
            return self._qualified(span, operator)
        return None

    def _qualified(self, span: Span, operator: Operator) -> Span:
        """Return what a text, a name, a truth or a class before it qualifies: "active users", "channel owners"."""
        at = self.spans.index(span)
        after = self.spans[at + 1] if at + 1 < len(self.spans) else None
        if after is None or after.start != span.end:
            return span
        if span.kind == "class" and after.kind == "relation" and after.exact and self.schema.is_literal(after.iri):
            found = kinds(self.analysis.words[after.end - 1].folded) & {"n", "v"}
            measured = operator.kind in ("aggregate", "each", "superlative")
            return after if found == {"n"} or (measured and "n" in found) else span
        qualified = {"text": ("class", "relation"), "thing": ("class",)}.get(span.kind, ())
        qualified = ("class",) if span.iri in self.schema.truths else qualified
        return after if after.kind in qualified else span
