"""How the relations and classes of a schema are asked for by their names.

A name has a form: a noun has a value ("What is the length of …?"), a participle tells what happened or is so ("Who was
… founded by?"), a verb what a thing does ("What did … write?"). English words have their forms from the lexical
database; in other languages each name counts as a noun. A name that surely has no form is not asked for.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, Literal as Choice, NamedTuple

from triad.language.lexical_database import is_plural, kinds, lemmas, uses
from triad.language.normalize import fold, plural
from triad.language.pack import load_pack
from triad.language.pack_schema import SchemaQuestion
from triad.language.relatedness import is_kind_of, relatedness
from triad.language.telling import past

Kind = Choice["people", "places", "things", "dates", "numbers", "texts"]
"""What a relation leads to."""

_BRACKET: Final = re.compile(r"(?<!\s)\s*\([^()]*\)$")  # a unit behind a name: capacity (MW)
_NAME: Final = re.compile(r"(?![a-z]+[A-Z])(?!.* [,;.])[^_|<>{}\[\]\n?]*[^\W\d_]{2}[^_|<>{}\[\]\n?]*(?<!!)")
"""What a thing may be called in a sentence: something with letters, in one line."""
_MODEL: Final = re.compile(r" (?=\S*\d)(?=\S*[^\d\s])\S+$")
"""The end of a name that may have an article or not: the Boeing 737-800."""
_ABBREVIATION: Final = re.compile("[b-df-hj-np-tv-xz]{2,4}")  # a word without vowels, such as gdp
_PARTICIPLE: Final = re.compile(r"\w[^e]ed$")
_LONGEST_NAME: Final = 50
_ALIKE: Final = 0.5  # the relatedness of two words from which they stand side by side
_NOUN: Final = 0.8  # the use of a word as a noun from which it is one where it stands alone, and behind other words
_NOUN_IN_PHRASE: Final = 0.3
_NOUN_BEFORE_DATE: Final = 0.6
_ADJECTIVE: Final = 0.7  # the use of a word as an adjective from which it may be no noun


class Form(NamedTuple):
    """The form of a relation's name."""

    kind: Choice["noun", "nouns", "participle", "verb"]
    word: str
    """The noun, the participle, or the verb as it follows an auxiliary."""
    preposition: str = ""
    tense: str = ""
    """The auxiliary before the thing."""


class Asking:
    """Makes questions of names, in a language; each is None where it would surely be no sentence."""

    def __init__(self, language: str) -> None:
        self._pack = load_pack(language)
        self._how = self._pack.data.naming
        self._says = self._pack.data.schema_questions
        self._english = self._pack is self._pack.english
        self.form = lru_cache(maxsize=1 << 10)(self._form)
        measured = (*self._pack.data.measures, *(name for one in self._pack.data.degrees for name in one.mean))
        # What the database does not have, and the pack does, such as runtime.
        words = {word for name in measured for word in fold(name).split()}
        self._measures = frozenset(word for word in words if not kinds(word)) if self._english else frozenset()
        units = self._pack.data.numbers.units.items()
        self._units = frozenset(unit for what, some in units if what not in ("time", "money") for unit in some)
        self._uncounted = frozenset(self._how.uncounted)

    def within(self, name: str) -> str:
        """Return the name of a class or a relation as it stands within a sentence."""
        name = _BRACKET.sub("", name)
        if self._pack.data.capital_nouns:
            return name
        words = (word.lower() if word[1:].islower() or len(word) == 1 else word for word in name.split())
        return " ".join(word.upper() if self._english and _ABBREVIATION.fullmatch(word) else word for word in words)

    def thing(self, name: str, classes: Sequence[str] = ()) -> str | None:
        """Return the name of a thing of some classes as it stands within a sentence."""
        if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name) or _MODEL.search(name) or name.islower():
            return None
        known = self._how.names_with_article
        begins = any(name.startswith(f"{one} ") for one in known if " " in one)
        articled = begins or name.split()[-1] in known or any(fold(one) in self._how.with_article for one in classes)
        return f"the {name}" if articled and not name.lower().startswith("the ") else name

    def class_(self, name: str) -> tuple[str, str] | None:
        """Return the name of a class for one and for many, in a language whose plurals are known."""
        name = self.within(name)
        if not self._english:
            return None
        # Whatever a class is called is a noun, if it can be one.
        noun = self._is_noun(fold(name)) or "n" in kinds(name)
        if not noun or self._is_plural(name) or name.rpartition(" ")[2] in self._how.uncountable:
            return None
        return name, plural(name)

    def kind(self, classes: Iterable[str]) -> Kind:
        """Return what things are whose classes, and those above them, have some names."""
        for name in map(fold, classes):
            head = name.rpartition(" ")[2]
            if {name, head} & self._pack.names_of("people") or (self._english and is_kind_of(head, "person")):
                return "people"
            if {name, head} & self._pack.names_of("places") or (self._english and is_kind_of(head, "location")):
                return "places"
        return "things"

    def value(
        self, relation: str, thing: str, kind: Kind, *, several: bool = False, in_place: bool = False
    ) -> str | None:
        """Return the question for what a thing has by a relation; the country of a city is a place that it is in."""
        if known := self._how.questions.get(fold(_BRACKET.sub("", relation))):
            return _sentence(known, thing=thing)
        if (form := self.form(relation)) is None or (in_place and several):
            return None
        if in_place and form.kind == "noun" and self._english:
            return self._said("within", relation=form.word, thing=thing)
        if form.kind in ("participle", "verb"):
            return self._done(form, thing, kind)
        if form.kind == "nouns" and kind == "numbers":
            return self._said("amount", relation=form.word, thing=thing)
        if form.kind == "nouns" and uses(form.word).get("v", 0.0) >= _NOUN:
            return None  # the country borders
        many = form.kind == "nouns" or (several and self._english and kind != "numbers")
        noun = plural(form.word) if many and form.kind == "noun" else form.word
        person = self._english and is_kind_of(form.word.rpartition(" ")[2], "person")
        people = self._english and (person or kind == "people") and kind not in ("dates", "numbers")
        kinds_of: tuple[SchemaQuestion, SchemaQuestion] = ("person", "persons") if people else ("value", "values")
        return self._said(kinds_of[many], relation=noun, thing=thing)

    def plainness(self, relation: str) -> int:
        """Return how far the question for a relation is from what people say, 0 for one in words of its own."""
        if fold(_BRACKET.sub("", relation)) in self._how.questions:
            return 0
        form = self.form(relation)
        return 3 if form is None else 2 if form.kind == "noun" else 1

    def most(self, name: str, relation: str, *, named: bool = False) -> str | None:
        """Return the question for the instances of a class that have most of a measure, or what these are called."""
        form, one = self.form(relation), self.class_(name)
        if form is None or one is None or form.kind not in ("noun", "nouns"):
            return None
        first, head = form.word.partition(" ")[0], form.word.rpartition(" ")[2]
        if any(is_kind_of(head, one) for one in ("person", "artifact")) and form.kind == "noun":
            return None  # which number it has
        if head in self._uncounted or first in self._how.extreme:
            return None
        degrees = [entry for entry in self._pack.data.degrees if entry.most and not entry.down]
        own = (entry for entry in degrees if entry.mean[:1] == (form.word,) and not entry.attributive)
        adjective = self._how.superlatives.get(form.word) or next((entry.most[0] for entry in own), "")
        highest, most = self._how.greatest
        if form.kind == "nouns":
            adjective, highest = "", most
        scales = (entry.most[0] for entry in degrees if head in entry.mean and entry.most[0] in self._how.scales)
        kind: SchemaQuestion = ("superlative_named" if named else "superlative") if adjective else "most"
        kind = "most_named" if named and not adjective else kind
        words = {"most": adjective or (highest if form.kind == "nouns" else next(scales, highest))}
        told = self._says[kind].format(relation=form.word, **words, **{"class": one[0]})
        return told if named else _sentence(told)

    def named(self, relation: str, thing: str) -> str | None:
        """Return what is called by a relation of a thing: the director of Titanic."""
        form = self.form(relation)
        fits = form and form.kind == "noun" and "value_named" in self._says
        return self._says["value_named"].format(relation=form.word, thing=thing) if form and fits else None

    def count(self, name: str) -> str | None:
        """Return the question for how many instances a class has."""
        one = self.class_(name)
        return self._said("count", classes=one[1]) if one else None

    def having(self, name: str, relation: str, value: str, *, alike: bool = False, count: bool = False) -> str | None:
        """Return the question for the instances of a class that have a value, of the same class if they are alike."""
        form, one = self.form(relation), self.class_(name)
        if form is None or one is None:
            return None
        said = {"which": self._how.asked["number" if count else "several"], "classes": one[1], "value": value}
        if form.kind == "noun":
            return self._said("having", relation=form.word, **said)
        if form.kind == "nouns":  # that borders is what countries do to countries, and what they have of rivers
            verb = next(iter(lemmas(form.word)), "")
            fits = alike and uses(verb).get("v", 0.0) >= _NOUN
        elif form.kind == "verb":
            verb, fits = form.word if form.tense == "does" else past(form.word), True
        else:
            verb, fits = f"{self._how.auxiliaries[form.tense][1]} {form.word}", bool(form.preposition)
        return self._said("doing", verb=f"{verb} {form.preposition}".strip(), **said) if fits else None

    def _done(self, form: Form, thing: str, kind: Kind) -> str | None:
        asked, verb = self._how.asked["people" if kind == "people" else "things"], f"{form.word} {form.preposition}"
        where = form.preposition in ("", "in", "at")
        if form.kind == "verb":
            fits = kind in ("people", "places", "things")
        elif where and (kind == "places" or (kind == "dates" and form.tense == "past")):
            asked, verb, fits = self._how.asked[kind], form.word, True
        else:
            fits = bool(form.preposition) and (kind in ("things", "places") or (kind == "people" and not where))
        auxiliary = self._how.auxiliaries[form.tense][0]
        return self._said("done", asked=asked, auxiliary=auxiliary, thing=thing, verb=verb.strip()) if fits else None

    def _said(self, kind: SchemaQuestion, **names: str) -> str:
        return _sentence(self._says[kind], **names)

    def in_passive(self, said: Sequence[str]) -> bool:
        """Return whether words end with a verb of English in the passive: is not supervised."""
        been = {"been", *self._how.auxiliaries.get("past", ()), *self._how.auxiliaries.get("present", ())}
        return self._is_participle(said[-1]) and not been.isdisjoint(said)

    # Forms of English names

    def _form(self, relation: str) -> Form | None:
        if not (words := self.within(relation).split()):
            return None
        if not self._english:
            keys = list(map(self._pack.key, words))
            return Form("noun", " ".join(words)) if self._pack.empty.isdisjoint((keys[0], keys[-1])) else None
        tense = {"is": "present", "are": "present", "was": "past", "were": "past"}.get(words[0], "")
        if (tense or words[0] in ("has", "have", "had")) and len(words) > 1:
            words = words[1:]
        first, *rest = words
        if self._is_participle(first) and (not rest or (rest[0] in self._how.prepositions and len(rest) == 1)):
            tense = tense or ("present" if first in self._how.lasting else "past")
            return Form("participle", first, "".join(rest), tense)
        if tense:
            return None
        name = " ".join(words)
        if name.startswith("number of ") and self._is_plural(name) and self._is_noun(name.removeprefix("number of ")):
            return Form("nouns", name.removeprefix("number of "))
        if self._is_noun(fold(name)):
            return Form("nouns" if self._is_plural(name) else "noun", name)
        return self._verb(first, rest)

    def _verb(self, first: str, rest: list[str]) -> Form | None:
        """Return the form of a verb: wrote, teaches, flows through. "Plays" alone may be a noun."""
        led = len(rest) == 1 and rest[0] in self._how.prepositions
        if (rest and not led) or "v" not in kinds(first) or (not led and kinds(first) != {"v"}):
            return None
        base = next((one for one in lemmas(first) if "v" in kinds(one) and one != first), None)
        if base is None or first.endswith(("ed", "ing")):
            return None
        return Form("verb", base, "".join(rest), "does" if first.endswith("s") else "did")

    def _is_participle(self, word: str) -> bool:
        return word in self._how.participles or (bool(_PARTICIPLE.search(word)) and "v" in kinds(word))

    def _is_noun(self, name: str) -> bool:
        """Tell whether a name is one of a thing: its head is a noun mostly, and its other words are words."""
        *others, head = name.split() or [""]
        if others and ("of" in others or not self._units.isdisjoint((head, *lemmas(head)))):
            return "n" in kinds(name)
        if head in ("year", "date") and others and uses(others[-1]).get("n", 0.0) < _NOUN_BEFORE_DATE:
            return False  # the year built
        use = {"n": 1.0} if head in self._measures else uses(head)
        least = _NOUN_IN_PHRASE if others else _NOUN
        if use.get("n", 0.0) < least or use.get("a", 0.0) > _ADJECTIVE or len(head) < 3:
            return "n" in kinds(name) and bool(others)
        if others and relatedness(others[-1], head) >= _ALIKE and "n" not in kinds(name):
            return False  # not one of the other, but both: state province
        return all(self._is_modifier(one, first=not at) for at, one in enumerate(others))

    def _is_modifier(self, word: str, *, first: bool) -> bool:
        known = uses(word)
        # Within a name a participle tells of what comes before: year entered competition.
        lasting = word in self._how.lasting or word in self._how.participles
        shaped = (first and not lasting) if self._is_participle(word) else known.keys() != {"v"}
        return word in self._measures or (bool(known) and shaped and word not in self._pack.empty | {"number"})

    @staticmethod
    def _is_plural(name: str) -> bool:
        head = name.partition(" of ")[0].rpartition(" ")[2] if not name.startswith("number of ") else name.split()[-1]
        return is_plural(head)


def _sentence(template: str, **names: str) -> str:
    text = template.format(**names)
    return text[:1].upper() + text[1:]
