"""Prompt files: YAML front matter that names the inputs, and a template of messages.

    ---
    role: generalist
    description: Tells the form of an answer.
    inputs: {question: the question}
    output: "an object with the key answer_type"
    examples:
      - {question: "Who founded Intel?", reply: {answer_type: select}}
    ---
    system:
    Say which form the answer to a question has.
    user:
    Question: {{ question | quoted }}

A template is split into messages before anything is put in, so no question and no label can open a message of
its own. An example becomes a ``user`` and an ``assistant`` message, rendered by the same template as the
question. The filter ``quoted`` writes a text of the graph or of a user as a JSON string, cut to 300 characters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal as Choice, cast

from triad import resources
from triad.errors import ConfigError, PromptError
from triad.naming import among
from triad.rdf import Literal
from triad.strict import Strict, load_yaml, validate
from triad.text import shortened
from triad.trace import Message

if TYPE_CHECKING:
    import jinja2

QUOTE_LENGTH: Final = 300
"""Characters of a quoted text that a prompt shows: a name or a sentence, and no article of a stranger."""

_FRONT_MATTER = re.compile(r"---\s*\n(.*?)\n---\s*\n(.*)", re.DOTALL)
_MESSAGE = re.compile(r"^(system|user):[ \t]*$", re.MULTILINE)


def quoted(text: object, length: int = QUOTE_LENGTH) -> str:
    """Write a text as a JSON string of at most so many characters, on one line."""
    return json.dumps(shortened(str(text), length), ensure_ascii=False)


def quoted_text(text: Literal, length: int = QUOTE_LENGTH) -> str:
    """Write a text of a graph as `quoted` does, with its language if it has one, for then it equals no plain text."""
    return quoted(text.value, length) + (f"@{text.language}" if text.language else "")


class FrontMatter(Strict):
    """The front matter of a prompt file."""

    role: Choice["generalist", "decision_maker", "advisor"]
    description: str
    inputs: Mapping[str, str]
    output: str
    examples: tuple[dict[str, Any], ...] = ()


class Prompt:
    """A prompt file, ready to render."""

    def __init__(self, name: str, front: FrontMatter, body: str) -> None:
        self.name = name
        self.role = front.role
        self.description = front.description
        self.inputs = front.inputs
        self.output = front.output
        self.examples = front.examples
        import jinja2.meta  # which takes a while to import, and only models need prompts
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        environment = ImmutableSandboxedEnvironment(
            undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
        )
        environment.filters["quoted"] = quoted
        parts = _MESSAGE.split(body)
        if parts[0].strip() or list(parts[1::2]) not in (["system", "user"], ["user"]):
            raise PromptError(f"prompt {name!r}: the template needs the line 'system:' and then the line 'user:'")
        try:
            self._parts = [
                (cast(Choice["system", "user"], kind), environment.from_string(text.strip()))
                for kind, text in zip(parts[1::2], parts[2::2], strict=True)
            ]
            used = jinja2.meta.find_undeclared_variables(environment.parse(body))
        except jinja2.TemplateSyntaxError as error:
            raise PromptError(f"prompt {name!r}, line {error.lineno} of the template: {error.message}") from error
        if unknown := sorted(used - set(front.inputs)):
            raise PromptError(
                f"prompt {name!r} uses {', '.join(unknown)}, which its 'inputs' do not name; "
                f"they name: {', '.join(sorted(front.inputs)) or 'none'}"
            )
        for number, example in enumerate(front.examples, 1):
            if "reply" not in example:
                raise PromptError(f"prompt {name!r}: example {number} has no 'reply'")
            self._check(example.keys() - {"reply"}, f"example {number} of prompt {name!r}")

    def render(self, inputs: Mapping[str, Any], examples: int | Sequence[Mapping[str, Any]] = 0) -> list[Message]:
        """Return the messages for some inputs, after so many of the prompt's examples at most, or after other ones.

        Raises:
            PromptError: An input is missing, or the template failed on one.
        """
        self._check(inputs.keys() & self.inputs.keys(), f"prompt {self.name!r}")  # a copy of earlier names fewer
        *instruction, user = self._parts
        messages = [Message(kind, self._fill(template, inputs)) for kind, template in instruction]
        for example in self.examples[:examples] if isinstance(examples, int) else examples:
            self._check(example.keys() - {"reply"}, f"an example of prompt {self.name!r}")
            reply = example["reply"]
            text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
            messages += [Message("user", self._fill(user[1], example)), Message("assistant", text)]
        return [*messages, Message(user[0], self._fill(user[1], inputs))]

    def shorter(self, inputs: Mapping[str, Any]) -> Iterator[list[Message]]:
        """Yield ever shorter messages for some inputs: without examples, then with half of each list of lines."""
        yield self.render(inputs)
        while lines := {name: one for name, one in inputs.items() if _are_lines(one)}:
            inputs = {**inputs, **{name: one[: len(one) // 2] for name, one in lines.items()}}
            yield self.render(inputs)

    def _check(self, given: Any, where: str) -> None:
        if missing := sorted(self.inputs.keys() - given):
            raise PromptError(f"{where}: the input {missing[0]!r} is missing")
        if unknown := sorted(given - self.inputs.keys()):
            raise PromptError(f"{where}: unknown input {unknown[0]!r}; known: {among(sorted(self.inputs), unknown[0])}")

    def _fill(self, template: jinja2.Template, inputs: Mapping[str, Any]) -> str:
        import jinja2

        try:
            return template.render(inputs).strip()
        except (jinja2.TemplateError, TypeError, AttributeError) as error:
            raise PromptError(f"prompt {self.name!r} cannot be rendered: {error}") from error


def _are_lines(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(one, str) for one in value)


def load_prompt(name: str | Path) -> Prompt:
    """Load a prompt by name or path.

    Raises:
        ResourceNotFound: There is no such prompt.
        PromptError: The file is malformed.
    """
    return _load(resources.find("prompts", name))


@lru_cache(maxsize=64)
def _load(path: Path) -> Prompt:
    match = _FRONT_MATTER.fullmatch(resources.read(path))
    if not match:
        raise PromptError(f"{str(path)!r} has no front matter: it starts with a line '---' and ends with another")
    try:
        front = validate(FrontMatter, load_yaml(match[1], str(path)), path)
    except ConfigError as error:
        raise PromptError(str(error)) from error
    return Prompt(path.stem, front, match[2])
