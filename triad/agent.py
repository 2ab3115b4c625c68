"""The agent: one language model in three roles answers a question in four phases; without a model, a solver does.

>>> agent = Agent(graph="configs/demo/graph.ttl", model="openai:gpt-4.1-mini")  # doctest: +SKIP
>>> agent.ask("Who founded Intel?").text                                        # doctest: +SKIP
'Gordon Moore; Robert Noyce'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Self, cast, get_args

from loguru import logger

from triad import configs
from triad.answers import Answer
from triad.embedding import Embedder, open_embedder
from triad.embedding.cache import CachedEmbedder
from triad.embedding.vectors import Vectors
from triad.errors import AnswerError, BudgetExceeded, ConfigError, ModelError, ReplyError
from triad.indexing import is_rdf, prepared
from triad.kg import open_graph
from triad.kg.base import KnowledgeGraph
from triad.kg.cache import CachedLookups
from triad.kg.guard import Policy
from triad.kg.parsing import ParseLimits
from triad.kg.schema import Schema
from triad.lexical.solver import solve
from triad.models import Budget, BudgetedModel, Model, open_model
from triad.phases import answering, construction, linking, parsing
from triad.phases.context import Context, Recorder
from triad.questions import AnswerType, Question
from triad.roles import ROLES, Roles, all_or_none, load_roles
from triad.search import open_index
from triad.search.base import LabelIndex
from triad.search.fallback import FallbackIndex
from triad.trace import Step

__all__ = ["Agent"]

_FAILURES = (ModelError, BudgetExceeded, ReplyError)
"""What a model, or the limits on it, may do to a question. That a whole run is stopped is none of them."""


class Agent:
    """Answers questions over one graph. Safe to use from several threads.

    Args:
        graph: A graph, or what opens one: RDF files, a folder of ``triad index``, the address of an endpoint.
        index: A label index, or what opens one. By default the one in the graph's folder; for RDF files one that
            is made and kept; for an endpoint none: names are then looked up in the endpoint itself.
        model: A model, or what opens one, such as ``openai:gpt-4.1-mini``. With ``none``, and without one, questions
            are answered by the lexical solver.
        graph_options: Options of the graph, such as ``timeout``.
        roles: Cards of roles that are not the shipped ones.
        role_models: Models of single roles, where they are not ``model``.
        language: The language of questions and labels, as a tag.
        budget: What one question may cost at most.
        policy: What the guard lets pass.
        index_options: Options of the index, such as ``ca_file``.
        fallback: The index to link with while the other one fails, such as ``endpoint``.
        lookup_hours: How long look-ups of labels and schema cards at an address are kept on disk; 0 keeps none.
        on_model_failure: What happens where the model cannot be reached, gives nothing of use, or the question's budget
            is used up: ``error`` ends the question with that error, ``lexical`` has it answered without a model.
        embedder: An embedder, or what opens one, such as ``fastembed:sentence-transformers/all-MiniLM-L6-v2``. An index
            that was built with it is searched by vectors, too, and the lexical solver finds what no word names.

    Raises:
        ConfigError: Something given cannot be used.
        ServiceError: The graph, the index or the model cannot be reached.
    """

    def __init__(
        self,
        graph: str | Path | Sequence[str | Path] | KnowledgeGraph,
        index: str | Path | LabelIndex | None = None,
        model: str | Model | None = None,
        *,
        graph_options: Mapping[str, Any] | None = None,
        roles: Roles | None = None,
        role_models: Mapping[str, Model | None] | None = None,
        language: str = "en",
        budget: Mapping[str, float] | None = None,
        policy: Policy | None = None,
        index_options: Mapping[str, Any] | None = None,
        fallback: str | LabelIndex | None = None,
        lookup_hours: float = 24.0,
        on_model_failure: configs.OnModelFailure = "error",
        embedder: str | Embedder | None = None,
    ) -> None:
        if on_model_failure not in (known := get_args(configs.OnModelFailure)):
            raise ConfigError(f"unknown on_model_failure {on_model_failure!r}; known: {', '.join(known)}")
        if "embedder" in (index_options or {}):
            raise ConfigError(
                "'embedder' is none of the index's options: it is given beside them, for all that needs one"
            )
        options = dict(graph_options or {})
        if index is None and is_rdf(graph):
            files = cast("str | Path | Sequence[str | Path]", graph)
            options.setdefault("name", str(files) if isinstance(files, str | Path) else ", ".join(map(str, files)))
            graph = index = prepared(files, limits=ParseLimits.taken(options))
        self.graph = open_graph(graph, **options)
        remote = isinstance(graph, str) and "://" in graph
        looked_up = CachedLookups(self.graph, lookup_hours) if remote and lookup_hours else self.graph
        if index is None:
            index = str(graph) if isinstance(graph, str | Path) and Path(graph).is_dir() else "endpoint"
        self.embedder = CachedEmbedder(open_embedder(embedder)) if isinstance(embedder, str) else embedder
        """What makes vectors of texts; None where nothing does."""
        self._vectors = Vectors(self.embedder) if self.embedder else None
        self.index = open_index(index, graph=looked_up, embedder=self.embedder, **(index_options or {}))
        if fallback is not None:
            self.index = FallbackIndex(self.index, open_index(fallback, graph=looked_up))
        self.roles = roles or load_roles()
        shared = None if model in (None, configs.NO_MODEL) else open_model(model)
        self.models = all_or_none({role: (role_models or {}).get(role, shared) for role in ROLES})
        """The model of each role; none where questions are answered without."""
        if model is None and not self.models:
            _say_that_there_is_no_model()
        self.on_model_failure = on_model_failure
        self.language = language
        self.schema = Schema(looked_up, (language, *(["en"] if language != "en" else [])))
        self._budget = dict(budget or {})
        self._policy = policy or Policy(row_limit=self.graph.row_limit)

    @classmethod
    def from_config(cls, config: str | Path | configs.Config, **changes: Any) -> Self:
        """Make the agent that a config describes.

        Args:
            config: A config, or the name or path of one.
            changes: Keys that replace those of a config that is named, such as ``model="ollama:llama3.1"``.

        Raises:
            ConfigError: The config cannot be found or used.
            ServiceError: The graph, the index or the model cannot be reached.
        """
        if isinstance(config, configs.Config):
            if changes:
                raise ConfigError(f"a config that is made takes no changes, such as {next(iter(changes))!r}")
        else:
            config = configs.load_config(config, changes)
        roles = load_roles(config.roles)
        own = {role: name for role in ROLES if (name := roles.card(role).model)}
        return cls(
            config.graph_source,
            config.index_source,
            config.open_model() or config.model,
            graph_options=config.graph_options,
            roles=roles,
            role_models={role: config.open_model(name) for role, name in own.items()},
            language=config.language,
            index_options=config.index_options,
            fallback=config.fallback,
            lookup_hours=config.lookup_hours,
            budget=config.limits.model_dump(exclude_none=True),
            on_model_failure=config.on_model_failure,
            embedder=config.embedder_source,
        )

    def ask(
        self, question: str | Question, *, sentence: bool = False, on_step: Callable[[Step], None] | None = None
    ) -> Answer:
        """Answer a question.

        Args:
            question: The question.
            sentence: Whether the answer's text shall be a sentence, which costs a call. Where ``on_model_failure`` is
                ``lexical`` and the model fails, the text is the values in a line.
            on_step: Is told of each step as it happens.

        Raises:
            ConfigError: The question is empty, or a sentence is asked for and there is no model.
            AnswerError: No answer was reached, or a limit was; its ``trace`` tells how far it got.
            ServiceError: The model, the graph or the index failed.
        """
        if isinstance(question, str):
            question = Question(question.strip(), self.language)
        if not question.text.strip():
            raise ConfigError("the question is empty")
        if sentence and not self.models:
            raise ConfigError(
                "a sentence (sentence=True, --sentence) is written by a model, and none is configured; name one, such "
                "as openai:gpt-4.1-mini, or ask for the values alone"
            )
        return self.answer(self.begin(question, on_step), sentence=sentence)

    def begin(self, question: Question, on_step: Callable[[Step], None] | None = None) -> Context:
        """Return what a question is answered with; its calls count towards one budget and make one trace."""
        recorder = Recorder(question, on_step)
        budget = Budget(**self._budget)  # type: ignore[arg-type]
        models = {role: BudgetedModel(model, budget) for role, model in self.models.items()}
        return Context(
            question,
            self.graph,
            self.index,
            self.schema,
            models,
            self.roles,
            recorder,
            self._policy,
            vectors=self._vectors,
        )

    def answer(self, context: Context, *, sentence: bool = False) -> Answer:
        """Answer the question of a context; `ask` is to begin and to answer.

        Raises:
            AnswerError: No answer was reached, or a limit was; its ``trace`` tells how far it got.
            ServiceError: The model, the graph or the index failed.
        """
        recorder = context.recorder
        try:
            answer = self._answer(context)
            if sentence and answer.method == "model":
                answer = self._in_a_sentence(context, answer)
        except AnswerError as error:
            error.trace = recorder.trace()
            raise
        return replace(answer, trace=recorder.trace())

    def _answer(self, context: Context) -> Answer:
        """Answer in the four phases, or without a model where there is none, or where it fails and that is allowed."""
        if not self.models:
            return _without_model(context)
        try:
            return self._in_phases(context)
        except _FAILURES as failure:
            if self.on_model_failure == "error":
                raise
            logger.warning("{!r} is answered without a model: {}", context.question.text, failure)
            try:
                return _without_model(context)
            except AnswerError as error:
                raise AnswerError(f"{error}; before, the model had failed: {failure}") from failure

    def _in_a_sentence(self, context: Context, answer: Answer) -> Answer:
        try:
            return replace(answer, text=answering.sentence(context.at("answering"), answer))
        except _FAILURES as failure:
            if self.on_model_failure == "error":
                raise
            logger.warning("the answer to {!r} is given without a sentence: {}", context.question.text, failure)
            return answer

    def _in_phases(self, context: Context) -> Answer:
        """Run the four phases, at most T times, each time with what the last try learnt."""
        feedback, templates = "", set[str]()
        answer_type: AnswerType = "select"
        empty: Answer | None = None
        unusable: ReplyError | None = None
        for attempt in range(1, self.roles.advisor.tries + 1):
            context = replace(context, attempt=attempt)
            try:
                parsed = parsing.parse(context.at("parsing"), feedback)
                template, answer_type = parsed.template, parsed.answer_type
                if (words := template.words()) in templates:
                    break  # the generalist has no other idea
                templates.add(words)
                links = linking.link(context.at("linking"), template)
                construct = context.at("construction")
                queries = construction.construct(construct, template, links)
                executed = construction.execute(construct, template, queries)
                chosen = construction.choose(construct, executed)
                if chosen:
                    return answering.answer(context.at("answering"), chosen, answer_type)
                if empty is None and (ran := construction.first_empty(executed)):
                    empty = answering.answer(context.at("answering"), ran, answer_type)
                if attempt < self.roles.advisor.tries:
                    feedback = construction.diagnose(construct, template, links, executed)
            except ReplyError as error:
                logger.info("try {}: {}", attempt, error)
                unusable = error
                break
        try:
            known = answering.answer_from_knowledge(context.at("answering"), answer_type)
        except ReplyError as error:
            known, unusable = None, unusable or error
        if known is not None:
            return known
        if empty is not None:
            return empty
        if unusable is not None:
            raise unusable
        why = " ".join(feedback.split()) or "no query could be made"
        raise AnswerError(f"no answer was reached for {context.question.text!r}: {why}")

    def close(self) -> None:
        """Free what graph, index, models and embedder hold."""
        self.graph.close()
        self.index.close()
        for model in self.models.values():
            model.close()
        if self.embedder:
            self.embedder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _without_model(context: Context) -> Answer:
    return replace(solve(replace(context, models={})), method="lexical")


@cache  # once is enough
def _say_that_there_is_no_model() -> None:
    logger.info(
        "no language model is configured: questions are answered without one; to use one, name it with --model or as "
        "'model' in a config, such as openai:gpt-4.1-mini or ollama:llama3.1"
    )
