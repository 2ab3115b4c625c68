"""A hook of MkDocs: pages of the reference are made from the code when the site is built.

A page names what it wants in a line of its own, ``<!-- generated: commands -->``; `PARTS` has what there is.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin

import typer
import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from pydantic import BaseModel, TypeAdapter
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

import triad
from triad import configs, prompts, roles, route, sections
from triad.answers import Answer, Unknown
from triad.asked import Asked
from triad.cli.program import app as command_line
from triad.conversation.turns import Turn
from triad.datasets import FORMATS
from triad.evaluation.metrics.definitions import METRICS, TURN_METRICS
from triad.indexing import recipe
from triad.indexing.entries import LabelProperties
from triad.models import prices
from triad.server import problems, settings
from triad.server.app import create_app
from triad.strict import Opened

ROOT: Final = Path(__file__).parents[1]
_MARK = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)
_NOTEBOOK = re.compile(r"\(\.\./((?:\.\./)*)examples/([\w-]+)\.ipynb\)")
_STACK = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the notebooks as pages."""
    for path in sorted((ROOT / "examples").glob("*.ipynb")):
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=notebook(path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fill in what a page wants generated, draw the layers of the architecture, and lead to notebooks' pages."""
    markdown = _MARK.sub(lambda mark: PARTS[mark[1]](), markdown)
    markdown = _NOTEBOOK.sub(r"(\1notebooks/\2.md)", markdown)
    return _STACK.sub(lambda block: stack(block[1]), markdown)


# The command line -----------------------------------------------------------------------------------------


def commands() -> str:
    """Return all commands with their arguments and options, as ``--help`` has them."""
    group: Any = typer.main.get_command(command_line)
    with group.make_context("triad", [], resilient_parsing=True) as context:
        told = [f"## `triad`\n\n{_options(group.params)}"]
        told += [
            part
            for name in group.list_commands(context)
            for part in _command(f"triad {name}", group.get_command(context, name))
        ]
    return "\n\n".join(told)


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [_argument(param) for param in command.params if param.param_type_name == "argument"]
    nested = getattr(command, "commands", {})
    usage = " ".join([name, *arguments, "COMMAND" if nested else "[OPTIONS]"])
    yield f"## `{name}`"
    yield f"```text\n{usage}\n```"
    yield inspect.cleandoc(command.help or "")
    yield _options(command.params)
    if command.epilog:
        plain = re.sub(r"\[/?[\w ]*\]|Examples?:", "", command.epilog).strip()
        yield f"```text\n{plain}\n```"
    for inner, sub in nested.items():
        yield from _command(f"{name} {inner}", sub)


def _argument(param: Any) -> str:
    name = f"{param.name.upper()}{'…' if param.nargs == -1 else ''}"
    return name if param.required else f"[{name}]"


def _options(params: Iterable[Any]) -> str:
    rows = []
    for param in params:
        if getattr(param, "hidden", False):
            continue
        named = (
            ", ".join(f"`{name}`" for name in [*param.opts, *param.secondary_opts])
            if param.param_type_name == "option"
            else f"`{param.name.upper()}`"
        )
        default = param.default
        shown = "" if default in (None, False, (), []) or callable(default) else f" By default `{default}`."
        rows.append((named, f"{' '.join((param.help or '').split())}{shown}"))
    return table(("option", "says"), rows)


# Keys of what users write ---------------------------------------------------------------------------------


def keys(*models: type[BaseModel]) -> str:
    """Return the keys of models with type, default and docstring, a table for each model."""
    parts = []
    for model in models:
        told = _docstrings(model)
        rows = [
            (f"`{name}`", f"`{_type(_written(field))}`", _default(field), told.get(name, ""))
            for name, field in model.model_fields.items()
            if name not in getattr(model, "unwritten", ())
        ]
        about = inspect.cleandoc(model.__doc__ or "").split("\n\n")[0]
        parts.append(f"## `{model.__name__}`\n\n{about}\n\n{table(('key', 'type', 'default', 'says'), rows)}")
    return "\n\n".join(parts)


def _docstrings(model: type) -> dict[str, str]:
    """Return the texts below the fields of a class, those that it inherits included."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if base in (BaseModel, object):
            continue
        [tree] = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        assert isinstance(tree, ast.ClassDef)
        for field, after in zip(tree.body, tree.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(after, ast.Expr)
                and isinstance(after.value, ast.Constant)
            ):
                found[ast.unparse(field.target)] = " ".join(str(after.value.value).split()).replace("``", "`")
    return found


def _written(field: FieldInfo) -> Any:
    """Return the type of what a file says, where Python may give what it opens."""
    opened = next((one for one in field.metadata if isinstance(one, Opened)), None)
    return opened.written(field.annotation) if opened else field.annotation


def _type(annotation: Any) -> str:
    if get_origin(annotation) in (Union, UnionType):
        return " or ".join(_type(one) for one in get_args(annotation) if one is not type(None))
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = re.sub(r"Annotated\[(\w+), .*?\]", r"\1", re.sub(r"\b(?:\w+\.)+(?=\w)", "", text))
    text = re.sub(r"\bLiteral\[([^]]+)\]", r"one of \1", text)
    text = text.replace(", ...]", "]").replace("tuple[", "list[").replace("Mapping[", "mapping[")
    return text.replace(" | None", "").replace(" | ", " or ")


def _default(field: Any) -> str:
    if field.is_required():
        return "needed"
    value = field.get_default(call_default_factory=True)
    if isinstance(value, BaseModel):
        return f"see `{type(value).__name__}`"
    return "" if value is PydanticUndefined or value in (None, "", (), {}) else f"`{json.dumps(value, default=str)}`"


def shipped_prompts() -> str:
    """Return the shipped prompts with role, inputs and output."""
    rows = []
    for path in sorted((ROOT / "prompts").glob("*.prompt")):
        prompt = prompts.load_prompt(path)
        inputs = "; ".join(f"`{name}`: {about}" for name, about in prompt.inputs.items())
        rows.append((f"`{path.stem}`", prompt.role, prompt.description, inputs, prompt.output))
    return table(("prompt", "role", "does", "inputs", "output"), rows)


def shipped_configs() -> str:
    """Return the shipped configs with their descriptions."""
    rows = []
    for path in sorted((ROOT / "configs").glob("*.yaml")):
        rows.append((f"`{path.stem}`", yaml.safe_load(path.read_text(encoding="utf-8")).get("description", "")))
    return table(("config", "is"), rows)


def cards() -> str:
    """Return the shipped role cards."""
    return "\n\n".join(
        f"```yaml\n{path.read_text(encoding='utf-8')}```" for path in sorted((ROOT / "roles").glob("*.yaml"))
    )


# Formats and schemas --------------------------------------------------------------------------------------


def formats() -> str:
    """Return the formats of data sets with what their modules say of them."""
    rows = []
    for name, form in FORMATS.items():
        module = inspect.getmodule(form.item)
        about = (module.__doc__ or "").strip().splitlines()[0] if module else ""
        rows.append((f"`{name}`", about.rstrip(":."), "`dataset.answers`" if form.gold_apart else "with the questions"))
    return table(("format", "is", "gold answers"), rows)


def metrics() -> str:
    """Return the definitions of all metrics."""
    parts = [
        table(("metric", "is"), [(f"`{name}`", text) for name, text in each.items()])
        for each in (METRICS, TURN_METRICS)
    ]
    return f"## Of questions\n\n{parts[0]}\n\n## Of turns with nuggets\n\n{parts[1]}"


def schemas() -> str:
    """Return the keys and the JSON schemas of what comes of a question: answers, what is unknown, turns."""
    kinds: tuple[Any, ...] = (Asked, Answer, Unknown, Turn)
    parts = []
    for kind in kinds:
        told = _docstrings(kind)
        rows = [(f"`{one.name}`", f"`{_type(one.type)}`", told.get(one.name, "")) for one in fields(kind)]
        schema = TypeAdapter(kind).json_schema(mode="serialization")
        parts += [f"## `{kind.__name__}`", table(("key", "type", "says"), rows), _folded("JSON schema", schema)]
    return "\n\n".join(parts)


def server_problems() -> str:
    """Return the errors of the server with their statuses."""
    rows = [(f"`{name}`", str(status), says) for name, (status, says) in problems.TITLES.items()]
    return table(("name", "status", "means"), rows)


def rest() -> str:
    """Return the paths of the server with what they take, from its OpenAPI description."""
    described = create_app(settings.load_settings("demo")).openapi()
    parts = []
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            rows: list[tuple[str, ...]] = [
                (f"`{one['name']}`", one["in"], _shape(one.get("schema", {})), one.get("description", ""))
                for one in operation.get("parameters", ())
            ]
            rows += _body(described, operation.get("requestBody", {}).get("content", {}))
            about = operation.get("description") or operation.get("summary", "")
            parts += [f"## `{method.upper()} {path}`", about, table(("takes", "in", "type", "says"), rows)]
    return "\n\n".join([*parts, "## OpenAPI", _folded("All of it", described)])


def _body(described: Mapping[str, Any], content: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for each in content.values():
        name = each.get("schema", {}).get("$ref", "").rpartition("/")[2]
        for key, value in described["components"]["schemas"].get(name, {}).get("properties", {}).items():
            yield f"`{key}`", "body", _shape(value), value.get("description", "")


def _shape(schema: Mapping[str, Any]) -> str:
    """Return the type that a schema names, in words."""
    options = [_shape(one) for one in schema.get("anyOf", ()) if one.get("type") != "null"]
    named = schema.get("type") or schema.get("$ref", "").rpartition("/")[2]
    return " or ".join(options) or ", ".join(map(str, schema.get("enum", ()))) or str(named)


def python() -> str:
    """Return what mkdocstrings makes the pages of: every name that ``import triad`` gives."""
    return "\n\n".join(f"::: triad.{name}" for name in triad.__all__)


# Notebooks and drawings -----------------------------------------------------------------------------------


def notebook(path: Path) -> str:
    """Return a notebook as a page: its texts, its code, and what the code gave."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        outputs = cell.get("outputs", ())
        texts = [_text(output) for output in outputs if "text/html" not in output.get("data", {})]
        if texts:
            parts.append(f"```text\n{''.join(texts).rstrip()}\n```")
        htmls = ["".join(output["data"]["text/html"]) for output in outputs if "text/html" in output.get("data", {})]
        parts += [f'<div class="output">{html}</div>' for html in htmls]
    return "\n\n".join(parts)


def _text(output: Mapping[str, Any]) -> str:
    return "".join(output.get("text") or output.get("data", {}).get("text/plain", ()))


def stack(diagram: str) -> str:
    """Draw the layers of a flowchart as boxes, the highest on top: Mermaid itself would be fetched from elsewhere."""
    layers = re.findall(r'^  subgraph \w+\["([^"]+)"\]\n(.*?)^  end$', diagram, re.MULTILINE | re.DOTALL)
    boxes = [
        f"<div><b>{title}</b> {' '.join(f'<code>{name}</code>' for name in body.split())}</div>"
        for title, body in layers
    ]
    return f'<div class="layers">{"".join(boxes)}</div>'


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown; nothing where it has no rows."""
    lines = [[_cell(text) for text in row] for row in rows]
    names = list(head)
    return "\n".join(f"| {' | '.join(row)} |" for row in [names, ["---"] * len(names), *lines]) if lines else ""


def _cell(text: str) -> str:
    """Return a text for a cell: a stroke parts cells, but not in code."""
    parts = text.replace("\n", " ").split("`")
    return "`".join(part if number % 2 else part.replace("|", "\\|") for number, part in enumerate(parts))


def _folded(title: str, value: Any) -> str:
    block = f"```json\n{json.dumps(value, indent=2, ensure_ascii=False)}\n```"
    return f'??? note "{title}"\n\n{textwrap.indent(block, "    ")}'


PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "cards": cards,
    "commands": commands,
    "configs": shipped_configs,
    "config_keys": lambda: keys(
        configs.Config,
        sections.ModelOptions,
        prices.Price,
        sections.Limits,
        route.Route,
        route.Retrieval,
        sections.DataSetOptions,
        sections.RunOptions,
        sections.RunBudget,
        sections.SpecialistOptions,
    ),
    "formats": formats,
    "metrics": metrics,
    "problems": server_problems,
    "prompt_keys": lambda: keys(prompts.FrontMatter),
    "prompts": shipped_prompts,
    "python": python,
    "recipe_keys": lambda: keys(recipe.Recipe, recipe.Source, recipe.Endpoint, LabelProperties),
    "rest": rest,
    "role_keys": lambda: keys(*roles.ROLES.values()),
    "schemas": schemas,
    "server_keys": lambda: keys(
        settings.Settings,
        settings.GraphSettings,
        settings.GraphLimits,
        settings.KeyLimits,
        settings.SignOn,
        settings.Grant,
        settings.Reach,
    ),
}
"""What a page can have generated, by name."""
