"""The languages of a graph's labels: they resolve doubt about the language of a short question.

"Hauptstadt Italiens?" is too short for its letters to tell a language. Where the graph has the label "Hauptstadt" in
German and no such label in English, it is German.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from babel import Locale

from triad.errors import GraphError
from triad.kg.base import KnowledgeGraph
from triad.kg.labels import LabelFinder
from triad.kg.profile import GraphProfile
from triad.language.detection import Detection
from triad.language.mentions import edged, tokens
from triad.language.pack import load_pack
from triad.rdf import IRI, RDF_LANG_STRING, Literal

_LONGEST: Final = 4  # words of a label that is looked for in a question
_LABELS: Final = 400  # labels that are looked up for a question at most


class LabelLanguages:
    """The languages that a graph has labels in.

    Without a profile, which knows them, the graph itself is asked in doubt.
    """

    def __init__(self, graph: KnowledgeGraph, finder: LabelFinder, profile: GraphProfile | None = None) -> None:
        self._graph = graph
        self._finder = finder
        self._profile = profile
        self.tags = frozenset(_code(tag) for tag in profile.languages if tag) if profile else frozenset[str]()
        """The languages of its labels, as codes of two letters; empty where they are not known."""
        self._vocabulary = lru_cache(maxsize=16)(self._read_vocabulary)

    def lack(self, language: str) -> bool:
        """Return whether no label is in a language, as far as labels say which language they are in."""
        return bool(self.tags) and _code(language) not in self.tags

    def have(self, language: str) -> bool:
        """Return whether labels are in a language, as far as labels say which language they are in."""
        return _code(language) in self.tags

    def note(self, language: str, preferred: Sequence[str]) -> str | None:
        """Return a sentence that no name is in a language; None if there are some, or if that cannot be known."""
        languages = self._profile.languages if self._profile else {}
        if not self.lack(language) or 2 * languages.get("", 0) > sum(languages.values()):
            return None
        frequent = sorted(filter(None, languages), key=lambda tag: -languages[tag])
        shown = next(one for one in (*preferred, *frequent) if not self.lack(one))
        return f"the graph has no {language_name(language)} names; {language_name(shown)} ones are shown"

    def resolved(self, text: str, found: Detection) -> str:
        """Return the language of a question: in doubt the one in which most of its words are labels of the graph."""
        options = [one for one in found.others if not self.lack(one)]
        if not options:
            return found.language
        said = self._said(text, [found.language, *options])
        best = max(options, key=lambda one: said[one])
        return best if said[best] > max(said[found.language], said[""]) else found.language

    def _said(self, text: str, languages: Sequence[str]) -> Counter[str]:
        """Return how many words of a text the labels in each language account for; "" stands for those in none.

        Words of a class or a relation count twice, for names of people and places are the same in many languages.
        """
        found = tokens(text, load_pack(languages[0]))
        runs = list(edged(found, range(len(found)), _LONGEST))
        texts = {(first, last): text[found[first].start : found[last].end] for first, last in runs}
        labels = self._labels({form for one in texts.values() for form in _forms(one)}, languages)
        said: Counter[str] = Counter()
        for language in dict.fromkeys([*languages, ""]):
            own = load_pack(language or languages[0])
            tag = _code(language)
            terms = self._vocabulary(tag)
            schema = {run for run, words in texts.items() if own.stems(words) in terms}
            names = {run for run, words in texts.items() if any((form, tag) in labels for form in _forms(words))}
            for accounted in (schema, schema | names):
                places = {at for first, last in accounted for at in range(first, last + 1)}
                said[language] += sum(1 for at in places if not own.is_idle(found[at].text))
        return said

    def _labels(self, texts: Iterable[str], languages: Sequence[str]) -> set[tuple[str, str]]:
        """Return those of some texts that are labels, each with the code of its language."""
        asked = [Literal(text, RDF_LANG_STRING, _code(one)).n3() for text in sorted(texts) for one in languages]
        plain = [Literal(text).n3() for text in sorted(texts)]
        properties = ", ".join(IRI(iri).n3() for iri in self._finder.labels.all)
        if not asked or not properties:
            return set()
        try:
            rows = self._graph.lookup(
                f"SELECT DISTINCT ?label {{ VALUES ?label {{ {' '.join([*plain, *asked][:_LABELS])} }} "
                f"?thing ?property ?label FILTER(?property IN ({properties})) }}"
            )
        except GraphError:
            return set()  # the doubt remains, and the question can still be answered
        return {(row.value, _code(row.language or "")) for row in rows.column("label") if isinstance(row, Literal)}

    def _read_vocabulary(self, language: str) -> frozenset[frozenset[str]]:
        """Return the labels of classes and relations in a language, as stems."""
        if self._profile is None:
            return frozenset()
        pack = load_pack(language)
        named = [one.labels for one in self._profile.classes] + [one.labels for one in self._profile.relations]
        labels = (label for labels in named for label in labels if _code(label.language or "") == language)
        return frozenset(pack.stems(label.value) for label in labels)


def language_name(tag: str) -> str:
    """Return the English name of a language.

    >>> language_name("de-AT"), language_name("tlh")
    ('German', 'Klingon')
    """
    name: str = Locale("en").languages.get(_code(tag), tag)
    return name


def _forms(text: str) -> Iterator[str]:
    """Yield the ways in which a label may be written that a question has as some words."""
    yield text
    yield text.lower()
    yield text[:1].upper() + text[1:]


def _code(tag: str) -> str:
    return tag.lower().partition("-")[0]
