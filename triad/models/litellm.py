"""Models of providers that do not speak OpenAI's protocol, through LiteLLM: Anthropic, Gemini, Bedrock and others.

LiteLLM knows each provider's protocol, its prices, and the environment variable that holds its key. It is an extra
and takes seconds to import, so that it is loaded by the first call.
"""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Unpack

from triad.errors import ConfigError, ModelError, PromptTooLong, need_extra
from triad.models.keyring import key_of
from triad.models.model import Completion, Model
from triad.models.prices import price, price_list, price_of
from triad.models.replies import response_format
from triad.models.server import read_key
from triad.models.server_options import RETRIES, TIMEOUT, ServerOptions
from triad.text import one_line, quoted
from triad.trace import Message, Usage, request_messages, usage_of


class LiteLLMModel(Model):
    """A model that LiteLLM reaches.

    Args:
        name: The name that LiteLLM has for it, with its provider, such as ``anthropic/claude-sonnet-4-5``.
        max_tokens: Tokens that a reply may have; as many as the provider allows if None.
        temperature: The sampling temperature; the provider's default if None. What a model does not know is left out.
        seed: The sampling seed; none if None.
        prices: For each model ``input`` and ``output`` in US dollars per million tokens, in place of LiteLLM's.
        server: Address, key, timeout and retries: `triad.models.server_options.ServerOptions`. Where no key is given,
            it is ``ANTHROPIC_API_KEY`` or its like in the environment, else the one kept for the provider, else what
            LiteLLM finds by other names.

    Raises:
        ConfigError: LiteLLM is not installed, or the name has no provider.
    """

    def __init__(
        self,
        name: str,
        *,
        max_tokens: int | None = None,
        temperature: float | None = 0.0,
        seed: int | None = None,
        prices: Mapping[str, Any] | None = None,
        **server: Unpack[ServerOptions],
    ) -> None:
        provider, slash, _ = name.partition("/")
        if not slash:
            raise ConfigError(f"{name!r} has no provider; LiteLLM's names have one, such as 'anthropic/{name}'")
        need_extra("litellm", "a model of LiteLLM takes", "litellm")
        self.name = name
        self._prices = price_list(prices)
        self._tries = server.get("retries", RETRIES) + 1
        self._priced = bool(prices and price_of(name, prices))
        found = os.environ.get(f"{provider.upper()}_API_KEY")
        key = server.get("api_key") or read_key(server.get("api_key_file")) or found or key_of(provider)
        settings = {
            "max_tokens": max_tokens,
            "temperature": temperature,
            "seed": seed,
            "api_base": server.get("base_url"),
            "api_key": key or None,
            "timeout": server.get("timeout", TIMEOUT),
            "num_retries": server.get("retries", RETRIES),
        }
        self._settings = {key: value for key, value in settings.items() if value is not None}
        self._key = key
        secret = ("api_key", "timeout", "num_retries")
        self.fingerprint = f"litellm { ({key: value for key, value in self._settings.items() if key not in secret}) }"

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the model's reply to a conversation.

        Raises:
            ModelError: The provider cannot be reached, refused or failed, retries included, or the reply is empty
                or cut.
        """
        litellm = _library()
        started = time.perf_counter()
        try:
            reply = litellm.completion(
                model=self.name,
                messages=request_messages(messages),
                drop_params=True,
                **self._settings,
                **self._format(schema),
            )
        except litellm.exceptions.ContextWindowExceededError as error:
            problem = f"cannot take so long a prompt ({quoted(one_line(str(error)))}); use one with a larger context"
            raise self._error(problem, kind=PromptTooLong) from None
        except litellm.exceptions.AuthenticationError as error:
            advice = f"'triad models keys set {self.name.partition('/')[0]}' keeps one"
            said = quoted(one_line(str(error)))
            raise self._error(f"was refused, for its key is wrong or missing: {said}; {advice}") from None
        except Exception as error:  # the errors of some hundred providers have no other class in common
            worked = getattr(error, "status_code", None) in (408, 500, 502, 503, 504)  # perhaps, and for each request
            raise self._error(f"failed: {quoted(one_line(str(error)))}", begun=self._tries * worked) from None
        try:
            text, ended = str(reply.choices[0].message.content or ""), reply.choices[0].finish_reason
        except (AttributeError, IndexError, TypeError):
            text, ended = "", None
        told = getattr(reply, "usage", None)
        sent, received = getattr(told, "prompt_tokens", None), getattr(told, "completion_tokens", None)
        usage = replace(usage_of(messages, text, sent, received), seconds=time.perf_counter() - started)
        usage = replace(usage, money=self._money(litellm, reply, usage))
        if ended == "length":
            raise self._error("cut the reply at the limit of its length; raise max_tokens", usage=usage)
        if not text.strip():
            raise self._error("gave an empty reply; try again or use another model", usage=usage)
        return Completion(text, usage)

    def begun(self, messages: Sequence[Message], requests: int = 1) -> Usage:
        """Return what requests cost at least that began and had no end."""
        usage = super().begun(messages, requests)
        return replace(usage, money=self._money(_library(), None, usage))

    def __repr__(self) -> str:
        return f"LiteLLMModel({self.name!r})"

    def _format(self, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return how the form of a reply is asked for, as strictly as the model takes it."""
        if schema is None:
            return {}
        litellm = _library()
        if litellm.supports_response_schema(model=self.name):
            return {"response_format": response_format(schema)}
        known = litellm.get_supported_openai_params(model=self.name) or []
        return {"response_format": response_format()} if "response_format" in known else {}

    def _money(self, litellm: Any, reply: Any, usage: Usage) -> float:
        if self._priced:
            return price(self.name, usage, self._prices)
        try:
            if reply is None:
                return float(litellm.cost_per_token(model=self.name, prompt_tokens=usage.input_tokens)[0])
            return float(litellm.completion_cost(completion_response=reply, model=self.name))
        except Exception:  # it raises a plain one for a model whose price it does not know
            return price(self.name, usage, self._prices)

    def _error(self, problem: str, kind: type[ModelError] = ModelError, **cost: Any) -> ModelError:
        message = f"model {self.name!r} {problem}"
        return kind(message.replace(self._key, "***") if self._key else message, **cost)


@cache
def _library() -> Any:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else its import fetches a list of prices
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    return litellm
