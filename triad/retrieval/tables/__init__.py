"""A graph as tables: a database that is induced from it, for questions that SQL says better than SPARQL.

Each class is a table whose rows are its things, each relation with one value a column. What has several values has a
table of its own. Nothing is lost: texts stay as they are, and numbers, units, dates and ranges that are read out of
them stand beside them. Every row knows its IRI.

`triad.retrieval.tables.induction` makes the database from a store, `triad.retrieval.tables.database` opens it and runs
guarded SQL. Both need the extra ``retrieval``.
"""
