"""The schema of the files in ``packs``: the keys of a language's file, and what each says about its words.

English says what its words mean for relations (`ways`, `degrees`, units); the other languages mostly say which of
their words stand for which English ones (`words`, `like`, `unit_words`). `docs/how-to/add-a-language.md` is the guide.

The phrases of `forms` and `compare` match word by word; the keys of `sentences` are regular expressions that match
whole words. Case does not count anywhere. `triad.language.turn_schema` says what there is besides questions.
"""

from typing import Literal

from pydantic import Field

from triad.language.turn_schema import ConversationData, FollowUpKind, ReferenceData
from triad.strict import Strict

Expected = Literal["person", "organisation", "place", "date", "number", "text"]
"""What a question's words may ask for."""

Moment = Literal["time", "day", "month", "year", "weekday"]
"""Parts of a date that they may ask for: times of day, days of the month or of the week, and so on."""

SchemaQuestion = Literal[
    "value", "values", "person", "persons", "within", "amount", "done", "count", "most", "superlative",
    "most_named", "superlative_named", "value_named", "having", "doing",
]  # fmt: skip
"""What the schema of a graph gives occasion to ask: the value of a relation, several, a person or several, a place that
a place is in, an amount, what was done to a thing or what it does; how many instances a class has; which has most of a
measure, or is most by an adjective; what that one, and the value of a relation, is called; which have a value, do
something, or have it done to them. Languages whose plurals are not known have the first alone."""


class WayEntry(Strict):
    """Ways to ask for the same relations or classes."""

    say: list[str]
    """Words of questions."""
    mean: tuple[str, ...] = ()
    """Words of the names of relations and classes, in the pack's language."""
    english: tuple[str, ...] = ()
    """The same in English, for graphs with English names."""
    expecting: Expected | None = None
    """The entry holds only in questions that ask for this: where … born → birth place."""
    turned: bool = False
    """The words call those whose relation it is: children, by who is their parent."""


class DegreeEntry(Strict):
    """An adjective by which entities are compared."""

    plain: tuple[str, ...] = ()
    """As in "how tall" and "8000 metres high"."""
    more: tuple[str, ...] = ()
    """As in "higher than"."""
    most: tuple[str, ...] = ()
    """As in "the highest"."""
    mean: tuple[str, ...] = ()
    """Words of the names of relations that hold the measure, best first."""
    english: tuple[str, ...] = ()
    """The same in English."""
    like: str | None = None
    """An adjective of the English pack from which the other keys are taken: what is compared, and which way."""
    down: bool = False
    """True if "most" is the least of the measure: shortest, cheapest, oldest (by date)."""
    attributive: bool = False
    """True if "most" must not follow a content word: last, which is also a verb."""


class FormData(Strict):
    """The words that give a question its form; phrases match word by word, case and accents aside."""

    ask: list[str]
    """Openings without content: give me, list, could you tell me."""
    which: list[str]
    """Question words that come with a noun, or stand for an entity."""
    count: list[str]
    """As in "how many", wherever they stand."""
    share: list[str]
    """Words by which what is counted is told in a hundred: what *percentage* of."""
    number: list[str]
    """As in "the number of", at the beginning."""
    boolean: list[str]
    """First words of yes/no questions."""
    copula: list[str]
    """Verbs that make a sentence with a question mark a yes/no question."""
    whether: list[str]
    inversion: tuple[str, ...] = ()
    """Verb and pronoun that make a yes/no question wherever they stand: est-elle."""
    how: list[str]
    """As in "how tall"."""
    reason: tuple[str, ...] = ()
    """Words that ask for a reason: why, how come."""
    expected: dict[Expected, list[str]]
    """Question words by what they ask for."""
    moments: dict[Moment, list[str]]
    """Those that ask for a part of a date: what time, which year."""
    beside: list[str]
    """As in "with their length": a further column."""
    each: list[str]
    negated: list[str]
    either: list[str]
    both: list[str]
    same: tuple[str, ...] = ()
    """What of "both" stands before a value that several things have: in the same city."""
    average: tuple[str, ...] = ()
    """As in "the average price"."""
    total: tuple[str, ...] = ()
    """As in "the total price"."""
    together: tuple[str, ...] = ()
    """As in "how much do they cost together": a total where a number is asked for."""
    transitive: tuple[str, ...] = ()
    """Words that ask for what a relation leads to in one step or more: directly or indirectly."""
    describe: tuple[str, ...] = ()
    """As in "what is", "tell me about": a description of the thing that is named beside it is asked for."""
    every: tuple[str, ...] = ()
    """As in "are all packages", "does every patient": what a yes/no question asks of each."""
    everything: tuple[str, ...] = ()
    """Pronouns for all things or persons: everything, everybody."""
    anything: tuple[str, ...] = ()
    """Pronouns for one of them, or for none: anything, somebody, nobody."""
    throughout: tuple[str, ...] = ()
    """As in "in all shops", "do all shops": what a question for things ("which products", "who") asks of each."""
    only: tuple[str, ...] = ()
    """As in "the only country that", "teaches only": what is true of nothing else."""
    agent: tuple[str, ...] = ()
    """Words before who does what is done: trained by."""
    still: list[str]
    """As in "still valid"."""
    over: list[str]
    """As in "has expired"."""
    lacking: dict[str, list[str]] = {}  # noqa: RUF012
    """For English names of relations, the words that say that an entity lacks them: alive for a death date."""
    frame: tuple[str, ...] = ()
    """Phrases that only say where the data is: presented on the table."""
    fixed: tuple[str, ...] = ()
    """Phrases whose words do not affect the form: first name, per capita."""


class CompareData(Strict):
    """The words that compare; ``{}`` at the beginning stands for a number or date that comes before them."""

    more: list[str]
    less: list[str]
    most: list[str]
    least: list[str]
    top: list[str]
    """As in "top ten"."""
    than: list[str]
    loose_than: tuple[str, ...] = ()
    equally: tuple[str, ...] = ()
    """Words before an adjective by which things are the same: *as* long as."""
    equally_as: tuple[str, ...] = ()
    """Words after it."""
    """Words that mean "than" before numbers and entities, and otherwise "of": Italian di."""
    number_of: list[str]
    """As in "the highest number of"."""
    by: list[str]
    """As in "largest by area"."""
    having: list[str]
    """As in "with a depth of"."""
    greater: list[str]
    at_least: list[str]
    smaller: list[str]
    at_most: list[str]
    equal: list[str]
    several: tuple[str, ...] = ()
    """Words before things for more than one: *multiple* orders."""
    or_more: list[str]
    or_less: list[str]
    between: list[str]
    from_: list[str] = Field(alias="from")
    to: list[str]
    and_: list[str] = Field(alias="and")
    before: list[str]
    after: list[str]
    since: list[str]
    until: list[str]
    during: list[str]
    difference: list[str]
    """As in "by how much"."""
    apart: list[str]
    """As in "the *difference* between"."""
    containing: tuple[str, ...] = ()
    """As in "names containing" and, after the text, "in their names"."""
    starting: tuple[str, ...] = ()
    """As in "names that start with"."""
    ending: tuple[str, ...] = ()
    """As in "names that end in"."""
    wording: tuple[str, ...] = ()
    """What a text is called before it is given: the word, the substring."""


class NumberData(Strict):
    """Numbers, dates and units."""

    words: dict[str, int]
    minus: list[str] = []  # noqa: RUF012
    """Words before a number below zero."""
    magnitudes: dict[str, int]
    one: tuple[str, ...] = ()
    """Articles that are the number 1 before a unit, as in "more than an hour"."""
    times: list[str] = []  # noqa: RUF012
    """Words after a number that count how often something is: two times."""
    ordinals: dict[str, int]
    ordinal_suffixes: list[str]
    last: list[str]
    """Words for the last one of a list."""
    relative: dict[str, list[str]]
    """Words for a time by how many years, months or days it is from now: ``year -1``, last year."""
    ordinal_prefixes: dict[str, int] = {}  # noqa: RUF012
    """Ordinals that grow together with superlatives: zweitlängste."""
    months: dict[str, int] = {}  # noqa: RUF012
    """Names of months that CLDR does not have, such as Austria's Jänner."""
    clock: list[str] = []  # noqa: RUF012
    """Words before or after the hour of a time of day: o'clock."""
    shifts: dict[str, int] = {}  # noqa: RUF012
    """Words before or after an hour, with the minutes that they add: half past, y media."""
    year: list[str] = []  # noqa: RUF012
    """Words after the number of a year: 1950 года."""
    century: list[str]
    decade: list[str]
    """Words before or after the year of a decade: années 1970."""
    decade_suffixes: list[str]
    """As in 1970s."""
    date_parts: dict[str, list[str]] = {}  # noqa: RUF012
    """Words before a year, or another date, for a part of it: ``1/4``, first quarter; ``vague``, early, spring."""
    to: list[str] = []  # noqa: RUF012
    """Words between the ends of a range: 60 to 130."""
    units: dict[str, dict[str, float]] = {}  # noqa: RUF012
    """For each dimension its units with the factor to the dimension's base; all languages have the English ones."""
    unit_words: dict[str, str] = {}  # noqa: RUF012
    """Units by their English words."""
    dimensions: dict[str, list[str]] = {}  # noqa: RUF012
    """For each dimension the English names of relations that hold such values, best first; English only."""


class SortData(Strict):
    """The words that ask for an order."""

    up: tuple[str, ...]
    down: tuple[str, ...]
    by: tuple[str, ...]
    """Words before what is sorted by: sorted by, in order of."""
    by_name: tuple[str, ...]
    """Words for the order of the alphabet."""


class KindData(Strict):
    """Names that graphs give to classes, relations and values by which a pronoun's referent is told."""

    people: tuple[str, ...]
    """The first is the word for all of them; so it is for groups."""
    places: tuple[str, ...]
    groups: tuple[str, ...]
    of_people: tuple[str, ...]
    """Relations that only people have."""
    gender: tuple[str, ...]
    men: tuple[str, ...]
    women: tuple[str, ...]
    descriptions: tuple[str, ...] = ()
    """Relations whose values are texts about a thing."""
    reasons: tuple[str, ...] = ()
    """Words in the names of relations that say why something is so."""


class NamingData(Strict):
    """What tells how a relation is asked for by its name; languages without it ask for all as for nouns."""

    participles: tuple[str, ...] = ()
    """Those that their ending does not tell: built."""
    pasts: tuple[str, ...] = ()
    """The pasts of verbs that their ending does not tell: wrote."""
    lasting: tuple[str, ...] = ()
    """Those of what is so, and did not only happen: located."""
    prepositions: tuple[str, ...] = ()
    """What may follow a participle or a verb."""
    asked: dict[str, str] = {}  # noqa: RUF012
    """Question words by what they ask for: people, things, dates, places, several of a class, their number."""
    auxiliaries: dict[str, tuple[str, str]] = {}  # noqa: RUF012
    """The singular and the plural of the verbs before a participle, ``past`` and ``present``, and of other verbs."""
    greatest: tuple[str, str] = ("", "")
    """The words for most of what is measured, and of what is counted: highest, most."""
    scales: tuple[str, ...] = ()
    """Superlatives that stand before what is measured, too: the largest population."""
    with_article: tuple[str, ...] = ()
    """Classes whose instances have the article before their names: the Nile."""
    names_with_article: tuple[str, ...] = ()
    """Last words of names that have it, and beginnings with "of": the United States, the Siege of Rome."""
    uncounted: tuple[str, ...] = ()
    """Last words of relations whose numbers measure nothing: years, codes."""
    uncountable: tuple[str, ...] = ()
    """Names of classes that have no plural: furniture."""
    extreme: tuple[str, ...] = ()
    """First words of measures that have no superlative: maximum."""
    superlatives: dict[str, str] = {}  # noqa: RUF012
    """What is said of the thing with most of a measure, where no adjective is made of it alone: oldest, by age."""
    questions: dict[str, str] = {}  # noqa: RUF012
    """Questions for the value of relations that people ask for in words of their own, by names of the relations."""


class PackData(Strict):
    """A file of ``packs``."""

    stemmer: str
    """The name of a Snowball stemmer."""
    whole_letters: bool = False
    """True if the marks on letters belong to them (й, ट्), so that words are stemmed and compared with them."""
    elisions: tuple[str, ...] = ()
    """Words that lean on the next: l', dell'."""
    endings: tuple[str, ...] = ()
    """Endings that are words of their own: 's."""
    beginnings: str = ""
    """A pattern of beginnings that are words of their own: of Gesamtkosten, Durchschnittspreis."""
    genitives: tuple[str, ...] = ()
    """Endings that names take: the s of "Kubricks"."""
    cases: dict[str, tuple[str, ...]] = {}  # noqa: RUF012
    """Endings of names in the cases of a language that declines them, with those of the nominative: -ию is -ия."""
    capital_nouns: bool = False
    """True if all nouns are capitalised, so that a capital does not mark a name."""
    in_place: bool = False
    """True if question words stand in the place of the answer and are not relative pronouns."""
    verb_first: str = ""
    """The pattern of infinitives, where a verb before its subject asks yes/no: "Nimmt Anna …?"; empty elsewhere."""
    inverted: str = ""
    """The pattern of a verb with its subject after it, which asks yes/no: prend-elle."""
    head_last: bool = False
    """True if the last word of a name is its head: film director."""
    inflections: dict[str, str] = {}  # noqa: RUF012
    """Patterns of folded forms of words, and what to put for the basic form: gespielt → spielen. The result is used if
    it is a known verb."""
    unstemmed: dict[str, str] = {}  # noqa: RUF012
    """Patterns of words that the stemmer must not touch, as it would take them for another word, with their stems:
    крупнейший is not крупный."""
    superlative: str = ""
    """The pattern of the endings of superlatives, of which the stemmer takes too much: höchst-e."""
    prefixes: tuple[str, ...] = ()
    """Beginnings of verbs that are inflected as those without: übernehmen as nehmen. Particles are such, too."""
    particles: tuple[str, ...] = ()
    """Words at the end of a clause that belong to its verb: spielt … mit."""
    links: tuple[str, ...] = ()
    """Letters between the parts of a compound, where words are written together: Geburt-s-ort."""
    digraphs: dict[str, str] = {}  # noqa: RUF012
    """Letters that are typed for one letter that a keyboard lacks: oe for ö."""
    accented: tuple[str, ...] = ()
    """Words that only their accents distinguish from others: où, né."""
    function_words: list[str]
    """Function words, separated by spaces: they name nothing by themselves."""
    names_in_capitals: tuple[str, ...] = ()
    """Names that are function words but for their capitals: US, IT."""
    idle_words: list[str]
    """Further words that name nothing where names are looked for: give, list, graph. Relations may be called so."""
    connecting_words: tuple[str, ...] = ()
    """Words that only say that things are connected, where the graph calls nothing so: involved, took part."""
    light_verbs: tuple[str, ...] = ()
    """Verbs that do so only where other words say how things are connected: tools used in it, received no review."""
    irregular: dict[str, str]
    """The basic form of words whose stems do not tell it."""
    forms: FormData
    compare: CompareData
    numbers: NumberData
    measures: list[str]
    """Nouns (and verbs) that name a quantity: population, height, cost."""
    degrees: list[DegreeEntry]
    ways: tuple[WayEntry, ...] = ()
    words: dict[str, list[str]] = {}  # noqa: RUF012
    """For each English word or phrase its translations, a relation's usual name first; they mean all that the English
    pack says of it, and what it means by it is called so, too."""
    references: ReferenceData
    lists: dict[str, tuple[str, ...]] = {}  # noqa: RUF012
    """Words by the names that they have in templates."""
    conversation: ConversationData
    follow_ups: dict[FollowUpKind, tuple[str, ...]]
    """Follow-ups on the last answer, as templates in the order in which they are tried. Slots: ``n`` is a number,
    ``nth`` a place of a list, ``by`` what is sorted by, ``way`` which way, ``what`` a condition or a column, ``best`` a
    superlative."""
    sorting: SortData
    replies: dict[str, str]
    """Sentences of the agent."""
    sentences: tuple[tuple[str, str], ...]
    """Patterns of questions, each with the sentence that answers it in their words (`triad.language.telling`)."""
    sentence_parts: dict[str, str] = {}  # noqa: RUF012
    """Patterns that stand in those by their names: %be."""
    schema_questions: dict[SchemaQuestion, str]
    """Questions about a graph's terms by what they ask for; the terms stand in them by name: ``class``, ``classes``
    (several of its instances), ``relation``, ``thing`` and ``value``."""
    naming: NamingData = NamingData()
    """How relations are asked for by their names."""
    comma: str = ", "
    """The separator of the items of a list."""
    stop: str = "."
    """The mark at the end of a sentence."""
    kinds: KindData
