"""Stems: the forms in which the words of a language are looked up, and what is left of them without their endings."""

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

import Stemmer

from triad.language.normalize import fold
from triad.language.pack_schema import PackData
from triad.language.vocabulary import words_of
from triad.text import remembered

_MARKS: Final = re.compile("[\u0301\u0308\u093c]")
"""Marks that people leave out even where other marks belong to letters: stress, the dots of ё, the dot of ज़."""
_PUNCTUATION: Final = re.compile(r"[^\w\u0900-\u0963+#]+")
_GAP: Final = re.compile(r"[\s\-]+")
_ELISION: Final = re.compile(r"(?<![^\W\d])([^\W\d]+)['’](?=\w)")  # from the start of a word: each letter is read once


class Stems:
    """The words of a language, by their stems."""

    def __init__(self, language: str, data: PackData) -> None:
        """Compile what a pack says of words."""
        self._language = language
        self._data = data
        self.elisions = frozenset(data.elisions)
        self._accented = frozenset(data.accented)
        self._digraph = re.compile(f"(?<![aeiouq])(?:{'|'.join(data.digraphs) or '(?!)'})")  # but neue, Quelle
        self._normal = _whole_letters if data.whole_letters else fold
        self.key = remembered(1 << 16)(self._key)
        self._irregular = {self.key(form): self._normal(base) for form, base in data.irregular.items()}
        prefixes = sorted((*map(self.key, data.prefixes), *data.particles), key=len, reverse=True)
        self._prefix = re.compile(f"({'|'.join(prefixes) or '(?!)'})(?=...)")
        self._inflections = [(re.compile(pattern), base) for pattern, base in data.inflections.items()]
        self._unstemmed = [(re.compile(pattern), base) for pattern, base in data.unstemmed.items()]
        if ending := data.superlative:
            tops = {re.sub(f"{ending}$", "", self.key(one)) for entry in data.degrees for one in entry.most}
            self._unstemmed.append((re.compile(f"^({'|'.join(sorted(tops))}){ending}$"), r"\1"))
        self._verbs: frozenset[str] = frozenset()
        self._stemmer = Stemmer.Stemmer(data.stemmer, 0)  # stems are remembered here
        self._lock = threading.Lock()
        self._verbs = frozenset(map(self._stem, self._infinitives()))
        self.stem = remembered(1 << 16)(self._stem)

    def lower(self, word: str) -> str:
        """Return a word in small letters, those that are typed for one letter as that one: Höhe for Hoehe."""
        return self._digraph.sub(lambda match: self._data.digraphs[match[0]], word.lower())

    def _key(self, word: str) -> str:
        """Return the form in which a word is looked up: folded, unless its accents distinguish it."""
        lower = self.lower(word)
        return lower if lower in self._accented else self._normal(lower)

    def keys(self, phrase: str) -> list[str]:
        """Return a phrase's words as they are looked up."""
        return [key for word in _GAP.split(self.parted(phrase)) for key in self.key(word).split()]

    def parted(self, text: str) -> str:
        """Return a text with a space after each elision, so that l'Italie is two words."""
        if not self.elisions:
            return text
        return _ELISION.sub(lambda match: match[0] + " " if match[1].lower() in self.elisions else match[0], text)

    def _stem(self, word: str) -> str:
        key = self.key(word)
        base = self._irregular.get(key) or self._of_prefixed(key) or self._normal(key)
        for pattern, kept in self._unstemmed:
            if pattern.search(base):
                return pattern.sub(kept, base)
        with self._lock:  # a stemmer keeps its state in itself
            stem: str = self._stemmer.stemWord(base)
            if stem in self._verbs:
                return stem
            for pattern, infinitive in self._inflections:
                verb: str = self._stemmer.stemWord(pattern.sub(infinitive, base))
                if verb in self._verbs:
                    return verb
        return stem

    def _of_prefixed(self, key: str) -> str | None:
        """Return the basic form of an irregular verb with a prefix: übernahm and übernommen are übernehmen."""
        if not (prefix := self._prefix.match(key)):
            return None
        rest = key[prefix.end() :]
        base = self._irregular.get(rest) or self._irregular.get(f"ge{rest}")  # a prefix may take the place of ge
        verb = f"{prefix[0]}{base}"
        with self._lock:
            return verb if base and self._stemmer.stemWord(verb) in self._verbs else None

    def entries(self) -> Iterator[Iterable[str]]:
        """Yield the words of the language that translate each English word."""
        yield from self._data.words.values()
        yield from words_of(self._language).values()

    def _infinitives(self) -> Iterator[str]:
        """Yield the words that may be verbs: those without a capital, and the basic forms of irregular ones."""
        yield from self._data.irregular.values()
        bases = frozenset(self._irregular.values())
        for word in (word for phrases in self.entries() for phrase in phrases for word in phrase.split()):
            key = self._normal(word)
            inflected = any(pattern.search(key) for pattern, _ in self._inflections)
            if word == word.lower() and (not inflected or self._prefix.sub("", key, 1) in bases - {key}):
                yield word  # eintreten is no past form

    def parted_verb(self, word: str, particle: str) -> str | None:
        """Return the stem of the verb that a word and a particle at the end of its clause make, if there is one."""
        key = self.key(word)
        stem = self.stem(self.key(particle) + (self._irregular.get(key) or key))
        return stem if stem in self._verbs else None

    def stem_list(self, phrase: str) -> list[str]:
        """Return the stems of a phrase's words in order."""
        return [self.stem(word) for word in self.keys(phrase)]


def _whole_letters(text: str) -> str:
    """Return a text in small letters that keep their marks, without punctuation."""
    plain = "".join(char for char in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(char) != "Cf")
    return " ".join(_PUNCTUATION.sub(" ", unicodedata.normalize("NFC", _MARKS.sub("", plain))).split()) or text
