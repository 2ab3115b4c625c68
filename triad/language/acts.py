"""What a turn of a conversation does, told by its words: it asks, it greets, it takes back, it corrects.

Social phrases and fillers are phrases of the language's pack; a text of nothing else is social. The other acts are
patterns for what is left without them. Whatever fits none of them asks something.

>>> from triad.language.pack import load_pack
>>> english = load_pack("en")
>>> [read_act(text, english).kind for text in ("thx, bye!", "ok undo that", "no, I meant the film", "who made it?")]
['social', 'undo', 'meant', 'question']
>>> read_act("hi! no, I meant the film", english).what
'the film'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Final, Literal as Choice, NamedTuple, get_args

from triad.language.lexical_database import kinds
from triad.language.normalize import bare, fold
from triad.language.pack import Pack
from triad.language.pack_files import languages, pack_data
from triad.language.turn_schema import SocialKind

_Pattern = Choice["help", "start_over", "undo", "dismiss", "wrong", "other", "both", "back", "meant"]
"""The acts that are told by patterns, in the order in which they are tried."""
ActKind = Choice["question", "social", _Pattern]
"""What a turn does."""

_SOCIAL: Final[tuple[SocialKind, ...]] = ("praise", "apology", "greeting", "thanks", "farewell")
"""What a social turn says, the more telling the later: a thank-you with a good-bye is a good-bye."""

_PAUSE: Final = ",.!?;:–—-)"  # the marks that separate a phrase from what comes after it
_CLAUSE: Final = re.compile(r"[,:;.?!–—](?=\s)")
_TOKEN: Final = re.compile(r"\S+")
_WORD: Final = re.compile(r"\w")
_GREETING: Final = 4  # words of a greeting whose language is not known
_LONGEST, _EXCLAMATION = 6, 3  # words of a phrase, and of one that is exclaimed
_MARKS, _BEGINNING = 16, 200  # of a text behind which a question may begin, and characters that tell that one does


@dataclass(frozen=True, slots=True)
class Act:
    """What a turn does."""

    kind: ActKind
    text: str
    """What is said besides social phrases and fillers."""
    social: SocialKind | None = None
    """What a social turn says."""
    what: str = ""
    """What is meant, or gone back to."""
    rest: str = ""
    """What is asked besides, after what is meant or gone back to."""


def read_act(text: str, pack: Pack) -> Act:
    """Return what a turn does, as far as its words tell."""
    if not (tokens := _tokens(text)):
        return Act("question", text)
    words = _Words(pack)
    if (social := _covered(tokens, words.social, words.fillers)) is not None:
        return Act("social", "", social=social or "praise")
    if declined := _declined(tokens, words, pack):
        return Act("social", "", social=declined)
    begun = _trimmed(tokens, words, pack, end=False)
    left = _trimmed(begun, words, pack, end=True)
    said = text[left[0].start : left[-1].end]
    # What is a filler elsewhere may be a word of a pattern: "are you sure", "ist egal".
    texts = (said, text[begun[0].start :], text[tokens[0].start : tokens[-1].end])
    act = next(filter(None, (_by_pattern(one, words, pack) for one in texts)), None)
    return replace(act, text=said) if act else Act("question", said)


def _declined(tokens: Sequence[_Token], words: _Words, pack: Pack) -> SocialKind | None:
    """Return what is said after a refusal, where nothing else is: no, that's all."""
    said = _covered(tokens[1:], words.social, words.fillers)
    if said not in ("thanks", "farewell") or (said == "farewell" and len(tokens) == 2):
        return None  # no, later
    first = _by_pattern(tokens[0].folded, words, pack)
    return said if first and first.kind == "wrong" else None


def _by_pattern(text: str, words: _Words, pack: Pack) -> Act | None:
    for kind, form in words.forms:
        for part, rest in _clauses(text, pack) if kind in ("back", "meant") else ((text, ""),):
            if match := form.fullmatch(bare(part)):
                found = {name: bare(what or "") for name, what in match.groupdict().items()}
                if kind == "meant" and _asks(found.get("x", ""), pack, anywhere=True):
                    continue  # c'est sorti en quelle année
                return Act(kind, text, what=found.get("x", ""), rest=rest)
    return None


def _clauses(text: str, pack: Pack) -> Iterator[tuple[str, str]]:
    """Yield a text as what comes before a mark that a question comes after, and that question; then as a whole."""
    for match in islice(_CLAUSE.finditer(text), _MARKS):
        rest = text[match.end() :].strip()
        if _WORD.search(rest) and (match[0] != "," or _asks(rest[:_BEGINNING], pack)):
            yield text[: match.start()], rest
    yield text, ""


def _asks(text: str, pack: Pack, *, anywhere: bool = False) -> bool:
    """Return whether a text begins as a question, or has a question word anywhere."""
    keys = pack.keys(text)
    if anywhere:
        return any(True for form in (pack.expected, pack.forms["which"], pack.forms["count"]) for _ in form.all(keys))
    forms = (pack.forms[name] for name in ("which", "count", "boolean", "how"))
    return bool(pack.expected.longest(keys, 0)) or any(form.longest(keys, at) for form in forms for at in (0, 1))


def greeting_language(text: str, first: str) -> str | None:
    """Return the language of a short text that is social from its first word to its last; None if it is in none.

    >>> greeting_language("Bonjour !", "en"), greeting_language("Who founded Intel?", "en")
    ('fr', None)
    """
    if len(text.split()) > _GREETING:
        return None
    said, tokens = bare(text).casefold(), _tokens(text)
    fits: dict[str, tuple[bool, bool]] = {}
    for language in dict.fromkeys([first, *languages()]):
        if tokens and (social := _covered(tokens, *_phrases(language))) is not None:
            # "Olá" is Portuguese, though Spanish has "ola"; "ciao" greets in Italian, and is a good-bye in German.
            known = pack_data(language).conversation.social.get(social or "praise", ())
            fits[language] = said in known, social == "greeting"
    return max(fits, key=fits.__getitem__, default=None)


def without_joining(text: str, pack: Pack) -> str:
    """Return a text without the words at its beginning that only join it to what was said before."""
    joining = {*map(pack.key, pack.data.compare.and_)}
    rest = bare(text)
    while (parts := rest.split(" ", 1))[1:] and pack.key(parts[0].rstrip(",")) in joining:
        rest = parts[1]
    return rest


class _Token(NamedTuple):
    """A word with the marks around it."""

    start: int
    end: int
    folded: str
    pauses: bool
    exclaims: bool


@cache
class _Words:
    """A pack's words of a conversation, for matching."""

    def __init__(self, pack: Pack) -> None:
        data = pack.data.conversation
        self.social, self.fillers = _phrases(pack.language)
        forms = ((kind, form) for kind in get_args(_Pattern) for form in getattr(data, kind))
        self.forms = [(kind, pack.templates.pattern(form)) for kind, form in forms]


@cache
def _phrases(language: str) -> tuple[dict[str, SocialKind], frozenset[str]]:
    """Return the social phrases of a language with what they say, and its fillers; no pack is made for them."""
    data = pack_data(language).conversation
    social = {fold(phrase): kind for kind, phrases in data.social.items() for phrase in phrases}
    return social, frozenset(map(fold, data.fillers))


def _tokens(text: str) -> list[_Token]:
    matches = (match for match in _TOKEN.finditer(text) if _WORD.search(match[0]))
    return [_Token(one.start(), one.end(), fold(one[0]), one[0][-1] in _PAUSE, one[0][-1] == "!") for one in matches]


def _covered(
    tokens: Sequence[_Token], social: Mapping[str, SocialKind], fillers: Set[str]
) -> SocialKind | Choice[""] | None:
    """Return what words say that are all social; empty for fillers alone, None if they say more than that."""
    folded = [token.folded for token in tokens]
    found: list[SocialKind] = []
    at = 0
    while at < len(folded):
        for end in range(min(len(folded), at + _LONGEST), at, -1):
            if (phrase := " ".join(folded[at:end])) in social or phrase in fillers:
                found += [social[phrase]] if phrase in social else []
                at = end
                break
        else:
            return None
    return max(found, key=_SOCIAL.index, default="")


def _trimmed(tokens: Sequence[_Token], words: _Words, pack: Pack, *, end: bool) -> Sequence[_Token]:
    """Return the words without the phrases at one end that say nothing; at least one word is left."""
    while (size := _idle_size(tokens, words, pack, end=end)) and size < len(tokens):
        tokens = tokens[:-size] if end else tokens[size:]
    return tokens


def _idle_size(tokens: Sequence[_Token], words: _Words, pack: Pack, *, end: bool) -> int:
    """Return how many words the longest phrase at one end has that says nothing; 0 if there is none."""
    exclaimed = 0 if end else next((at for at, one in enumerate(tokens, 1) if one.exclaims), 0)
    said, rest = (" ".join(token.folded for token in part) for part in (tokens[:exclaimed], tokens[exclaimed:]))
    asks = exclaimed and (pack.forms["ask"].longest(pack.keys(rest), 0) or _asks(rest, pack))
    exclaimed = exclaimed if asks and not _asks(said, pack, anywhere=True) else 0  # Yahoo! Japan
    found = kinds(tokens[exclaimed - 1].folded) if exclaimed else frozenset()  # winter, and reds, may be names
    if 0 < exclaimed <= _EXCLAMATION and found & {"a", "r"} and "n" not in found:
        return exclaimed  # Beautiful!
    for size in range(min(len(tokens), _LONGEST), 0, -1):
        phrase = " ".join(token.folded for token in (tokens[-size:] if end else tokens[:size]))
        filler, social = phrase in words.fillers, words.social.get(phrase)
        # Without a pause, a function word may belong to the question, and a compliment may be a name.
        polite = social in ("thanks", "apology", "farewell" if end else "greeting")
        pauses = any(token.pauses for token in (tokens[-size - 1 : -size] if end else tokens[size - 1 : size]))
        if polite and exclaimed:
            return exclaimed  # thank you for taking the time!
        if polite or (filler and (pauses or not pack.is_idle(phrase))) or (social and pauses and not end):
            return size
    return 0
