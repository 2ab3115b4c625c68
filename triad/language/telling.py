"""Answers in the words of their questions: that Ridley Scott directed Alien, where it is asked who did.

The sentences of a pack say by patterns which words of a question stay, and in which order. In what a pattern matches,
names stand in ‹›, and English words have behind a ~ what they may be: a verb in its base form (b), in the third person
(s) or in the past (d), a noun for several things (p). What the groups of a pattern are called says what has to fit:
``verb``, ``noun`` and ``what`` have the number of what is told, ``base`` takes the tense of ``do``, and ``one`` and
``many`` are right for one or several only. Where something cannot be made to fit, there is no sentence.
"""

import itertools
import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from triad.language.lexical_database import kinds, lemmas, uses
from triad.language.normalize import CAPITALS, bare, fold, plural
from triad.language.pack import Pack, load_pack

_VERB: Final = 0.55  # the use of a word as a verb from which it may be one
_LONGEST: Final = 300  # characters of a question
_TAGS: Final = re.compile(r"~\w+|[‹›]")
_NAME: Final = re.compile(rf"(?<= )[{CAPITALS}][\w.-]*(?: (?:of |the |de )*[{CAPITALS}][\w.-]*)*(?![^‹]*›)")
_WORD: Final = re.compile(r"(?P<before>\b(?:(?:the|an?|of|all|no|each|every) )*)\b(?P<word>[a-z]{2,})\b")
_UNTRUE: Final = re.compile(r"\[([^]]*)\]")  # what a sentence has only where the answer is no


def in_question_words(
    pack: Pack,
    question: str,
    names: Iterable[str],
    values: str,
    *,
    several: bool = False,
    truth: bool | None = None,
    whole_date: bool = False,
) -> str | None:
    """Return what answers a question in a sentence of its words, without a stop; None where they do not fit it.

    >>> in_question_words(load_pack("en"), "Which films did Ridley Scott direct?", ["Ridley Scott"], "Alien")
    'Ridley Scott directed Alien'
    """
    text = _tagged(pack, bare(question)[:_LONGEST], names)
    verb = pack.data.naming.auxiliaries.get("present", ("", ""))[several]
    on = "on" if whole_date else "in"
    for form, sentence in pack.sentences if len(question) <= _LONGEST else ():
        if match := form.fullmatch(text):
            found = match.groupdict(default="")
            groups = _fitted(pack, found, values != "1" if "noun" in found else several, truth)
            if groups is None:
                return None
            yes = pack.replies["no" if truth is False else "yes"].removesuffix(pack.data.stop)
            template = _UNTRUE.sub(r"\1" if truth is False else "", sentence)
            words = {name: _TAGS.sub("", part).strip() for name, part in groups.items()}
            told = " ".join(template.format(**words, truth=f"{yes},", values=values, is_=verb, on=on).split())
            return told[:1].upper() + told[1:]
    return None


def _tagged(pack: Pack, question: str, names: Iterable[str]) -> str:
    """Return a question whose words have tags of what they may be, but for those of names."""
    for name in sorted({*filter(None, names)}, key=len, reverse=True):
        question = re.sub(rf"(?<![\w‹]){re.escape(name)}(?!\w)(?![^‹]*›)", f"‹{name}›", question)
    if not pack.data.capital_nouns:
        question = _NAME.sub(r"‹\g<0>›", question)
    if not question.startswith("‹"):
        question = question[:1].lower() + question[1:]
    if pack is not pack.english:
        return question
    parts = re.split(r"(‹[^›]*›)", question)
    return "".join(part if part.startswith("‹") else _WORD.sub(_tag, part) for part in parts)


def _tag(match: re.Match[str]) -> str:
    word, pack = match["word"], load_pack("en")
    if pack.key(word) in pack.empty:
        return match[0]
    verb = uses(word).get("v", 0.0) >= _VERB and not match["before"]
    past = word in _pasts().values() or word in pack.data.naming.participles or word.endswith("ed")
    base = word in lemmas(word)
    tags = "d" * (verb and past) + "b" * (verb and base) + "s" * (verb and not base and word.endswith("s"))
    tags += "p" * (plural(word) == word and "n" in kinds(word))
    return f"{match[0]}~{tags}" if tags else match[0]


def _fitted(pack: Pack, groups: dict[str, str], several: bool, truth: bool | None) -> dict[str, str] | None:
    """Return the groups of a match in the forms that they must have; None where a form is not known."""
    if groups.get("one" if several else "many"):
        return None
    fits: dict[str, str | None] = {**groups}
    if "verb" in groups:
        fits["verb"] = _verb(pack, groups["verb"], several)
    if pack is pack.english:
        fits |= {name: _noun(pack, groups[name], several) for name in ("noun", "what") if name in groups}
    else:
        fits |= {"what": None} if "what" in groups else {}
        fits |= {"noun": None} if "noun" in groups and not several else {}
    if "what" in groups and fits.get("verb") == groups.get("verb") and ("verb" in groups or pack is not pack.english):
        fits["what"] = fits["what"] or groups["what"]
    if "base" in groups:
        base, do = _TAGS.sub("", groups["base"]), groups["do"].lower()
        forms = {"did": past(base), "does": _third(base), "do": base}
        fits["base"] = f"{do} not {base}" if truth is False else forms[do]
    return None if None in fits.values() else fits  # type: ignore[return-value]


def _verb(pack: Pack, verb: str, several: bool) -> str | None:
    """Return a verb for one or several; where its forms are not known, as it is."""
    word, _, tags = verb.partition("~")
    if pair := next((pair for pair in pack.data.naming.auxiliaries.values() if word.lower() in pair), None):
        return pair[several]
    if "s" in tags and several:
        return next((one for one in lemmas(word.lower()) if one != word.lower()), None)
    return _third(word) if tags.startswith("b") and not several else word


def _noun(pack: Pack, phrase: str, several: bool) -> str | None:
    """Return a phrase about one or several things; None where its head is not known to be a noun for one or many."""
    words, ends = phrase.split(" "), {"of", "that", "who", "which", "whose", "where", "without", "than"}
    ends |= {*pack.data.naming.prepositions}
    stops = (at for at, one in enumerate(words) if at and (_TAGS.sub("", one) in ends or "‹" in one))
    end = next(stops, len(words))
    many = (at for at in range(end) if re.search(r"~\w*p", words[at]))
    done = (at - 1 for at in range(1, end) if re.search(r"~\w*d", words[at]))
    at = next(itertools.chain(many, done), end - 1)
    head, _, tags = words[at].strip("‹›").partition("~")
    if ("p" in tags) == several:
        return phrase
    relative = {"that", "who", "which"}.intersection(words[at + 1 : at + 2])
    if relative or "n" not in kinds(head.lower()) or words[0] in ("a", "an"):
        return None
    one = next((form for form in lemmas(head.lower()) if plural(form) == head.lower()), None)
    form = plural(head) if several else one
    return " ".join([*words[:at], form, *words[at + 1 :]]) if form else None


def _third(base: str) -> str:
    pairs = load_pack("en").data.naming.auxiliaries.values()
    return next((one for one, many in pairs if many == base), f"{base}es" if base.endswith("o") else plural(base))


def past(base: str) -> str:
    """Return the past of an English verb."""
    if known := _pasts().get(base):
        return known
    if re.fullmatch("[^aeiou]*[aeiou][bdgmnprt]", base):
        return f"{base}{base[-1]}ed"
    return re.sub("(?<=[^aeiou])y$", "i", base).removesuffix("e") + "ed"


@cache
def _pasts() -> dict[str, str]:
    """Return the pasts of irregular verbs by their base forms."""
    forms = load_pack("en").data.naming.pasts
    return {next((one for one in lemmas(form) if one != form and "v" in kinds(one)), form): form for form in forms}


def computed(function: str, text: str, name: str, pack: Pack) -> str:
    """Return what a count, a total or an average of something is called, as far as a text says it in its words.

    >>> english = load_pack("en")
    >>> computed("count", "Who made most?", "film", english), computed("sum", "", "length", english)
    ('films', 'total length')
    """
    said, forms = pack.said_in(text, name), pack.data.forms
    if function == "count" and (said or pack is pack.english):
        return said or plural(name)
    counted = [min(forms.number, key=lambda one: (len(one.split()), -len(one)))]  # número de, количество
    phrases = {"count": counted, "avg": forms.average, "sum": forms.total}.get(function) or [function]
    folded = f" {fold(text)} "
    word = max((one for one in phrases if f" {fold(one)} " in folded), key=len, default=phrases[0])
    if f" {fold(word)} " in f" {fold(name)} ":
        return name
    follows = 0 <= folded.find(f" {fold(said)} ") < folded.find(f" {fold(word)} ") if said else False
    return f"{name} {word}" if follows else f"{word} {name}"
