"""The agent: a question climbs the ladder from the lexical solver to a language model in three roles.

>>> agent = Agent.from_config("demo")
>>> agent.ask("Who founded Intel?").text
'Gordon Moore; Robert Noyce'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal as Choice, Self

from triad.acquaintance import Acquaintance
from triad.admission import questions
from triad.answers import Answer
from triad.cancelling import in_thread
from triad.closing import Closing
from triad.configs import Config, Options, load_config
from triad.embedding import Embedder
from triad.embedding.vectors import Vectors
from triad.errors import AnswerError, ConfigError, DataError, SearchError
from triad.kg.base import KnowledgeGraph
from triad.kg.guard import Policy
from triad.kg.lookups import QuestionGraph
from triad.kg.profile import GraphProfile
from triad.lexical import solver
from triad.lexical.weights import load_weights
from triad.models import Model
from triad.models.wrappers import Budget, BudgetedModel
from triad.opening import Setup, open_models
from triad.phases.context import Context, Recorder
from triad.questions import Question, check_length
from triad.retrieval.sources import open_sources
from triad.roles import Roles, load_roles
from triad.route import Retrieval, Route
from triad.routing.confirmed import ConfirmedQueries
from triad.search.base import LabelIndex
from triad.sections import Limits, ModelOptions, OnModelFailure, SpecialistOptions
from triad.solving import doubted, in_a_sentence, say_that_there_is_no_model, solved
from triad.strict import validate
from triad.text import writable
from triad.trace import Step

# What only models use, and what only tells of a graph, takes half as long to import as all the rest: it is imported
# where it is used.
if TYPE_CHECKING:
    from triad.description import GraphDescription
    from triad.examples.nearest import Examples
    from triad.repair.repairing import Specialist
    from triad.suggestions import Suggestions, SureQuestion


class Agent(Closing):
    """Answers questions over one graph. Safe to use from several threads.

    Args:
        graph: A graph, or what opens one: RDF files, a folder of ``triad index``, the address of an endpoint.
        index: A label index, or what opens one. By default the one in the graph's folder; for RDF files one that
            is made and kept; for an endpoint none: names are then looked up in the endpoint itself.
        model: A model, or what opens one, such as ``openai:gpt-4.1-mini``. With ``none``, and without one, questions
            are answered by the lexical solver.
        role_models: Models of single roles, where they are not ``model``.
        budget: What one question may cost at most: the key ``limits`` of a config.
        policy: What the guard lets pass.
        examples: A file of questions with their queries, as in a config, or the pairs.
        specialist: A fine-tuned model that writes reasoning paths, and is asked in place of templates; as in a config,
            or open. What it writes is repaired, by the general model where there is one.

    All other keywords are keys of a config, which `triad.Options` documents, with the same defaults; embedder and
    roles may be given open, too.

    Raises:
        ConfigError: Something given cannot be used.
        DataError: The examples cannot be read.
        ServiceError: The graph, the index or the model cannot be reached.
    """

    def __init__(
        self,
        graph: str | Path | Sequence[str | Path] | KnowledgeGraph,
        index: str | Path | LabelIndex | None = None,
        model: str | Model | None = None,
        *,
        graph_options: Mapping[str, Any] | None = None,
        roles: Roles | Mapping[str, str | Mapping[str, Any]] | None = None,
        role_models: Mapping[str, Model | None] | None = None,
        language: str | None = None,
        budget: Mapping[str, float] | None = None,
        policy: Policy | None = None,
        index_options: Mapping[str, Any] | None = None,
        lookup_hours: float | None = None,
        model_options: Mapping[str, Any] | ModelOptions | None = None,
        prices: Mapping[str, Any] | None = None,
        on_model_failure: OnModelFailure | None = None,
        embedder: str | Embedder | None = None,
        labels: Sequence[str] | None = None,
        infer: bool | None = None,
        min_confidence: float | None = None,
        words: Mapping[str, str | Sequence[str] | Mapping[str, str]] | None = None,
        ontology: str | Path | Sequence[str | Path] | None = None,
        hints: Sequence[str] | None = None,
        questions: Sequence[str] | None = None,
        documents: str | Path | None = None,
        passages: str | Path | None = None,
        examples: str | Path | Examples | None = None,
        weights: str | Path | None = None,
        route: Route | Mapping[str, Any] | Choice["phases"] | None = None,
        specialist: Specialist | Mapping[str, Any] | SpecialistOptions | None = None,
        retrieval: Retrieval | Mapping[str, Any] | None = None,
    ) -> None:
        options = {name: value for name, value in locals().items() if name in Setup.model_fields}
        pairs = None if isinstance(examples, str | Path) else options.pop("examples")
        cards = options.pop("roles") if isinstance(roles, Roles) else None
        opened = None if isinstance(specialist, Mapping | SpecialistOptions) else options.pop("specialist")
        setup = validate(Setup, {name: _plain(one) for name, one in options.items() if one is not None}, "agent")
        self.weights = Path(setup.weights) if setup.weights else None
        """The file of the lexical solver's weights; None for those that come with Triad."""
        load_weights(self.weights)
        self.roles = cards or load_roles(setup.roles)
        self.models = open_models(setup, self.roles, role_models)
        """The model of each role; none where questions are answered without."""
        self.specialist: Specialist | None = opened or _specialist(setup)
        self.parts = setup.open()
        self.graph = self.parts.graph
        """The graph that is asked."""
        self.index = self.parts.index
        """The label index for lookups of mentions."""
        self.schema = self.parts.schema
        """Labels and schema cards of the graph."""
        self.embedder = self.parts.embedder
        """The embedder; None if there is none."""
        self.vectors = Vectors(self.embedder) if self.embedder else None
        """Vectors of texts, to compare them; None without an embedder."""
        try:
            self._known = Acquaintance(self.parts, setup)
            self.glossary = self._known.glossary
            if setup.examples:
                from triad.examples.nearest import Examples

                pairs = Examples.read(setup.examples, self.vectors, language=setup.language or "")
            self.sources = open_sources(setup, setup.retrieval, self.embedder)
            if self.sources.tables is not None:
                self.sources.tables.define(self.glossary.defined)
        except (ConfigError, DataError, SearchError):
            self.parts.close()
            raise
        self.examples: Examples | None = pairs
        """Pairs of questions and queries, of which the nearest are shown to the model; None if there are none."""
        self.confirmed = ConfirmedQueries()
        """Queries that people confirmed, which answer their questions before anything else is tried."""
        self._said_none = setup.model is not None
        self.on_model_failure = setup.on_model_failure
        self.min_confidence = setup.min_confidence
        self._own_questions = setup.questions
        self.route = setup.route
        self.language = self._known.language
        """The language of questions that leave it open, as a tag."""
        self._suggesting: dict[str, Suggestions] = {}
        self._budget: dict[str, Any] = Limits().model_dump() | dict(budget or {})
        self._policy = policy or Policy(row_limit=self.graph.row_limit)

    @property
    def profile(self) -> GraphProfile | None:
        """The profile of the graph, made while it was indexed, or of a small graph now; None if there is none."""
        return self._known.profile

    def language_of(self, text: str) -> str:
        """Return the language of a question that does not say it, as a tag.

        It is the agent's, if one was given. Else the words tell it, in doubt the labels of the graph.
        """
        return self._known.language_of(text)

    @classmethod
    def from_config(cls, config: str | Path | Config, **changes: Any) -> Self:
        """Make the agent that a config describes.

        Args:
            config: A config, or the name or path of one.
            changes: Keys that replace those of a config that is named, such as ``model="ollama:llama3.1"``.

        Raises:
            ConfigError: The config cannot be found or used.
            ServiceError: The graph, the index or the model cannot be reached.
        """
        if not isinstance(config, Config):
            config = load_config(config, changes)
        elif changes:
            raise ConfigError(f"a config that is made takes no changes, such as {next(iter(changes))!r}")
        roles = load_roles(config.roles)
        keys = {name: value for name, value in config.arguments().items() if name not in Setup.unwritten}
        own = {"roles": roles, "role_models": open_models(config, roles), "budget": keys.pop("limits").model_dump()}
        return cls(**{**keys, **own, "specialist": _specialist(config)})

    def __repr__(self) -> str:
        names = ", ".join(sorted({model.name for model in self.models.values()})) or "none"
        return f"Agent({self.graph.name!r}, model={names!r})"

    @questions.admitted()
    def ask(
        self,
        question: str | Question,
        *,
        sentence: bool = False,
        min_confidence: float | None = None,
        on_step: Callable[[Step], None] | None = None,
    ) -> Answer:
        """Answer a question.

        Args:
            question: The question.
            sentence: Whether the answer's text shall be a sentence, which costs a call of a model; without one it is in
                the question's own words, or lists the values. Where ``on_model_failure`` is ``lexical`` and the model
                fails, the text is the values in a line.
            min_confidence: The confidence below which an answer is a guess; by default the agent's.
            on_step: A function that is called with each step as it happens.

        Raises:
            ConfigError: The question is empty or too long.
            AnswerError: No answer was reached, or a limit was; its ``trace`` tells how far it got. If the question has
                no answer, or only a guess, its ``unknown`` has the reasons and the guess.
            ServiceError: The model, the graph or the index failed.
        """
        if isinstance(question, str):
            question = Question(question.strip())
        if not isinstance(question, Question):
            raise ConfigError(f"a question is a text or a Question, not {question!r}")
        question = replace(question, text=writable(question.text))
        check_length(question.text)
        if not question.text.strip():
            raise ConfigError("the question is empty")
        context = self.begin(question, on_step)
        if min_confidence is not None:
            if not 0 <= min_confidence <= 1:
                raise ConfigError(f"min_confidence is a number from 0 to 1, not {min_confidence!r}")
            context = replace(context, min_confidence=min_confidence)
        try:
            return self.answer(context, sentence=sentence)
        except AnswerError:
            if not self._said_none and not self.models and (context.profile is None or context.profile.triples):
                say_that_there_is_no_model()
            raise

    async def aask(
        self,
        question: str | Question,
        *,
        sentence: bool = False,
        min_confidence: float | None = None,
        on_step: Callable[[Step], None] | None = None,
    ) -> Answer:
        """Answer a question as `ask` does, without holding up the event loop.

        It runs in a thread of the loop's default executor, whose size bounds how many questions are answered at once,
        and ``on_step`` is called from there. If the task is cancelled, so are the question's query and model call.
        """
        return await in_thread(
            lambda: self.ask(question, sentence=sentence, min_confidence=min_confidence, on_step=on_step)
        )

    def begin(self, question: Question, on_step: Callable[[Step], None] | None = None) -> Context:
        """Return the context of a question; its calls share one budget and one trace.

        Labels in the question's language come first. A question that does not say its language has it afterwards.
        """
        if not question.language:
            question = replace(question, language=self.language_of(question.text))
        recorder = Recorder(question, on_step)
        profile = self.profile  # before the schema, which then knows it
        graph = QuestionGraph(self.schema.graph)  # which keeps what an address tells
        budget = Budget(**self._budget)
        models = {role: BudgetedModel(model, budget) for role, model in self.models.items()}
        if self.specialist:
            from triad.repair.repairing import ROLE

            models[ROLE] = BudgetedModel(self.specialist.model, budget)
        return Context(
            question,
            graph,
            self._known.index(question.language),
            self._known.schema_in(question.language).over(graph),
            models,
            self.roles,
            recorder,
            self._policy,
            vectors=self.vectors,
            min_confidence=self.min_confidence,
            profile=profile,
            glossary=self._known.names,
            examples=self.examples,
            weights=self.weights,
        )

    def answer(self, context: Context, *, sentence: bool = False) -> Answer:
        """Answer the question of a context; `ask` makes the context and then calls this, and raises what it does."""
        recorder = context.recorder
        try:
            confirmed = self.confirmed.answer(context)
            answer = confirmed or solved(context, self.route, self.specialist, self.sources, self.on_model_failure)
            if answer.confidence < context.min_confidence:
                raise doubted(context, answer)
            if sentence and not self.models:
                from triad.conversation import replies  # whose package imports this module

                answer = replace(answer, text=replies.in_a_sentence(context.pack, context.question.text, answer))
            elif sentence and (answer.method == "model" or answer.rung or confirmed):
                answer = in_a_sentence(context, answer, self.on_model_failure)
        except AnswerError as error:
            error.trace = recorder.trace()
            if error.unknown:
                error.unknown = replace(error.unknown.shown(), trace=error.trace)
            raise
        notes = (*answer.notes, *self._known.notes(context.question.language))
        return replace(answer, notes=notes, trace=recorder.trace())

    def describe(self, *, questions: int = 10, seconds: float = 30.0, language: str | None = None) -> GraphDescription:
        """Tell what the graph is about: its classes, what their instances have, and questions that it surely answers.

        Args:
            questions: How many questions that it surely answers are looked for, by the lexical solver.
            seconds: How long they are looked for.
            language: The language of all this, if the graph has labels in it; by default the agent's.

        Raises:
            ServiceError: The graph or the index failed.
        """
        from triad.description import describe

        language = self.spoken(language)
        schema, suggestions = self._known.schema_in(language), self._suggestions(language)
        return describe(
            self.graph, schema, self.profile, suggestions, language=language, questions=questions, seconds=seconds
        )

    def next_questions(self, answer: Answer | str, *, wanted: int = 3, seconds: float = 2) -> tuple[SureQuestion, ...]:
        """Return questions that an answer or a thing invites, each of which the lexical solver surely answers.

        Those of the config come first that name a thing or a class of the answer. Then it may be asked what else the
        things have that the question names, what the things have that are the answer, and what compares them with
        others of their class.

        >>> agent = Agent.from_config("demo")
        >>> agent.next_questions(agent.ask("Who founded Intel?"))[0].question
        'When was Intel founded?'

        Args:
            answer: The answer, from a query to the graph (any other one invites nothing), or the IRI of a thing.
            wanted: How many questions are looked for.
            seconds: How long they are looked for.

        Raises:
            ServiceError: The graph or the index failed.
        """
        language = answer.question.language if isinstance(answer, Answer) else None
        return self._suggestions(self.spoken(language)).after(answer, wanted, seconds)

    def spoken(self, language: str | None) -> str:
        """Return a language if most relations have labels in it that are not the English ones, else the agent's own."""
        return self._known.spoken(language)

    def _suggestions(self, language: str) -> Suggestions:
        from triad.suggestions import Suggestions

        if language not in self._suggesting:
            schema = self._known.schema_in(language)
            self._suggesting[language] = Suggestions(
                schema, self.profile, lambda question: solver.solve(self.begin(question)), language, self._own_questions
            )
        return self._suggesting[language]

    def close(self) -> None:
        """Free the resources of graph, index, models and embedder."""
        self.parts.close()
        self.sources.close()
        for model in self.models.values():
            model.close()
        if self.specialist:
            self.specialist.model.close()


def _specialist(options: Options) -> Specialist | None:
    if options.specialist is None:
        return None
    from triad.repair.repairing import open_specialist

    return open_specialist(options)


def _plain(value: Any) -> Any:
    """Return what opens something as files would say it: paths as text."""
    if isinstance(value, Path):
        return str(value)
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
