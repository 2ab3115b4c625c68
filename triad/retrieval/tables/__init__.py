"""A graph as tables: a database that is induced from it, for questions that SQL says better than SPARQL.

Each class is a table whose rows are its things, each relation with one value a column. What has several values has a
table of its own. Nothing is lost: texts stay as they are, and numbers, units, dates and ranges that are read out of
them stand beside them. Every row knows its IRI.

`induce` makes the database from a store, `Tables` opens it and runs guarded SQL. Both need the extra ``retrieval``.
"""

from triad.retrieval.tables.database import Rows, Tables
from triad.retrieval.tables.edits import Edits, load_edits
from triad.retrieval.tables.induction import TablesReport, induce
from triad.retrieval.tables.schema import SqlColumn, SqlSchema, SqlTable

__all__ = ["Edits", "Rows", "SqlColumn", "SqlSchema", "SqlTable", "Tables", "TablesReport", "induce", "load_edits"]
