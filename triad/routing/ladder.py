"""The ladder: a question is answered by the cheapest rung that can, and the next one is climbed on evidence of doubt.

| rung | what answers | what it costs |
| --- | --- | --- |
| solver | the lexical solver, where it is sure | no call |
| template | one template, linked and executed | a call, and one more for each choice that names leave open |
| repair | another query in place of one that found nothing, or another template, told what was wrong | few or none |
| retrieval | evidence from tables and passages, by SQL and search, where there are any | one, or one a round |
| exploration | the model, which looks at the graph with a few tools | a call for each step |
| knowledge | the model's own knowledge, marked as such, where it may know | a call |

Each answer is checked and its doubt is a number (`triad.routing.doubt`). The best answer of all rungs is given; two
rungs that find the same make it surer.
"""

from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from itertools import chain
from threading import Event
from typing import Final

from triad import sparql
from triad.admission import questions
from triad.answers import Answer, Reading, Reason, Unknown
from triad.errors import AnswerError, BudgetExceeded, ModelError, ReplyError, ServiceError
from triad.language.analysis import analyse
from triad.language.normalize import fold
from triad.lexical import solver
from triad.lexical.meanings import OFFERED, Rival, offered
from triad.log import logger
from triad.models.wrappers import Budget, BudgetedModel
from triad.phases import answering
from triad.phases.attempts import Absence, Attempt
from triad.phases.construction import first_empty, left_by_definition
from triad.phases.context import Context
from triad.repair.plans import PlannedPath
from triad.repair.repairing import Specialist, ask, repair, repair_paths
from triad.retrieval.rounds import Rounds
from triad.retrieval.sources import Sources
from triad.route import Route
from triad.routing.doubt import judged
from triad.routing.exploration import explore
from triad.routing.form_checks import is_turned
from triad.routing.tries import diagnosed, drafted_rivals, empty_answer, lacking, one_try
from triad.trace import Rung

_UNCHECKED: Final = 0.3  # the confidence up to which the model's own knowledge is asked beside what the graph gave


def climb(
    context: Context, route: Route, specialist: Specialist | None = None, sources: Sources | None = None
) -> Answer:
    """Answer a question by the rungs of a route.

    The specialist writes paths on the rung ``template``, in place of the generalist; ``retrieval`` needs the sources.

    Raises:
        AnswerError: No answer was reached, or a limit was; ``unknown`` says why the question has no answer.
        ServiceError: The model, the graph or the index failed, and no rung has an answer.
    """
    return _Ladder(context, route, specialist, sources).climb()


@dataclass(slots=True)
class _Ladder:
    context: Context
    route: Route
    specialist: Specialist | None
    sources: Sources | None
    plans: list[PlannedPath] = field(default_factory=list)  # the paths that the specialist wrote
    given: list[Answer] = field(default_factory=list)  # the answers of the rungs so far, the lowest first
    turned: list[Answer] = field(default_factory=list)
    """Those of them that answer another question, the other way round."""
    attempt: Attempt | None = None  # what was tried with the first template
    solving: Future[Answer | None] | None = None  # what the solver finds, while the model is asked already
    unknown: Unknown | None = None  # why the solver does not know
    worth: float = 1.0  # what the path is worth that an answer was repaired to
    absence: Absence | None = None  # what the generalist says that the graph lacks
    declined: bool = False  # whether neither tables nor passages tell what is asked for
    denied: bool = False  # whether the model says, with a reason, that what is asked for is not there
    absent: str = ""  # what the question needs and the graph does not have
    failure: AnswerError | ServiceError | None = None  # the first failure of the model, or the first limit

    def climb(self) -> Answer:
        """Climb until an answer is sure enough, and return the best one."""
        rungs: Mapping[Rung, Callable[[Context], Answer | None]] = {
            "solver": self._begun if self._is_brief else self._solved,
            "template": self._templated,
            "repair": self._repaired,
            "retrieval": self._retrieved,
            "exploration": self._explored,
            "knowledge": self._known,
        }
        for rung in self.route.rungs:
            if rung in ("template", "repair") and self._is_beyond_queries:
                continue
            if rung != "template":
                self._wait()
            context = self._on(rung)
            try:
                answer = rungs[rung](context)
            except (ReplyError, BudgetExceeded) as failure:
                logger.info("rung {}: {}", rung, failure)
                self.failure = self.failure or failure
                continue
            except ModelError as failure:
                self.failure = self.failure or failure
                break
            if answer is not None and self._is_content(self._judged(context, rung, answer)):
                break
        self._wait()
        if self._is_brief and not (self.denied or self.turned or any(one.values for one in self._asked)):
            self._solve_in_full()
        return self._best()

    @property
    def _asked(self) -> list[Answer]:
        """Return what the model answered."""
        return [answer for answer in self.given if answer.rung != "solver"]

    @property
    def _is_brief(self) -> bool:
        """Return whether the solver does no more than it takes to be sure: a model is asked where it is not."""
        return self.route.rungs[:1] == ("solver",) and self.route.rungs != ("solver",) and bool(self.context.models)

    def _solve_in_full(self) -> None:
        """Answer by the solver where no model does, with all that it can."""
        context = self._on("solver")
        others, self.given, self.unknown = self._asked, [], None
        if answer := self._solved(context):
            self._judged(context, "solver", answer)
        self.given += others

    def _on(self, rung: Rung) -> Context:
        budget = Budget(calls=self.route.most_calls(rung))
        models = {role: BudgetedModel(model, budget) for role, model in self.context.models.items()}
        return replace(self.context.on(rung), models=models)

    # The rungs

    def _begun(self, context: Context) -> Answer | None:
        """Begin with the solver, and wait for it no longer than until it is known that it will not be sure enough."""
        doubtful = Event()
        context = replace(context, least=self.route.sure, on_doubt=doubtful.set)
        pool = ThreadPoolExecutor(1, thread_name_prefix="solver")
        self.solving = pool.submit(copy_context().run, questions.beside()(self._solved), context)
        self.solving.add_done_callback(lambda _: doubtful.set())
        pool.shutdown(wait=False)
        with questions.waiting():
            doubtful.wait(None if self.route.sure < 1 else 0)  # then a model is asked, however sure the solver is
        if not self.solving.done():
            return None
        solving, self.solving = self.solving, None
        return solving.result()

    def _wait(self) -> None:
        """Wait for what the solver finds, if it is not there yet."""
        solving, self.solving = self.solving, None
        with questions.waiting():
            answer = solving.result() if solving else None
        if answer:
            self._judged(self._on("solver"), "solver", answer)

    def _solved(self, context: Context) -> Answer | None:
        try:
            return solver.solve(context)
        except AnswerError as error:
            self.unknown = error.unknown
            return error.unknown.guess if error.unknown else None
        except ServiceError as error:  # a rung above may ask for less
            logger.info("the solver failed: {}", error)
            return None

    def _templated(self, context: Context) -> Answer | None:
        if self.specialist:
            answer, self.plans = ask(context, self.specialist)
            self._wait()
            return answer
        self.attempt = tried = self._tried(context)
        if tried is None or tried.answer is not None:
            return tried.answer if tried else None
        self.absent = self._missing(tried)
        if defined := left_by_definition(context.at("construction"), tried.template, tried.queries):
            self.absent = f"nothing here is {defined.word!r}: {defined.meaning}"
            self.unknown = Unknown(context.question, (Reason("empty", defined.word, self.absent),))
            self.denied = self.declined = True  # so that no rung looks for another answer
        self.turned = [one for one in self.given if self._is_turned(one)]
        return empty_answer(context, tried)

    def _tried(self, context: Context, feedback: str = "", before: Collection[str] = ()) -> Attempt | None:
        """Return what comes of a template; None if the model has none, or says what the graph lacks.

        No rung but the model's own knowledge is climbed then.
        """
        tried = one_try(context, feedback, before)
        self._wait()
        if isinstance(tried, Absence):
            self.absence, self.unknown = tried, lacking(context, tried)
            self.absent, self.denied = self.unknown.reasons[0].text, self._is_reason(tried.missing)
            return None
        return tried

    def _repaired(self, context: Context) -> Answer | None:
        if self.specialist:
            found = repair_paths(context, self.plans)
            self.worth = found.confidence if found else 1.0
            return found
        if self.attempt is None or self.absent or (self.attempt.answer and self._may_explore):
            return None  # an answer in doubt takes a look at the graph: another query of what was seen finds the same
        failed = self.attempt = diagnosed(context, self.attempt)
        if found := repair(context, failed):
            if self._is_turned(found):
                self.absent = context.pack.replies["nothing_fits"]
                return None
            self.worth = found.confidence
            return found
        if not self._may_try_again:
            return None
        other = self._tried(replace(context, attempt=2), failed.diagnosis, {failed.template.words()})
        if other and not other.answer and first_empty(self.attempt.queries) and first_empty(other.queries):
            # Told what there is, the model asks for what there is not once more.
            self.absent = context.pack.replies["nothing_fits"]
        return other.answer if other else None

    @property
    def _standing(self) -> list[Answer]:
        """The answers that may be given: where the model says that there is none, the solver's may not."""
        return [one for one in self.given if one not in self.turned and not (self.denied and one.rung == "solver")]

    def _is_turned(self, answer: Answer) -> bool:
        """Return whether an answer says the other way round what the template that found nothing asks."""
        asked = first_empty(self.attempt.queries) if self.attempt and not self.attempt.answer else None
        return asked is not None and answer.query is not None and is_turned(self.context, answer.query, asked.tree)

    def _is_reason(self, missing: str) -> bool:
        """Return whether what is said to be missing is of the question, and no name that the solver asks by."""
        question, pack = self.context.question, self.context.pack
        said = pack.stems(missing)
        asked = pack.stems(question.text).union(*(sense.stems for sense in analyse(question.text, pack).senses))
        found = [pack.stems(one.became) for answer in self.given for one in answer.words]
        return bool(said & asked) and said not in found

    def _retrieved(self, context: Context) -> Answer | None:
        if not self._may_retrieve or self.sources is None:
            return None
        template = replace(self._on("template"), rung="retrieval")

        def by_phases(question: str) -> Answer | None:
            tried = one_try(replace(template, question=replace(context.question, text=question)))
            return tried.answer if isinstance(tried, Attempt) else None

        before = [one for one in self._standing if one.confidence >= context.min_confidence]
        try:
            answer = Rounds(context, self.sources, by_phases, before).answer()
        except AnswerError as error:
            if error.unknown is None:
                raise
            self.unknown, self.declined, self.denied = error.unknown, True, True
            self.absent = self.unknown.reasons[0].text
            return None
        self.absence, self.absent, self.denied = None, "", False  # what the graph lacks, the other sources have
        return answer

    def _explored(self, context: Context) -> Answer | None:
        if self.absent or not self._may_explore:
            return None
        outcome = explore(context, self.route.most_calls("exploration"), self._standing, self.attempt)
        self.absent, self.denied = outcome.absent, self._is_reason(outcome.absent)
        return outcome.answer

    def _known(self, context: Context) -> Answer | None:
        best = max((answer.confidence for answer in self._standing if answer.values), default=0.0)
        if self.declined or best >= max(self.context.min_confidence, _UNCHECKED) or not self._can_be_known:
            return None
        asked = self.absence or self.attempt
        answer_type = asked.answer_type if asked else "select"
        return answering.answer_from_knowledge(context.at("answering"), answer_type)

    # When to climb

    @property
    def _may_retrieve(self) -> bool:
        """Return whether there are sources beside the graph, and a prompt by which they are asked."""
        prompts = self.context.roles.advisor.prompts
        return "retrieval" in self.route.rungs and bool(self.sources) and "evidence" in prompts

    @property
    def _is_beyond_queries(self) -> bool:
        """Return whether a question goes to tables and passages at once, for no one query is likely to answer it.

        It needs arithmetic over groups, or says what the graph has no words for: that is told by its words, by why the
        solver has no answer, and by the answers of the rungs so far.
        """
        if not self._may_retrieve:
            return False
        self._wait()
        pack = self.context.pack
        analysis = analyse(self.context.question.text, pack)
        words = [pack.key(word.text) for word in analysis.words]
        formed = any(pack.forms[form].longest(words, at) for form in ("average", "total") for at in range(len(words)))
        shares = any(pack.units.get(word.stem, ("", 1.0))[0] == "share" for word in analysis.words)
        computes = formed or shares or analysis.each is not None or any(one.difference for one in analysis.comparisons)
        unknown = self.unknown
        left = unknown and (unknown.ignored or any(one.kind in ("words", "relation") for one in unknown.reasons))
        return bool(computes or left or any(one.ignored for one in self.given))

    @property
    def _may_try_again(self) -> bool:
        """With T = 1, as in conversations, it costs less to put the question again than to wait."""
        return self.context.roles.advisor.tries > 1

    @property
    def _may_explore(self) -> bool:
        prompts = self.context.roles.generalist.prompts
        return "exploration" in self.route.rungs and self._may_try_again and "exploration" in prompts

    @property
    def _can_be_known(self) -> bool:
        """Return whether others may know: what is asked of a name, and no list of the graph's own things."""
        if self.absence is not None:
            return self.absence.general
        if self.attempt is None:
            return True
        return any(mention.kind in ("entity", "literal") for mention in self.attempt.template.slots.values())

    def _missing(self, attempt: Attempt) -> str:
        """Return that a name is missing, which neither the links nor the solver find; nothing if none is."""
        unknown = [one.words for one in (self.unknown.reasons if self.unknown else ()) if one.kind == "name"]
        given = (words for one in self.given for words in (*one.ignored, *(use.words for use in one.substituted)))
        left_out = fold(" | ".join([*unknown, *given]))
        for slot, options in attempt.links.items():
            mention = attempt.template.slots.get(slot)
            if not options and mention and mention.kind in ("entity", "literal") and fold(mention.text) in left_out:
                return f"nothing in the graph is called {mention.text!r}"
        return ""

    def _judged(self, context: Context, rung: Rung, answer: Answer) -> Answer:
        """Return an answer with its confidence, in the light of what the rungs below said, and remember it."""
        answer, worth, self.worth = replace(answer, rung=rung), self.worth, 1.0
        if rung not in ("solver", "retrieval") and answer.source == "graph" and answer.values:
            readings = self.attempt.readings if self.attempt and rung == "template" else ()
            answer = judged(context.at("answering"), answer, self._standing, readings, worth)
        if rung == "template" and self.attempt and self.attempt.answer:
            self.attempt = replace(self.attempt, answer=answer)
        self.given.append(answer)
        return answer

    def _is_content(self, answer: Answer) -> bool:
        least = self.route.sure if answer.rung == "solver" else self.route.content
        return bool(answer.values) and answer.confidence >= least

    # The end

    def _best(self) -> Answer:
        """Return the answer with the most merit, and what the others said."""
        if self.failure and not self._asked:
            if isinstance(self.failure, ModelError) or not (self.given or self.unknown):
                raise self.failure
            logger.warning("a question is answered without a model: {}", self.failure)
        best = max(reversed(self._standing), key=self._merit, default=None)
        if best is None or not best.values:
            denied = (one for one in self.given if one not in (*self.turned, *self._standing) and one.values)
            raise self._nothing(next(denied, None))
        if self.declined and best.rung != "retrieval" and best.confidence < self.route.content:
            raise self._nothing(best)
        others = tuple(replace(answer, below=(), trace=None) for answer in self.given if answer is not best)
        return replace(best, below=others, readings=self._readings(best))

    def _readings(self, best: Answer) -> tuple[Reading, ...]:
        """Return what else the question may mean: by the model's other templates, and by other rungs."""
        if best.query is None or best.source != "graph":
            return best.readings
        context, tree = self._on(best.rung or "solver").at("answering"), sparql.parse(best.query)
        drafted = drafted_rivals(context, best, self.attempt) if self.attempt and best.rung == "template" else ()
        given = [one for one in self._standing if one is not best and one.query and one.source == "graph"]
        said = [Rival(sparql.parse(one.query or ""), one.result, one.confidence) for one in given]
        return (*best.readings, *offered(context, best, tree, chain(drafted, said)))[:OFFERED]

    def _merit(self, answer: Answer) -> tuple[bool, bool, float]:
        """Return what answers are compared by: whether there is one, whether the model found it, and how sure it is.

        What a query of the model or its evidence gives, if it is more than a guess, comes before the solver's answer,
        for how sure the solver is does not know that the model differs; where they agree, the model's is as sure. Where
        the solver was sure enough, the model was not asked.
        """
        is_found = answer.rung == "retrieval" or (answer.source == "graph" and answer.rung != "solver")
        is_found = is_found and answer.confidence >= self.context.min_confidence
        return bool(answer.values), is_found, answer.confidence

    def _nothing(self, guess: Answer | None = None) -> AnswerError:
        question = self.context.question
        none = self.context.pack.replies["nothing_fits"] if self.given else "no query could be made"
        own = Unknown(question, (Reason("empty", question.text, (self.absent or none).rstrip(".")),))
        unknown = self.unknown if self.unknown and self.unknown.reasons else own
        return replace(unknown, guess=guess or (None if self.turned else unknown.guess)).error()
