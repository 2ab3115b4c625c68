"""Language models, and models around models: one string opens any of them.

>>> open_model("ollama:llama3.1")
OpenAIModel('llama3.1', base_url='http://localhost:11434/v1')
"""

from typing import Any

from triad.errors import ConfigError
from triad.models.model import Completion, Model
from triad.models.replay import RecordsModel, ReplayModel, ScriptedModel
from triad.models.server_options import made, name_and_options
from triad.naming import meant

__all__ = ["Completion", "Model", "ReplayModel", "ScriptedModel", "open_model"]

OLLAMA_URL = "http://localhost:11434/v1"
SCHEMES = ("openai", "ollama", "litellm", "replay", "records")
"""What the forms of models begin with."""
FORMS = (
    "'openai:NAME', 'openai:NAME@ADDRESS' (such as 'openai:gpt-4.1-mini@http://localhost:8000/v1'), "
    "'ollama:NAME', 'litellm:PROVIDER/NAME', 'replay:PATH' or 'records:PATH'; an agent and a config take 'none', too, "
    "and answer without a model"
)


def open_model(source: str | Model, **options: Any) -> Model:
    """Open a model.

    >>> open_model("openai:llama3.1@http://localhost:11434/v1", temperature=0.2)
    OpenAIModel('llama3.1', base_url='http://localhost:11434/v1')

    Args:
        source: ``openai:NAME`` for OpenAI or the server that OPENAI_BASE_URL names; ``openai:NAME@ADDRESS`` for
            another OpenAI-compatible server; ``ollama:NAME`` for Ollama on this machine; ``litellm:PROVIDER/NAME`` for
            any provider that LiteLLM knows; ``replay:PATH`` for a recording; ``records:PATH`` for predictions of a
            fine-tuned model. A model is returned as it is.
        options: Options of `OpenAIModel` or `LiteLLMModel`, or of `ReplayModel` for a recording.

    Raises:
        ConfigError: No model has this form or this option, or an option is missing.
        ResourceNotFound: There is no such recording.
    """
    if isinstance(source, Model):
        if options:
            raise ConfigError(f"{source!r} is open already and takes no options, such as {next(iter(options))!r}")
        return source
    kind, _, rest = source.partition(":")
    match kind, rest.strip():
        case "openai" | "ollama", name if name:
            from triad.models.openai import OpenAIModel

            if kind == "openai":
                return made(OpenAIModel, *name_and_options(name, options))
            # Not the environment's key, which is OpenAI's.
            return made(OpenAIModel, name, {"base_url": OLLAMA_URL, "api_key": "no-key", **options})
        case "litellm", name if name:
            from triad.models.litellm import LiteLLMModel

            return made(LiteLLMModel, name, options)
        case "replay", path if path:
            return made(ReplayModel, path, options)
        case "records", path if path:
            return made(RecordsModel, path, options)
        case _:
            known = (*SCHEMES, "none")
            question = "" if kind in known else meant(kind, known)
            raise ConfigError(f"cannot open the model {source!r}; a model is {FORMS}{question and f'; {question}'}")
