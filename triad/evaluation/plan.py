"""The plan of a run: its questions, the combinations of a sweep, and the likely cost."""

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from triad.agent import Agent
from triad.configs import Config, make_config
from triad.datasets import DataSet, Item, load_dataset
from triad.errors import ConfigError, DataError, ModelError
from triad.models import ScriptedModel
from triad.models.prices import price, price_list, price_of
from triad.roles import ROLES, Roles, load_roles
from triad.sections import DataSetOptions
from triad.strict import validate
from triad.text import without_secrets
from triad.trace import Usage, estimate_tokens, prompt_text

_CALLS: Final = {"together": (2.0, 0.5, 0.25), "separate": (5.0, 0.6, 1.5)}
"""Model calls a question, where the generalist's subtasks are one call and where they are three; the generalist's share
of them; and the length of the prompts after the first, as a share of the first, as measured on the demo. Runs over
small graphs make fewer calls: one and three, and now and then a choice among candidates."""
REPLY: Final = 120
"""Tokens of a reply."""


def with_selection(config: Config, **given: Any) -> Config:
    """Return a config with another ``limit``, ``ids`` or ``filter`` of its data set; what is None stays as it is."""
    keys = {name: value for name, value in given.items() if value is not None}
    if config.dataset is None or not keys:
        return config
    if "ids" in keys:
        keys["ids"] = list(map(str, keys["ids"]))
    dataset = validate(DataSetOptions, {**config.dataset.model_dump(), **keys}, "dataset")
    return config.model_copy(update={"dataset": dataset})


def selected(items: Sequence[Item], options: DataSetOptions) -> list[Item]:
    """Return the questions that a config selects; raises a `ConfigError` for an id or a tag that does not occur."""
    chosen = list(items)
    if options.ids is not None:
        wanted = set(map(str, options.ids))
        if unknown := sorted(wanted - {str(item.question.id) for item in items}):
            examples = ", ".join(itertools.islice((str(item.question.id) for item in items), 5))
            raise ConfigError(f"the data set has no question {unknown[0]!r}; it has {examples}, …")
        chosen = [item for item in chosen if item.question.id in wanted]
    for tag, value in (options.filter or {}).items():
        values = {_tags(item)[tag] for item in items if tag in _tags(item)}
        if value not in values:
            tags = sorted({name for item in items for name in _tags(item)})
            known = f"values of {tag!r}: {_listed(values)}" if values else f"tags: {_listed(tags)}"
            raise ConfigError(f"no question has {tag}={value!r}; {known}")
        chosen = [item for item in chosen if _tags(item).get(tag) == value]
    if not chosen:
        raise ConfigError("no question is selected: the filters leave none")
    return chosen[: options.limit]


def _tags(item: Item) -> dict[str, str]:
    return {**item.tags, "answer_type": item.answer_type}


def _listed(names: Iterable[str], most: int = 12) -> str:
    names = sorted(names)
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def load_items(config: Config) -> DataSet:
    """Load the data set of a config; raises a `ConfigError` if it names none, a `DataError` if it has no questions."""
    path, options = config.dataset_path, config.dataset
    assert options is not None
    language = options.language or config.language or ""
    data = load_dataset(path, options.format, language=language, answers=config.answers_path, strict=options.strict)
    if not data.items:
        reason = f"; {len(data.malformed)} records are malformed: {data.malformed[0]}" if data.malformed else ""
        raise DataError(f"the data set {str(path)!r} has no questions{reason}")
    return data


# Sweeps ---------------------------------------------------------------------------------------------------


def combinations(config: Config) -> list[tuple[str, Config]]:
    """Return the runs of a sweep, each combination once, with names whose folders differ.

    Raises:
        ConfigError: There are none.
    """
    sweeps = [config.sweep] if isinstance(config.sweep, Mapping) else config.sweep
    base = config.model_copy(update={"sweep": ()}).resolved()
    roles = {role: {"card": card} if isinstance(card, str) else card for role, card in config.roles.items()}
    found: dict[str, tuple[dict[str, Any], Config]] = {}
    # a single value is a list of one
    listed = (
        {key: one if isinstance(one, Sequence) and not isinstance(one, str) else [one] for key, one in sweep.items()}
        for sweep in sweeps
    )
    products = (dict(zip(one, chosen, strict=True)) for one in listed for chosen in itertools.product(*one.values()))
    for changes in products:
        paths = {f"roles.{key}" if key.partition(".")[0] in ROLES else key: value for key, value in changes.items()}
        one = make_config({**base, "roles": roles, "folder": config.folder}, paths, f"sweep {named(changes)}")
        found.setdefault(json.dumps(one.with_cards(), sort_keys=True), (changes, one))
    if not found:
        raise ConfigError("the sweep has no combinations; write keys and values: sweep: {generalist.examples: [1, 2]}")
    short = Counter(folder_name(named(changes)) for changes, _ in found.values())
    runs: dict[str, tuple[str, Config]] = {}
    for number, (changes, one) in enumerate(found.values(), 1):
        name = named(changes)
        if short[folder_name(name)] > 1:
            name = named(changes, parts=0)
        if folder_name(name) in runs:
            name += f" ({number})"
        runs[folder_name(name)] = name, one
    return list(runs.values())


def named(changes: Mapping[str, Any], parts: int = 2) -> str:
    """Return a name for a combination, with so many parts of each path at most; 0 are all.

    >>> named({"generalist.examples": 3, "dataset.path": "$TRIAD_DATA/qald9/questions.json"})
    'generalist.examples=3, dataset.path=qald9/questions.json'
    """
    texts = {key: without_secrets(str(value)) for key, value in changes.items()}
    return ", ".join(f"{key}={'/'.join(text.split('/')[-parts:])}" for key, text in texts.items())


def folder_name(name: str) -> str:
    """Return the name of the folder of a run of a sweep.

    >>> folder_name("generalist.examples=3, dataset.path=qald9/questions.json")
    'generalist.examples=3,_dataset.path=qald9_questions.json'
    """
    return re.sub(r"[^\w=.,+-]+", "_", name)


# Estimates ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Estimate:
    """The likely cost of a run."""

    questions: int
    """Questions to ask, repetitions included."""
    usage: Usage
    """Calls, tokens and money."""
    basis: str
    """The basis of the figures."""


def estimate(config: Config, items: Sequence[Item], questions: int, known: Sequence[Usage] = ()) -> Estimate:
    """Estimate the cost of a run, of which so many questions are to be asked still, repetitions included.

    It is told from the costs of questions that were asked before; without any, the first prompts of a few are made, and
    the other calls guessed from them.

    Raises:
        ConfigError: The config cannot be used.
        ServiceError: The graph or the index cannot be reached.
    """
    if known:
        total, times = Usage.total(known), questions / len(known)
        usage = Usage(
            calls=round(total.calls * times),
            input_tokens=round(total.input_tokens * times),
            output_tokens=round(total.output_tokens * times),
            money=total.money * times,
            seconds=total.seconds * times,
        )
        return Estimate(questions, usage, f"the {len(known):,} questions that were asked before")
    roles = load_roles(config.roles)
    if not (names := config.model_names(roles)):
        return Estimate(questions, Usage(), "the lexical solver, which asks no model")
    # questions whose first prompt is made, to know how long prompts are
    first = _first_prompt(config, roles, items[:5])
    calls, share, later = _CALLS[roles.generalist.calls]
    usage = Usage(
        calls=round(questions * calls),
        input_tokens=round(questions * first * (1 + later * (calls - 1))),
        output_tokens=round(questions * calls * REPLY),
    )
    basis = f"first prompts of {first:,.0f} tokens, and {calls:g} calls a question with replies of {REPLY} tokens"
    known_prices = price_list(config.prices)
    prices = {role: price(_model(names[role]), usage, known_prices) for role in ("generalist", "decision_maker")}
    if unpriced := {model for role in prices if not price_of(model := _model(names[role]), known_prices)}:
        basis += f"; no price is known of {', '.join(sorted(unpriced))}"
    money = share * prices["generalist"] + (1 - share) * prices["decision_maker"]
    return Estimate(questions, replace(usage, money=money), basis)


def _model(name: str) -> str:
    """Return a model's name without the prefix that opens it.

    >>> _model("openai:gpt-4.1-mini@http://localhost:8000/v1")
    'gpt-4.1-mini'
    """
    return name.partition(":")[2].partition("@")[0]


def _first_prompt(config: Config, roles: Roles, items: Sequence[Item]) -> float:
    """Return the mean length of the first prompt, in tokens."""
    # The form of the paper asks the model of each question, also where the solver is sure on the ladder.
    without = config.without_model().model_copy(update={"route": "phases"})
    probe = ScriptedModel([])  # a question ends with its first prompt, to which there is no reply
    with Agent.from_config(without) as agent:
        agent.roles, agent.models = roles, dict.fromkeys(ROLES, probe)
        for item in items:
            with suppress(ModelError):
                agent.ask(item.question)
    return math.fsum(estimate_tokens(prompt_text(one)) for one in probe.calls) / max(1, len(probe.calls))
