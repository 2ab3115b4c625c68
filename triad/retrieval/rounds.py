"""Rounds: a question is answered from evidence of several branches; the model asks for more as long as some is missing.

Before the first call the passages nearest to the question are searched, so that what a text tells is answered in one
call. A reply is an answer with citations, or asks for all that is needed: SQL, searches, questions to the graph. What
comes of it, errors included, is in the next prompt. As in RAGonite, there are at most three rounds; other than there, a
branch is used where it is needed, unless `Retrieval.rule` says ``every branch once``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from triad.answers import Answer, Reason, Unknown
from triad.errors import AnswerError, BudgetExceeded, GraphError, SearchError, ServiceError, TriadError
from triad.language.pack import load_pack
from triad.log import logger
from triad.phases.context import Context
from triad.phases.grounding.question_names import Named
from triad.phases.grounding.relevance import Relevance
from triad.prompts import load_prompt
from triad.retrieval.answering import Reply, ReplySentence, answer_told
from triad.retrieval.evidence import Evidence, from_answer, from_hits, from_rows, head, inputs, shown
from triad.retrieval.search import Hit
from triad.retrieval.sources import Sources
from triad.retrieval.tables.schema import advice
from triad.retrieval.vocabulary import TableRanking, name_lines, named_things
from triad.route import Branch
from triad.text import first, one_line, within

_SENTENCES: Final = 12
_TABLES: Final = 0.38  # the share of a prompt's free room that tables take at most
_NAMED: Final[Mapping[Branch, str]] = {"graph": "graph", "sql": "sql", "passages": "search"}
"""What a reply calls the branches."""
_HIDDEN: Final = 400  # characters of a prompt that tell which evidence there is no room for

ByPhases = Callable[[str], Answer | None]
"""Answers a question in words by the phases over the graph; None where they find nothing."""


def _decline(context: Context, missing: str) -> AnswerError:
    """Return the error for a question that the sources do not answer."""
    question = context.question
    return Unknown(question, (Reason("relation", question.text, one_line(missing, 400).rstrip(".")),)).error()


class Rounds:
    """One question and the evidence for it, to which answers of the rungs below belong.

    Without a way to answer by the phases, the graph is no branch.
    """

    def __init__(
        self, context: Context, sources: Sources, by_phases: ByPhases | None = None, before: Iterable[Answer] = ()
    ) -> None:
        self.context = context.at("answering")
        self.sources = sources
        self.options = sources.options
        self.by_phases = by_phases
        self.branches = tuple(one for one in sources.branches if one != "graph" or by_phases)
        # the languages of the question, of the graph, and English, in which most graphs are
        codes = [context.question.language or "en", *context.schema.languages[:2], "en"]
        self.packs = tuple({pack.language: pack for pack in map(load_pack, codes)}.values())
        self.evidence: list[Evidence] = []
        self.places: dict[int, tuple[int, int]] = {}
        """The rank of evidence in what it was found with, and how much was asked before that, by its number."""
        self.failed: list[str] = []
        self.asked: set[tuple[Branch, str]] = set()
        """What was asked for already."""
        self.before = 0
        """How much of that was asked before this round."""
        self.names: list[Named] = []
        self.name_lines: list[str] = []
        self.words: list[str] = []
        """The question's content words besides names."""
        self.tables: TableRanking | None = None
        self.classes: list[str] = []
        """IRIs of classes that the question, or what was found for it, is about."""
        if "graph" in self.branches:
            self._add([from_answer(one) for one in before if one.values and one.source == "graph"])

    def answer(self) -> Answer:
        """Gather evidence until it suffices, and return the answer.

        Raises:
            AnswerError: The sources do not tell, the model's replies failed their checks, or a limit was reached.
            ServiceError: The model or the index failed.
        """
        with self.context.look_around("names in the question"):
            self.names, analysis, taken = named_things(self.context)
            self.name_lines = name_lines(self.context.schema, self.names)
        self.words = [word.folded for at, word in enumerate(analysis.words) if not word.empty and at not in taken]
        if self.sources.tables is not None and "sql" in self.branches:
            relevance = Relevance(analysis, taken, self.context.glossary)
            self.tables = TableRanking(self.sources.tables.schema, relevance, self.packs)
        # What is only like the question's words says what it is about where nothing has its words.
        for found in [one for one in self.names if one.words] or self.names:
            self.classes += [found.candidate.iri, *found.candidate.types]
        if "passages" in self.branches:
            self._ask("passages", self.context.question.text)
        for left in range(self.options.rounds, -1, -1):
            reply = self.context.call("advisor", "evidence", self._inputs(left), Reply, partial(self._fault, left))
            if reply.sentences:
                answer = answer_told(self.context, reply, self.evidence, self.names, self.packs, self.sources)
                if answer is None:
                    raise _decline(self.context, reply.missing or "no sentence of the answer is held by its evidence")
                return answer
            if not (requests := reply.requests()):
                raise _decline(self.context, reply.missing)
            self.before = len(self.asked)
            for branch, texts in requests.items():
                for text in texts:
                    self._ask(branch, text)
        raise _decline(self.context, "no answer")  # pragma: no cover - the last reply passes its check only with one

    # Replies -----------------------------------------------------------------------------------------------

    def _fault(self, left: int, reply: Reply) -> str | None:
        """Say what is wrong with a reply, or None."""
        requests = reply.requests()
        waiting = [_NAMED[branch] for branch in self._unused()]
        if reply.sentences:
            return self._fault_of(reply.sentences) or (
                f"ask for {' and '.join(waiting)} before you answer" if waiting and left else None
            )
        if requests and not left:
            return "nothing more can be asked for: give 'sentences', or say in 'missing' what the evidence lacks"
        if foreign := [_NAMED[branch] for branch in requests if branch not in self.branches]:
            known = ", ".join(_NAMED[branch] for branch in self.branches)
            return f"{foreign[0]!r} cannot be asked for here; what can: {known}"
        if requests:
            return None
        if not reply.missing.strip():
            return "give 'sentences', or ask for evidence, or say in 'missing' what the sources do not tell"
        if left == self.options.rounds and (able := [_NAMED[branch] for branch in self._bearing()]):
            return f"before you say that the sources do not tell it, look for it: ask for {' or '.join(able)}"
        return None

    def _fault_of(self, sentences: Sequence[ReplySentence]) -> str | None:
        if len(sentences) > _SENTENCES:
            return f"there are {len(sentences)} sentences; give {_SENTENCES} at most, the answer itself first"
        known = {one.citation.number for one in self.evidence}
        for at, sentence in enumerate(sentences, 1):
            if not sentence.text.strip():
                return f"sentence {at} is empty"
            if not sentence.cites:
                return f"sentence {at} cites nothing; each sentence cites the evidence that holds it"
            if foreign := [number for number in sentence.cites if number not in known]:
                return f"sentence {at} cites {foreign[0]}; the evidence has the numbers 1 to {len(known)}"
        return None

    def _unused(self) -> list[Branch]:
        used = {branch for branch, _ in self.asked}
        return [] if self.options.rule == "as needed" else [one for one in self.branches if one not in used]

    def _bearing(self) -> list[Branch]:
        """Return the branches that have something to do with what the question asks for, besides the names in it."""
        if self.context.question.language in {"en", *self.context.schema.languages[:2]}:
            asked = {pack.stem(word) for pack in self.packs for word in self.words}
            told = any(asked & {pack.stem(word) for pack in self.packs for word in one.words} for one in self.evidence)
        else:  # words of another language are in no passage
            told = bool(self.evidence)
        in_graph = self.tables is None or self.tables.bears()
        return [branch for branch in self.branches if (told if branch == "passages" else in_graph)]

    # Evidence ----------------------------------------------------------------------------------------------

    def _ask(self, branch: Branch, text: str) -> None:
        """Ask a branch once, and add what it finds; what goes wrong is in the next prompt."""
        if (branch, text) in self.asked:
            self._fail(branch, text, "it was asked for before")
            return
        self.asked.add((branch, text))
        ways: Mapping[Branch, tuple[Callable[[str], list[Evidence]], tuple[type[TriadError], ...]]] = {
            "graph": (self._ask_phases, (AnswerError, ServiceError)),
            "sql": (self._query, (GraphError,)),
            "passages": (self._search, (SearchError,)),
        }
        way, errors = ways[branch]
        try:
            known = len(self.evidence)
            self._add(way(text))
            if len(self.evidence) == known:
                self._fail(branch, text, "nothing new was found")
        except errors as error:
            if isinstance(error, BudgetExceeded):
                logger.info("the graph is not asked any more: {}", error)
            tables = self.sources.tables
            why = advice(error, tables.schema, text) if tables and branch == "sql" else one_line(str(error), 300)
            self._fail(branch, text, why)

    def _fail(self, branch: Branch, text: str, why: str) -> None:
        self.failed.append(f"{_NAMED[branch]} {one_line(text, 300)!r}: {why}")

    def _search(self, text: str) -> list[Evidence]:
        assert self.sources.passages is not None
        with self.context.step("passages", "search", request=text) as outcome:
            hits = self._with_other_parts(self.sources.passages.search(text, self.options.passages))
            outcome["reply"] = f"{len(hits)} passages"
            outcome["candidates"] = tuple(hit.passage.id for hit in hits)
        self.classes += [iri for hit in hits for iri in hit.passage.classes]
        return from_hits(hits, self.context.schema)

    def _with_other_parts(self, hits: Sequence[Hit]) -> list[Hit]:
        """Return hits with the other parts of the thing that the best one in words of the graph is about, behind it.

        What is said of a thing may be cut into parts, and only the part with the question's words is found.
        """
        assert self.sources.passages is not None
        if (best := next((hit for hit in hits if hit.passage.source == "passages"), None)) is None:
            return list(hits)
        parts = {best.passage.id: best}
        for side in ("before", "after"):
            passage = best.passage
            for _ in range(2):  # parts of a thing on either side of the one that was found which are shown, too
                id_ = getattr(passage, side)
                found = self.sources.passages.get([id_]) if id_ else []
                if not found or found[0].things[:1] != best.passage.things[:1]:
                    break
                passage = found[0]
                parts[passage.id] = Hit(passage, best.score)
        others = [hit for hit in hits if hit.passage.id not in parts]
        at = [hit.passage.id for hit in hits].index(best.passage.id)
        return [*others[:at], *parts.values(), *others[at:]]

    def _query(self, text: str) -> list[Evidence]:
        assert self.sources.tables is not None
        if self.tables is not None:
            self.tables.open(text)
        with self.context.step("tables", "query", request=text) as outcome:
            rows = self.sources.tables.query(text)
            outcome["reply"] = f"{len(rows.rows)} rows"
        return [from_rows(rows, text, self.context.schema)]

    def _ask_phases(self, text: str) -> list[Evidence]:
        assert self.by_phases is not None
        answer = self.by_phases(text)
        return [from_answer(answer)] if answer and answer.values else []

    def _add(self, found: Iterable[Evidence]) -> None:
        """Add evidence under the next numbers; what is known already keeps its number, and counts as found just now."""
        known = {one.numbered(0).citation: one.citation.number for one in self.evidence}
        for rank, one in enumerate(found):
            number = known.setdefault(one.citation, len(self.evidence) + 1)
            if number > len(self.evidence):
                self.evidence.append(one.numbered(number))
            self.places[number] = (rank, len(self.asked))

    # The prompt --------------------------------------------------------------------------------------------

    def _inputs(self, left: int) -> dict[str, Any]:
        """Return what the prompt shows, within the tokens that it may have."""
        given = inputs(
            self.context,
            failed=[one_line(text, 700) for text in self.failed[-6:]],  # failures that a prompt tells, the latest
            branches=[_NAMED[branch] for branch in self.branches],
            unused=[_NAMED[branch] for branch in self._unused()],
            left=left,
        )
        card = self.context.roles.advisor
        fixed = load_prompt(card.prompts["evidence"]).render(given, card.examples)
        room = 4 * self.options.tokens - sum(len(message.content) + 16 for message in fixed)
        if left:
            given["names"] = within(self.name_lines, min(600, room))
            room -= sum(len(line) + 3 for line in given["names"])
        if left and self.tables is not None:
            given["tables"] = self.tables.lines(dict.fromkeys(self.classes), int(room * _TABLES))
            room -= sum(len(line) + 1 for line in given["tables"])
        if len(shown := self._shown(room)) < len(self.evidence):
            shown = self._shown(room - _HIDDEN)
        numbers = {one["number"] for one in shown}
        given["evidence"] = shown
        given["hidden"] = first(
            [head(one) for one in self.evidence if one.citation.number not in numbers], _HIDDEN - 80
        )
        return given

    def _shown(self, room: int) -> list[dict[str, Any]]:
        """Return the evidence that there is room for.

        Results come first, the latest before others, then passages: of several searches, the best of each. Passages of
        earlier rounds are cut to what is nearest to the question before any is left out.
        """

        def place(one: Evidence) -> tuple[bool, int, int, int]:
            rank, asked = self.places[one.citation.number]
            return not one.is_result, 0 if one.is_result else rank, -asked, -one.citation.number

        kept: list[dict[str, Any]] = []
        # characters of a result, of a passage, and of one of an earlier round, that a prompt shows
        for earlier in (1_100, 400):
            left, kept = room, []
            for one in sorted(self.evidence, key=place):
                is_new = self.places[one.citation.number][1] > self.before
                most = 3_000 if one.is_result else 1_100 if is_new else earlier
                if found := shown(one, min(left, most), self.options.rows, self.context.question.text.split()):
                    kept.append(found)
                    left -= len(found["head"]) + sum(len(line) + 3 for line in found["lines"]) + 10
            if len(kept) == len(self.evidence):
                break
        return sorted(kept, key=lambda one: int(one["number"]))
