"""A conversation in a terminal.

On a terminal lines are edited, remembered and completed by prompt_toolkit, and steps are shown as they happen; a
question may have several lines, typed with Alt-Enter between them, or pasted. From a pipe each line is a question, and
what is said goes out plain. Ctrl-C stops a turn, or empties the line, and not the chat; Ctrl-D, "exit" and a good-bye
end it. A line with a slash in front is a command, which costs nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import InitVar, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.text import Text

from triad import resources
from triad.agent import Agent
from triad.cli import display
from triad.cli.graphs import input_lines
from triad.conversation import Conversation, Store, Turn
from triad.conversation.replies import FULL, meanings
from triad.conversation.store import as_json, as_markdown, as_notebook
from triad.errors import ConfigError, TriadError
from triad.explain import cost
from triad.language.pack import load_pack
from triad.text import clean, one_line

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyBindings

    from triad.trace import Step

ROWS: Final = 30
"""Rows of a table that are shown at once, a screen of them; ``/more`` shows as many again, ``/table`` all of them."""

_ENDS: Final = ("exit", "quit")  # what ends a chat, as in other programs; a good-bye does, too
_OTHERS: Final = 5  # things of a list that are named
_PAIRS: Final = 5  # rows of several values that read well in a sentence


class _End(Exception):
    """The chat is over."""


@dataclass(frozen=True, slots=True)
class Command:
    """What a line with a slash in front does."""

    run: Callable[[Chat, str], None]
    about: str
    takes: str = ""
    """What may follow it, as the help shows it."""


@dataclass(eq=False)
class Chat:
    """A chat on a console.

    It goes on with a conversation that is named by id or title. Without a store, none is kept; without a history, the
    lines that were typed are forgotten.

    Raises:
        ConfigError: The conversation to go on with is not there.
    """

    agent: Agent
    store: Store | None = None
    resume: InitVar[str | None] = None
    sentence: bool = False
    history: Path | None = None

    def __post_init__(self, resume: str | None) -> None:
        self.out = display.data_console()
        self.log = display.log_console()
        self.steps = False
        self._shown = 0  # rows of the last answer that were shown
        self._next: list[str] = []  # the questions that ``/next`` showed; a number asks one
        self.conversation = self._open(resume)

    def _open(self, id: str | None = None) -> Conversation:
        return Conversation(self.agent, store=self.store, id=id, sentence=self.sentence)

    # The loop

    def run(self) -> bool:
        """Chat until the lines end; returns whether every line was dealt with."""
        piped = not sys.stdin.isatty()
        well = True
        if not piped:
            self._greet()
        for line in input_lines() if piped else self._typed():
            if piped and not line.startswith("/"):
                display.show_text(self.out, f"# {clean(line)}")
            try:
                self._line(line)
            except _End:
                break
            except TriadError as error:
                well = False
                self._tell(f"triad: {error}", "red")
            except KeyboardInterrupt:
                if piped:
                    raise
                self._tell("stopped; the conversation is as it was before")
            if piped:
                display.show_text(self.out, "")
        return well

    def _line(self, line: str) -> None:
        if line.lower().lstrip("/") in _ENDS:
            raise _End
        if not line.startswith("/"):
            shown, self._next = self._next, []
            self._ask(shown[int(line) - 1] if line.isdecimal() and 0 < int(line) <= len(shown) else line)
            return
        name, _, rest = line[1:].partition(" ")
        fits = [one for one in COMMANDS if one.startswith(name.lower())] if name else []
        if name.lower() in COMMANDS:
            fits = [name.lower()]
        if len(fits) != 1:
            known = ", ".join(f"/{one}" for one in fits or COMMANDS)
            raise ConfigError(f"{'which' if fits else 'no'} command is {line.split()[0]!r}; known: {known}")
        COMMANDS[fits[0]].run(self, rest.strip())

    def _typed(self) -> Iterator[str]:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
        from prompt_toolkit.history import FileHistory, InMemoryHistory

        if self.history:
            resources.private(self.history)
        session: PromptSession[str] = PromptSession(
            history=FileHistory(str(self.history)) if self.history else InMemoryHistory(),
            auto_suggest=AutoSuggestFromHistory(),
            completer=_completer(self),
            complete_while_typing=False,
            multiline=True,
            key_bindings=_enter_asks(),
            prompt_continuation="  ",
        )
        while True:
            try:
                line = session.prompt("> ").strip()
            except KeyboardInterrupt:
                continue
            except EOFError:
                return
            if line:
                yield line

    def _greet(self) -> None:
        resumed = len(self.conversation.turns)
        about = f"{resumed} turns so far" if resumed else "ask a question"
        self._tell(f"{self.agent.graph.name}: {about}; /help lists the commands, Ctrl-D ends")
        for turn in self.conversation.turns[-2:]:
            self.out.print(Text(f"> {clean(turn.question)}", "dim"))
            self.out.print(Text(clean(turn.reply), "dim"))

    def _tell(self, message: str, style: str = "dim") -> None:
        self.log.print(Text(clean(message), style))

    # A turn

    def _ask(self, text: str) -> None:
        with self.log.status("understanding the question") as status:

            def on_step(step: Step) -> None:
                status.update(f"{step.phase}: {step.action} done")
                if self.steps:
                    display.show_step(self.log, step)

            turn = self.conversation.ask(text, on_step)
        self.show(turn, self.conversation.turns[-2:-1])
        if turn.kind == "social" and turn.reply == load_pack(turn.language).replies["farewell"]:
            raise _End

    def show(self, turn: Turn, before: Sequence[Turn] = ()) -> None:
        """Show what a turn gave: the reply, and a table where it says only a part of what is new."""
        if turn.dependent and turn.kind == "question":
            others = "".join(f", {one_line(one.label)}" for one in turn.each[1:_OTHERS])
            more = f" and {len(turn.each) - _OTHERS:,} more" if len(turn.each) > _OTHERS else ""
            self._tell(
                f"understood as: {one_line(turn.standalone)}" + (f" (and so for{others[1:]}{more})" if others else "")
            )
        seen = {earlier.answer.query for earlier in before if earlier.answer}
        # a reply says only a part of a long answer, and rows of several values read better as a table
        most = FULL if turn.answer and len(turn.answer.variables) == 1 else _PAIRS
        is_table = turn.answer is not None and turn.answer.query not in seen and len(turn.answer.rows) > most
        if not is_table or turn.unknown or self.sentence:  # else the table says it
            self.out.print(Text(clean(turn.reply), "bold" if turn.kind != "follow_up" else ""))
        if turn.answer is not None and turn.unknown is None and (liberties := display.liberties(turn.answer)):
            self._tell(f"read so: {', '.join(liberties)}")
        if turn.answer is None or turn.answer.query not in seen:
            for line in meanings(load_pack(turn.language), turn.told_readings):
                self._tell(line)
        self._shown = 0
        if is_table:
            self._table(turn, ROWS)
        if turn.answer is not None and turn.usage.calls:
            self._tell(", ".join([*cost(turn.usage), f"{turn.seconds:.2f} s"]))

    def _table(self, turn: Turn, rows: int | None, after: int = 0) -> None:
        if (answer := turn.answer) is None or not answer.rows:
            raise ConfigError("the last answer has no values to list")
        shown = answer.rows[after:][:rows]
        self._shown = after + len(shown)
        cells = [[Text(one_line(value.shown)) if value else Text() for value in row] for row in shown]
        display.show_table(self.out, answer.headers, cells)
        if more := len(answer.rows) - self._shown:
            self._tell(f"and {more:,} more: /more shows the next, /table all")

    # Commands

    def last(self) -> Turn:
        """Return the last turn with an answer; a `ConfigError` says that there is none."""
        for turn in reversed(self.conversation.turns):
            if turn.answer is not None:
                return turn
        raise ConfigError("there is no answer yet; ask a question first")

    def _help(self, _: str) -> None:
        rows = [(f"/{name} {one.takes}".strip(), one.about) for name, one in COMMANDS.items()]
        display.show_table(self.out, ("command", "does"), rows)

    def _query(self, _: str) -> None:
        if (answer := self.last().answer) is None or not answer.query:
            raise ConfigError("the last answer does not come from a query")
        display.show_query(self.out, answer.query)

    def _why(self, _: str) -> None:
        told = next((one for turn in reversed(self.conversation.turns) if (one := turn.unknown or turn.answer)), None)
        if told is None:
            raise ConfigError("there is no answer yet; ask a question first")
        display.show_text(self.out, told.explain())

    def _invited(self, _: str) -> None:
        answer = self.last().answer
        self._next = [one.question for one in self.agent.next_questions(answer)] if answer else []
        if not self._next:
            raise ConfigError("nothing is known that the last answer invites to ask")
        for number, question in enumerate(self._next, 1):
            self.out.print(Text(f"{number}  {one_line(question)}"))

    def _more(self, _: str) -> None:
        turn = self.last()
        if self._shown and turn.answer is not None and self._shown >= len(turn.answer.rows):
            raise ConfigError("all values of the last answer were shown")
        self._table(turn, ROWS, self._shown)

    def _toggle_steps(self, _: str) -> None:
        self.steps = not self.steps
        self._tell(f"steps are {'shown' if self.steps else 'not shown'} from now on")

    def _list(self, _: str) -> None:
        rows = [(one.id, one.title, str(one.turns), one.updated[:16].replace("T", " ")) for one in self._kept().list()]
        display.show_table(self.out, ("id", "title", "turns", "last turn, UTC"), rows)

    def _resume(self, name: str) -> None:
        self.conversation = self._open(self._kept().find(name).id)
        self._greet()

    def _new(self, _: str) -> None:
        self.conversation = self._open()
        self._tell("a new conversation")

    def _rename(self, title: str) -> None:
        self._kept().rename(self._id(), title)

    def _delete(self, name: str) -> None:
        store = self._kept()
        id = store.find(name).id if name else self._id()
        store.delete(id)
        self._tell(f"{id} is deleted")
        if id == self.conversation.id:
            self._new("")

    def _export(self, file: str) -> None:
        path = resources.from_home(file)
        if (rendered := {".json": as_json, ".md": as_markdown, ".ipynb": as_notebook}.get(path.suffix)) is None:
            raise ConfigError(f"name a file that ends in .json, .md or .ipynb, not {file!r}")
        stored = self._kept().find(self._id())
        resources.write(path, rendered(stored, self._kept().turns(stored.id)))
        self._tell(f"written: {path}")

    def _end(self, _: str) -> None:
        raise _End

    def _kept(self) -> Store:
        if self.store is None:
            raise ConfigError("conversations are not kept in this chat; begin one without --forget")
        return self.store

    def _id(self) -> str:
        if self.conversation.id is None:
            raise ConfigError("this conversation has no turns yet")
        return self.conversation.id


COMMANDS: Final[dict[str, Command]] = {
    "help": Command(Chat._help, "lists the commands"),
    "query": Command(Chat._query, "shows the query of the last answer"),
    "why": Command(Chat._why, "tells how the last answer came about"),
    "next": Command(Chat._invited, "shows what may be asked next; a number asks it"),
    "table": Command(lambda chat, _: chat._table(chat.last(), None), "shows all values of the last answer"),
    "more": Command(Chat._more, "shows the next values of the last answer"),
    "steps": Command(Chat._toggle_steps, "shows each step as it happens, or no longer"),
    "list": Command(Chat._list, "lists the conversations that are kept"),
    "resume": Command(Chat._resume, "goes on with another conversation", "ID or TITLE"),
    "new": Command(Chat._new, "begins another conversation"),
    "rename": Command(Chat._rename, "calls this conversation something else", "TITLE"),
    "delete": Command(Chat._delete, "deletes a conversation; by default this one", "[ID or TITLE]"),
    "export": Command(Chat._export, "writes this conversation to a file", "FILE.md, .json or .ipynb"),
    "quit": Command(Chat._end, "ends the chat"),
}
"""The commands by name; the beginning of a name will do."""


def _enter_asks() -> KeyBindings:
    """Return the keys of a line: Enter asks, Alt-Enter begins another line of the question."""
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys


def _completer(chat: Chat) -> Completer:
    """Return what completes commands, and the ids that some of them take."""
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion

    class Commands(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
            line = document.text_before_cursor
            name, space, rest = line.partition(" ")
            if not line.startswith("/"):
                return
            if not space:
                for one, command in COMMANDS.items():
                    if f"/{one}".startswith(name):
                        yield Completion(f"/{one}", -len(name), display_meta=command.about)
            elif name in ("/resume", "/delete") and chat.store is not None:
                for kept in chat.store.list():
                    if kept.id.startswith(rest):
                        yield Completion(kept.id, -len(rest), display_meta=kept.title)

    return Commands()
