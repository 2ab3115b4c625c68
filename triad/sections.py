"""The sections of a config (limits, model, data set, specialist, run), and the sources that they name."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal as Choice

from pydantic import Field, field_validator

from triad import resources
from triad.errors import ConfigError
from triad.strict import Amount, Seconds, Strict, filled, missing
from triad.text import without_secrets

OnModelFailure = Choice["error", "lexical"]
"""What happens where the model cannot be reached, or a question's budget is used up."""

_DATA = re.compile(r"\$(TRIAD_DATA\b|\{TRIAD_DATA\})")
_BEFORE_PATH = re.compile(r"replay:|records:|fastembed:([^@]*@)?")
_Text = Annotated[str, Field(coerce_numbers_to_str=True)]


class SourceMark:
    """Marks a key whose value may be a path."""


Source = Annotated[str, SourceMark()]
"""What opens something: a path, which starts at the folder of the file that it is written in, an address, or a name
with a prefix, such as ``fastembed:models/minilm``. Variables of the environment are filled in."""


class Limits(Strict):
    """What one question may cost at most; None is no limit."""

    calls: int | None = Field(default=None, ge=1)
    input_tokens: int | None = Field(default=None, ge=1)
    output_tokens: int | None = Field(default=None, ge=1)
    money: float | None = Field(default=None, gt=0)
    """US dollars."""
    seconds: float | None = Field(default=300.0, gt=0)
    """How long after a question was put a model may be asked; a call that is under way then is ended."""


class ModelOptions(Strict):
    """Options of the model, as far as they are not in its name."""

    temperature: float = Field(default=0.0, ge=0)
    seed: int | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    """Tokens that a reply may have; by default 8,192, or what LiteLLM knows of a provider."""
    json_mode: Choice["schema", "object", "text"] | None = None
    """How a reply's form is asked for: by its schema, as any JSON, by the prompt alone; by default the first of these
    that the server takes."""
    timeout: Seconds = 120.0
    """Seconds that a call may take."""
    retries: Amount = 4
    """How often a failed call is repeated."""
    api_key_file: Source | None = None
    """A file that holds the key; by default the key is in the environment, in OPENAI_API_KEY, or kept."""
    calls_per_minute: int | None = Field(default=None, ge=1)
    cache: bool = False
    """Whether replies are kept on disk, and given again for the same prompt."""


class DataSetOptions(Strict):
    """The questions that a run asks, and their gold answers."""

    path: Source
    """A file in a format of `triad.datasets`."""
    format: str | None = None
    """The file's format; by default the one that it looks like."""
    language: str | None = None
    """The language to ask in; by default the config's. Where neither says one, a set in several languages is asked in
    English, and that of other questions is told from their words."""
    answers: Source | None = None
    """A file of gold answers, where they lie apart from the questions."""
    strict: bool = False
    """Whether a malformed record ends the run; otherwise it is left out and reported."""
    limit: int | None = Field(default=None, ge=1)
    """How many questions are asked at most, from the first on; all of them if None. `--limit` replaces it."""
    ids: tuple[_Text, ...] | None = None
    """The ids of the questions that are asked. `--ids` replaces it."""
    filter: Mapping[str, _Text] | None = None
    """Tags that they have; ``answer_type`` counts as one. `--filter` replaces it."""


class SpecialistOptions(Strict):
    """A fine-tuned model that writes reasoning paths, and is asked before the general one."""

    model: Source
    """The model, such as ``openai:NAME@ADDRESS``, or ``records:FILE`` for predictions that were made elsewhere."""
    prompt: str = "crp"
    """Name or path of its prompt; ``crp`` is the form of the records that it was trained on."""
    beams: int = Field(default=15, ge=1)
    """How many paths it gives for a question, where the server can give several."""


class RunBudget(Limits):
    """What a whole run may cost at most; None is no limit."""

    seconds: float | None = Field(default=None, gt=0)
    """Time of a session."""


class RunOptions(Strict):
    """How a run is made; only ``repeat``, ``seed`` and ``leak_guard`` affect its results."""

    workers: int = Field(default=1, ge=1)
    """How many questions are asked at once."""
    repeat: int = Field(default=1, ge=1)
    """How often each question is asked, for means and spread."""
    seed: int = 0
    """Of the confidence intervals, which are drawn at random."""
    out: str | None = None
    """The run's folder; by default ``runs/`` and the config's name, in the current folder."""
    executor: str | None = None
    """Where questions are asked: on ``threads`` of this process, in ``processes``, one a core, each with its part of
    the workers as threads, or on a Dask cluster, ``dask://scheduler:8786``. By default in processes where there are
    16 workers or more, and nothing that needs one process: no budget, no limit of calls a minute, no dialogues."""
    leak_guard: bool = True
    """Whether examples are left out that are the asked question, or nearly so, or have its query."""
    budget: RunBudget = RunBudget()

    @field_validator("executor")
    @classmethod
    def _known_executor(cls, name: str | None) -> str | None:
        if name is None or re.fullmatch(r"threads|processes|dask://.+", name):
            return name
        raise ValueError("should be 'threads', 'processes' or 'dask://HOST:PORT'")


# Sources -------------------------------------------------------------------------------------------------


def filled_in(source: str) -> str:
    """Return a source with its variables filled in; as it is where one is not set."""
    found = filled(_DATA.sub(lambda _: str(resources.data_folder()), source))
    return source if missing(found.removeprefix(_before_path(found))) else found


def checked(source: str, is_path: bool = True) -> str:
    """Return a source with its variables filled in; one that is not set is a `ConfigError`."""
    found = filled(source)
    if name := missing(found.removeprefix(_before_path(found))):
        mend = f"set it, or give it a default: ${{{name}:-…}}"
        if is_path and "://" not in source:
            mend = "set it to a folder, or name another path, as in --set dataset.path=questions.json"
        fault = f"the config names {without_secrets(source)!r}, but the environment has no variable {name!r}"
        raise ConfigError(f"{fault}; {mend}")
    return found


def located(source: str, folder: Path) -> str:
    """Return a path that starts at a folder as an absolute one; anything else, such as an address, as it is."""
    before = _before_path(source)
    place = folder / resources.from_home(source.removeprefix(before))
    return f"{before}{place.absolute()}" if resources.found_at(place) else source


def _before_path(source: str) -> str:
    """Return the prefix before the path in the name of a recording or an embedder."""
    found = _BEFORE_PATH.match(source)
    return found[0] if found else ""
