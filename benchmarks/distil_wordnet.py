"""Distil WordNet into the file that Triad ships: `python benchmarks/distil_wordnet.py [FOLDER]`.

The folder holds the files of WordNet 3.0, as Debian's package `wordnet-base` has them: `apt-get download wordnet-base`,
then `dpkg -x wordnet-base_*.deb .` and the folder `usr/share/wordnet`. The same folder always makes the same file.

Left out are named things, which graphs know better (instances and their kinds in Latin), examples and sentence frames,
and of definitions all but the first words that carry meaning.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import zstandard

from triad.language.normalize import fold

OUT: Final = Path(__file__).parents[1] / "triad" / "language" / "wordnet" / "en.zst"
KINDS: Final = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
WIDTH: Final = 5
"""Digits of a place: always as many, so that places do not move each other."""
PLURALS: Final = {"people": "person"}
"""Irregular forms that WordNet lacks."""
POINTERS: Final = {"@": "@", "~": "~", "=": "=", "&": "&", "$": "&", "+": "+", "\\": "\\", "!": "!"}
"""WordNet's signs of pointers, and ours: the verbs of a group are as near as adjectives that are similar."""
OF_WORDS: Final = frozenset("+\\!")
"""Pointers that lead from word to word, not from meaning to meaning."""
LIVING: Final = frozenset(("05", "20"))
"""The files of animals and of plants."""
DEFINED: Final = frozenset(("03", "04", "07", "09", "10", "11", "14", "18", "21", "23", "24", "26", "28"))
"""The files of nouns whose definitions are kept: what relations and classes of all graphs are named for."""
WORDS: Final = 5
"""Words kept of a definition."""
IDLE: Final = frozenset(
    """a an the this that these those some any each every all such same other another of in on at by for from to with
    within into onto as about between among through during over under per via out off up down and or but nor if
    than then so because while is are was were be been being do does did done has have had having can could will
    would shall should may might must not no only just ever who whom whose which what when where why how it its
    they them their there he his him she her you your one ones usually especially used often sometimes something
    someone somebody somewhat very more most less etc e g i particular certain either relating characterized
    having make made""".split()
)


@dataclass
class Synset:
    """A meaning, as a line of WordNet's files has it."""

    key: tuple[str, str]
    file: str
    words: list[str]
    pointers: list[tuple[str, tuple[str, str], int, int]]
    """Sign, target, and the places of the two words, from 0; -1 for the whole."""
    definition: str
    instance: bool
    information: int = 0
    place: int = 0
    below: set[tuple[str, str]] = field(default_factory=set)


def synsets(folder: Path) -> Iterator[Synset]:
    """Yield the meanings of all files."""
    for kind, name in KINDS.items():
        for line in (folder / f"data.{name}").read_text(encoding="ascii").splitlines():
            if line.startswith(" "):
                continue
            head, _, gloss = line.partition(" | ")
            offset, file, _, count, *rest = head.split()
            words = [re.sub(r"\(\w+\)$", "", word).replace("_", " ") for word in rest[: 2 * int(count, 16) : 2]]
            rest = rest[2 * int(count, 16) :]
            pointers, instance = [], False
            for at in range(1, 1 + 4 * int(rest[0]), 4):
                sign, target, target_kind, ends = rest[at : at + 4]
                instance |= sign == "@i"
                if sign in POINTERS:
                    key = (target_kind.replace("s", "a"), target)
                    pointers.append((POINTERS[sign], key, int(ends[:2], 16) - 1, int(ends[2:], 16) - 1))
            yield Synset((kind, offset), file, words, pointers, gloss.split('; "')[0], instance)


def is_kept(synset: Synset) -> bool:
    """Tell whether graphs may name relations and classes so."""
    latin = synset.file in LIVING and synset.key[0] == "n" and all(word[0].isupper() for word in synset.words)
    return not (synset.instance or latin)


def keywords(definition: str) -> list[str]:
    """Return the first words of a definition that carry meaning."""
    text = re.split(r"[;:(]", re.sub(r"^\([^)]*\)", "", definition).strip())[0]
    words = [word for word in re.findall(r"[a-z]+", text.lower()) if word not in IDLE]
    return list(dict.fromkeys(words))[:WORDS]


def inform(kept: dict[tuple[str, str], Synset]) -> None:
    """Tell each noun and verb how much it says: 100 at the leaves, 0 where all is below it (Seco et al. 2004)."""

    def below(key: tuple[str, str]) -> set[tuple[str, str]]:
        synset = kept[key]
        if not synset.below:
            synset.below = {key}
            for sign, target, *_ in synset.pointers:
                if sign == "~":
                    synset.below |= below(target)
        return synset.below

    sizes = {kind: sum(1 for key in kept if key[0] == kind) for kind in KINDS}
    for key, synset in kept.items():
        synset.information = round(100 * (1 - math.log(len(below(key))) / math.log(sizes[key[0]])))


def counts(folder: Path) -> dict[tuple[str, str, int], int]:
    """Return how often texts have a word in a sense, by kind, word and number of the sense."""
    kinds = dict(zip("12345", "nvara", strict=True))
    found: dict[tuple[str, str, int], int] = {}
    for line in (folder / "cntlist.rev").read_text(encoding="ascii").splitlines():
        key, number, count = line.split()
        word, _, rest = key.partition("%")
        found[kinds[rest[0]], word, int(number)] = int(count)
    return found


def code(place: int) -> str:
    """Return a place as it is written."""
    digits = ""
    for _ in range(WIDTH):
        place, digit = divmod(place, len(DIGITS))
        digits = DIGITS[digit] + digits
    return digits


def ordered(kept: dict[tuple[str, str], Synset]) -> list[Synset]:
    """Return the meanings with those of one kind together, which packs best."""
    order: dict[tuple[str, str], None] = {}
    for root in kept:
        queue = [root]
        for key in queue:
            if key not in order:
                order[key] = None
                queue += [target for sign, target, *_ in kept[key].pointers if sign in "~&" and target not in order]
    return [kept[key] for key in order]


def told(entries: list[tuple[int, str]]) -> list[str]:
    """Return the senses of a word, the most frequent first; words that differ in hyphens only are one word."""
    best = {place: count for count, place in sorted(entries, key=lambda entry: entry[0])}
    return [place + str(best[place] or "") for place in sorted(best, key=lambda place: -best[place])]


def distil(folder: Path) -> bytes:
    """Return the content of the file."""
    everything = {synset.key: synset for synset in synsets(folder)}
    kept = {key: synset for key, synset in everything.items() if is_kept(synset)}
    for synset in kept.values():
        synset.pointers = [pointer for pointer in synset.pointers if pointer[1] in kept]
    inform(kept)

    def line(synset: Synset) -> str:
        groups = defaultdict(list)
        for sign, target, own, other in synset.pointers:
            ends = f".{own}.{other}" if sign in OF_WORDS else ""
            groups[sign].append(code(kept[target].place) + ends)
        pointers = " ".join(sign + ",".join(targets) for sign, targets in sorted(groups.items()))
        words = "|".join(synset.words)
        definition = " ".join(keywords(synset.definition)) if synset.file in DEFINED else ""
        return "\t".join((str(synset.information), words, pointers, definition))

    place, order = 0, ordered(kept)
    for synset in order:
        synset.place = place
        place += len(line(synset)) + 1
    lines = [line(synset) for synset in order]

    senses: dict[str, dict[str, list[tuple[int, str]]]] = defaultdict(lambda: defaultdict(list))
    seen = counts(folder)
    for kind, name in KINDS.items():
        for row in (folder / f"index.{name}").read_text(encoding="ascii").splitlines():
            if row.startswith(" "):
                continue
            word, _, number, *rest = row.split()
            for at, offset in enumerate(rest[-int(number) :], 1):
                if (kind, offset) in kept:
                    entry = seen.get((kind, word, at), 0), code(kept[kind, offset].place)
                    senses[fold(word)][kind].append(entry)
    irregular = defaultdict(list, {form: [f"n{base}"] for form, base in PLURALS.items()})
    for kind, name in KINDS.items():
        for row in (folder / f"{name}.exc").read_text(encoding="ascii").splitlines():
            form, *bases = map(fold, row.split())
            irregular[form] += [kind + base for base in bases if base != form and kind in senses.get(base, ())]
    words = []
    for word in sorted(senses.keys() | {form for form, bases in irregular.items() if bases}):
        found = " ".join(kind + ",".join(told(entries)) for kind, entries in senses.get(word, {}).items())
        forms_of = "|".join(dict.fromkeys(irregular.get(word, ())))
        words.append(f"{word}\t{found}\t{forms_of}".rstrip("\t"))
    text_words, text_meanings = "".join(f"{word}\n" for word in words), "".join(f"{line}\n" for line in lines)
    print(f"{len(words)} words, {len(lines)} meanings, {len(text_words)} + {len(text_meanings)} bytes", file=sys.stderr)
    return f"wordnet 1 {len(text_words)}\n{text_words}{text_meanings}".encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("/usr/share/wordnet"))
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    content = distil(arguments.folder)
    packed = zstandard.ZstdCompressor(level=19, write_content_size=True, write_checksum=True).compress(content)
    arguments.out.write_bytes(packed)
    print(f"{arguments.out}: {len(packed):,} bytes of {len(content):,}")


if __name__ == "__main__":
    main()
