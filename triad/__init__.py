"""Ask any RDF knowledge graph in plain language.

import triad

agent = triad.Agent.from_config("demo")
answer = agent.ask("Who founded Intel?")
print(answer.text, answer.query, answer.trace.usage)
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triad.agent import Agent
    from triad.answers import Answer, Unknown
    from triad.configs import Config, Options, load_config
    from triad.conversation import Conversation
    from triad.embedding import open_embedder
    from triad.errors import (
        AnswerError,
        BudgetExceeded,
        ConfigError,
        GraphError,
        ModelError,
        SearchError,
        ServiceError,
        TriadError,
    )
    from triad.evaluation.run import run
    from triad.kg import open_graph
    from triad.models import open_model
    from triad.questions import Question
    from triad.rdf import IRI, BlankNode, Literal, ResultSet, Value
    from triad.retrieval.attribution import attribute
    from triad.search import open_index
    from triad.trace import Trace

__all__ = [
    "IRI",
    "Agent",
    "Answer",
    "AnswerError",
    "BlankNode",
    "BudgetExceeded",
    "Config",
    "ConfigError",
    "Conversation",
    "GraphError",
    "Literal",
    "ModelError",
    "Options",
    "Question",
    "ResultSet",
    "SearchError",
    "ServiceError",
    "Trace",
    "TriadError",
    "Unknown",
    "Value",
    "attribute",
    "load_config",
    "open_embedder",
    "open_graph",
    "open_index",
    "open_model",
    "run",
]

_MODULES = {
    "Answer": "answers",
    "Agent": "agent",
    "Config": "configs",
    "Options": "configs",
    "Conversation": "conversation",
    "Question": "questions",
    "Trace": "trace",
    "Unknown": "answers",
    "attribute": "retrieval.attribution",
    "load_config": "configs",
    "open_embedder": "embedding",
    "open_graph": "kg",
    "open_index": "search",
    "open_model": "models",
    "run": "evaluation.run",
}


def __getattr__(name: str) -> Any:
    # Loaded when first used: a worker process and the command line's --help need none of it.
    if name == "__version__":
        return _version()
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _MODULES.get(name, "errors" if name.endswith("Error") or name == "BudgetExceeded" else "rdf")
    return getattr(importlib.import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("triad-kgqa")
    except PackageNotFoundError:  # a source tree that was not installed
        return "0"
