"""Every error that Triad raises on purpose.

    TriadError
    ├── ConfigError             something the user wrote cannot be used
    │   ├── ResourceNotFound    no role, prompt, recipe, config or file of that name
    │   ├── PromptError         a prompt file is malformed, or an input it needs is missing
    │   └── DataError           an RDF file or another data file cannot be read
    ├── ServiceError            something Triad depends on failed
    │   ├── ModelError          the language model's server refused, failed or timed out
    │   │   └── PromptTooLong       the model cannot take so long a prompt
    │   ├── GraphError          the knowledge graph failed
    │   │   ├── QueryTimeout        the query did not finish in its time
    │   │   ├── QuerySyntaxError    the query is not SPARQL
    │   │   └── QueryRejected       the query is SPARQL, but not allowed
    │   └── SearchError         the label index failed
    └── AnswerError             no answer was reached
        ├── ReplyError          the model's reply failed its checks, retries included
        └── BudgetExceeded      a limit on calls, tokens, money or time was reached

A message names the culprit with ``!r`` and says what would have worked. The command line prints it in one
line and exits with 1; a traceback is for bugs. An `AnswerError` that says why a question has no answer (``unknown``) is
no failure: the command line shows the reasons and exits with 2.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triad.answers import Unknown
    from triad.trace import Trace, Usage

_BEGINNING, _END = 3_000, 500
"""Characters of a long message that are kept: a screen of what is wrong, and at its end the advice."""


class TriadError(Exception):
    """Base of every error that Triad raises on purpose.

    A message is cut in its middle where it quotes very much, such as a question of a megabyte.
    """

    begun = 0
    """Requests to a model that began and had no end: what they cost, nobody tells."""

    def __init__(self, message: str = "") -> None:
        long = len(message) > _BEGINNING + _END
        super().__init__(f"{message[:_BEGINNING]} … {message[-_END:]}" if long else message)


class ConfigError(TriadError):
    """Something the user wrote cannot be used."""


class ResourceNotFound(ConfigError):
    """No role, prompt, recipe, config or file has the name that was asked for."""


class PromptError(ConfigError):
    """A prompt file is malformed, or an input that it needs is missing."""


class DataError(ConfigError):
    """An RDF file or another data file cannot be read."""


class ServiceError(TriadError):
    """Something that Triad depends on failed."""


class ModelError(ServiceError):
    """The language model's server refused, failed or timed out.

    ``usage`` tells what a reply cost that is empty, cut or withheld; it is None if there was no reply.
    """

    def __init__(self, message: str = "", *, usage: Usage | None = None, begun: int = 0) -> None:
        super().__init__(message)
        self.usage, self.begun = usage, begun


class PromptTooLong(ModelError):
    """The model cannot take so long a prompt."""


class GraphError(ServiceError):
    """The knowledge graph failed."""


class QueryTimeout(GraphError):
    """The query did not finish in its time."""


class QuerySyntaxError(GraphError):
    """The query is not SPARQL."""


class QueryRejected(GraphError):
    """The query is SPARQL, but not allowed."""


class SearchError(ServiceError):
    """The label index failed."""


class AnswerError(TriadError):
    """No answer was reached.

    ``trace`` tells how far it got, where one was kept. ``unknown`` tells why the question has no answer; it is None if
    something failed.
    """

    def __init__(self, message: str, *, trace: Trace | None = None, unknown: Unknown | None = None) -> None:
        super().__init__(message)
        self.trace = trace
        self.unknown = unknown


class ReplyError(AnswerError):
    """The model's reply failed its checks, retries included."""


class BudgetExceeded(AnswerError):
    """A limit on calls, tokens, money or time was reached."""


def need_extra(extra: str, what: str, *packages: str) -> None:
    """Raise a `ConfigError` that says which extra to install, unless all packages are there: "a notebook takes"."""
    if missing := [name for name in packages if find_spec(name) is None]:
        raise ConfigError(f"{what} {' and '.join(missing)}: pip install 'triad-kgqa[{extra}]'")
