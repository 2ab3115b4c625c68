"""Ask any RDF knowledge graph in plain language.

import triad

agent = triad.Agent.from_config("demo")
answer = agent.ask("Who founded Intel?")
print(answer.text, answer.query, answer.trace.usage)
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triad.agent import Agent as Agent
    from triad.answers import Answer as Answer, Unknown as Unknown
    from triad.configs import Config as Config, Options as Options, load_config as load_config
    from triad.conversation import Conversation as Conversation
    from triad.embedding import open_embedder as open_embedder
    from triad.errors import (
        AnswerError as AnswerError,
        BudgetExceeded as BudgetExceeded,
        ConfigError as ConfigError,
        GraphError as GraphError,
        ModelError as ModelError,
        SearchError as SearchError,
        ServiceError as ServiceError,
        TriadError as TriadError,
    )
    from triad.evaluation.run import run as run
    from triad.kg import open_graph as open_graph
    from triad.models import open_model as open_model
    from triad.questions import Question as Question
    from triad.rdf import IRI as IRI, BlankNode as BlankNode, Literal as Literal, ResultSet as ResultSet, Value as Value
    from triad.retrieval.attribution import attribute as attribute
    from triad.search import open_index as open_index
    from triad.trace import Trace as Trace

_NAMES = {
    "agent": "Agent",
    "answers": "Answer Unknown",
    "configs": "Config Options load_config",
    "conversation": "Conversation",
    "embedding": "open_embedder",
    "errors": "AnswerError BudgetExceeded ConfigError GraphError ModelError SearchError ServiceError TriadError",
    "evaluation.run": "run",
    "kg": "open_graph",
    "models": "open_model",
    "questions": "Question",
    "rdf": "BlankNode IRI Literal ResultSet Value",
    "retrieval.attribution": "attribute",
    "search": "open_index",
    "trace": "Trace",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_MODULES, key=lambda name: (not name.isupper(), name))


def __getattr__(name: str) -> Any:
    # Loaded when first used: a worker process and the command line's --help need none of it.
    if name == "__version__":
        return _version()
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("triad-kgqa")
    except PackageNotFoundError:  # a source tree that was not installed
        return "0"
