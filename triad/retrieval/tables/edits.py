"""What a user changes of the tables that a graph induces: a YAML file renames, comments and leaves out.

    tables:
      EBike:
        name: bike
        comment: electric bicycles of all model years
        columns:
          weight_kg: {name: weight, comment: without battery}
          description: {leave_out: true}
      Colour: {leave_out: true}

Tables and columns are named as `triad tables show` names them without the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from triad import resources
from triad.errors import ConfigError
from triad.naming import among
from triad.retrieval.tables.schema import SqlColumn, SqlTable
from triad.strict import Strict, load_yaml, validate


class ColumnEdit(Strict):
    """What is changed of a column."""

    name: str | None = None
    comment: str | None = None
    leave_out: bool = False


class TableEdit(ColumnEdit):
    """What is changed of a table."""

    columns: dict[str, ColumnEdit] = {}  # noqa: RUF012


class Edits(Strict):
    """What is changed of the tables of a graph."""

    tables: dict[str, TableEdit] = {}  # noqa: RUF012

    def apply(self, drafts: Sequence[TableDraft]) -> list[TableDraft]:
        """Return drafts of tables as they are after the changes.

        Raises:
            ConfigError: There is no such table or column, a key is left out, or two come to have one name.
        """
        _check("table", self.tables, [draft.table.name for draft in drafts])
        names = {draft.table.name: (self.tables.get(draft.table.name) or TableEdit()) for draft in drafts}
        links = {old: "" if edit.leave_out else edit.name or old for old, edit in names.items()}
        kept = [draft.edited(names[draft.table.name], links) for draft in drafts if links[draft.table.name]]
        _check_twice("tables", [draft.table.name for draft in kept])
        return kept


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A table that is to be made."""

    table: SqlTable
    selected: tuple[str, ...]
    """For each column, the expression that gives its values."""
    source: str
    """What follows FROM."""
    pieces: int = 1
    """In how many pieces it is made, so that it fits into memory; ``source`` has ``{piece}`` where they differ."""

    def edited(self, edit: TableEdit, links: dict[str, str]) -> TableDraft:
        """Return the draft after a change; references follow tables to their new names."""
        table = self.table
        _check(f"column of {table.name!r}", edit.columns, [column.name for column in table.columns])
        columns: list[SqlColumn] = []
        selected: list[str] = []
        for column, sql in zip(table.columns, self.selected, strict=True):
            change = edit.columns.get(column.name) or ColumnEdit()
            if change.leave_out and column.name in ("id", "source_id", "target_id"):
                raise ConfigError(f"the column {column.name!r} of {table.name!r} is a key and cannot be left out")
            if change.leave_out:
                continue
            columns.append(
                replace(
                    column,
                    name=change.name or column.name,
                    comment=column.comment if change.comment is None else change.comment,
                    references=links.get(column.references, ""),
                )
            )
            selected.append(sql)
        _check_twice(f"columns of {table.name!r}", [column.name for column in columns])
        comment = table.comment if edit.comment is None else edit.comment
        renamed = replace(table, name=links[table.name], comment=comment, columns=tuple(columns))
        return replace(self, table=renamed, selected=tuple(selected))


def load_edits(path: str | Path) -> Edits:
    """Read the file of changes.

    Raises:
        ConfigError: It cannot be read, or has an unknown key.
    """
    return validate(Edits, load_yaml(resources.read(Path(path)), str(path)), path)


def _check(what: str, named: Iterable[str], known: Sequence[str]) -> None:
    for name in named:
        if name not in known:
            raise ConfigError(f"there is no {what} called {name!r}; known: {among(sorted(known), name)}")


def _check_twice(what: str, names: Sequence[str]) -> None:
    folded = [name.casefold() for name in names]
    for at, name in enumerate(names):
        if folded[at] in folded[:at]:
            raise ConfigError(f"two {what} would be called {name!r}")
