"""The schema of what a language's file in ``packs`` says besides questions: words that point back, turns, follow-ups.

`conversation`, `follow_ups` and `references` tell by templates of words what is said: `triad.language.templates`
explains them. Pronouns and possessives are regular expressions that match whole words.
"""

from typing import Final, Literal

from triad.strict import Strict

Feature = Literal["man", "woman", "thing", "group", "place"]
"""What a pronoun may stand for."""

FollowUpKind = Literal["why", "query", "count", "first", "sort", "column", "only", "except"]
"""What may be asked about the last answer."""

SLOTS: Final = frozenset({"x", "not", "more", "n", "nth", "by", "way", "what", "best"})
"""The slots of templates: what is said there is used."""

_SETS: Final = ("of_set", "the_set", "of_pair")

TEMPLATES: Final = {
    "conversation": (*"help start_over undo dismiss wrong other both meant back too held".split(), *_SETS, "cues"),
    "references": ("ellipsis", "expletives", "pair", "then"),
}
"""The keys that hold templates, besides those of ``follow_ups`` and ``lists``."""

SocialKind = Literal["greeting", "thanks", "apology", "farewell", "praise"]
"""What may be said without a question."""


class ReferenceData(Strict):
    """The words that point back to earlier turns."""

    pronouns: dict[str, tuple[Feature, ...]]
    """What each pronoun may stand for; what its group ``rest`` matches stays behind the name."""
    possessives: dict[str, tuple[Feature, ...]]
    """Possessives before the owned noun: her books."""
    postposed: dict[str, tuple[Feature, ...]] = {}  # noqa: RUF012
    """Possessives after the owned noun."""
    owned: str
    """The pattern of a possessive with a name: ``{owner}'s {owned}``."""
    demonstratives: tuple[str, ...]
    definite: tuple[str, ...]
    """Definite articles; none where a language has none."""
    noun_phrase: str
    """Nouns that may follow a possessive."""
    of: str
    """How a relation is put with a name: ``of {x}``."""
    asks_for: str
    """A question for the ``{relation}`` of ``{x}``."""
    drops_subject: bool
    """True if a verb without a subject points back."""
    singular_verb: str = "(?!)"
    """A pattern of how verbs in the third person singular end, and nouns in the plural do not."""
    ellipsis: tuple[str, ...]
    """Elliptical questions; the part that they give is the group ``x``."""
    expletives: tuple[str, ...]
    """Phrases whose pronouns stand for nothing: is it true."""
    pair: dict[str, int]
    """Words for one of two entities, with its position; -1 is the last."""
    then: tuple[str, ...]
    """Words for a time that an earlier turn mentioned."""
    in_time: str
    """The text that replaces them."""
    in_place: str
    """The text that replaces "there"."""
    asks: tuple[str, ...]
    """Words that are a question by themselves: when."""


class ConversationData(Strict):
    """The words by which a turn is known as something else than a question, or goes on from an answer.

    ``social``, ``fillers``, ``that`` and ``besides`` are phrases; the others are templates for all that is said besides
    these. The slot ``x`` is what is meant, ``not`` what is not, ``more`` a comparison.
    """

    social: dict[SocialKind, tuple[str, ...]]
    """Phrases by what they say: hello, thank you, sorry, bye, great."""
    fillers: tuple[str, ...]
    """Phrases that say nothing at the beginning or the end of a turn: ok, well, please, so, by the way."""
    help: tuple[str, ...]
    """As in "what can you do" and "who are you"."""
    start_over: tuple[str, ...]
    undo: tuple[str, ...]
    """As in "undo" and "take that back"; what was asked before holds again."""
    dismiss: tuple[str, ...]
    """As in "never mind"."""
    wrong: tuple[str, ...]
    """As in "that's wrong", which does not say what is meant."""
    other: tuple[str, ...]
    """As in "the other one"; ``not`` may say which one is not meant."""
    both: tuple[str, ...]
    """As in "both", where several were offered."""
    meant: tuple[str, ...]
    """Corrections: "no, I meant {x}", "the {x}, not the {not}"."""
    back: tuple[str, ...]
    """As in "back to the {x}" and "the {x} again"."""
    too: tuple[str, ...]
    """As in "and those of {x} too"."""
    of_set: tuple[str, ...]
    """Words after "which" or "how many" that stand for the last answer: of these, of them."""
    the_set: tuple[str, ...]
    """Words that stand for all of the last answer where a noun may stand: the ones, those, all of them."""
    of_pair: tuple[str, ...]
    """Words for the last two things: of the two, of both."""
    that: tuple[str, ...]
    """Words that stand by themselves for what was just spoken of: that, this."""
    cues: tuple[str, ...]
    """Further words by which a turn goes on from the one before: the same, only, sort, too; ``^`` is its beginning."""
    besides: tuple[str, ...]
    """As in "what else" and "any other", which leave out what was spoken of."""
    held: tuple[str, ...]
    """Questions that hold the last answer against something else: "is that {more} than {x}"."""
    set_question: str
    """A question for those of ``{things}`` that a phrase describes: "which {things} {rest}"."""
    all_of_set: str
    """All of them, as a noun phrase: "the {things}"."""
