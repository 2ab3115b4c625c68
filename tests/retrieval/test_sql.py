"""Hostile SQL: what the guard refuses, and what stops a query that it lets pass."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.retrieval.evidence_world import made_tables
from triad.errors import GraphError, QueryRejected, QuerySyntaxError, QueryTimeout, TriadError
from triad.retrieval.sql import SafeSql, check
from triad.retrieval.tables.database import SqlLimits, Tables

TABLES = ("Car", "Maker", "car tag")

ALLOWED = [
    "SELECT * FROM Car",
    'SELECT "label" FROM "car tag" t WHERE t.id IN (SELECT id FROM maker)',
    "WITH a AS (SELECT id FROM car), b AS (SELECT * FROM a) SELECT count(*) FROM b",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r",
    "WITH RECURSIVE a AS (SELECT 1 AS n), r AS (FROM a UNION (SELECT n + 1 FROM r, a WHERE n < 5)) SELECT * FROM r",
    "WITH a AS (WITH b AS (FROM car) SELECT * FROM b UNION SELECT * FROM b) SELECT (SELECT max(id) FROM a) FROM maker",
    "SELECT label, row_number() OVER (PARTITION BY maker ORDER BY price) FROM car QUALIFY row_number() OVER () < 3",
    "SELECT maker, avg(price), median(price), quantile_cont(price, 0.9), string_agg(label, ', ') FROM car GROUP BY ALL",
    "SELECT * FROM car UNION ALL BY NAME SELECT * FROM maker",
    "SELECT * FROM range(10)",
    "SELECT unnest([1, 2, 3])",
    "SELECT regexp_extract(label, '[0-9]+'), strftime(built, '%Y'), date_diff('day', a, b), list_sort([2, 1]) FROM car",
    "FROM car SELECT label LIMIT 5",
    "SELECT 'DROP TABLE car; ATTACH ''x''' AS text",
]

REFUSED = [
    "INSERT INTO car VALUES (1)",
    "UPDATE car SET price = 0",
    "DELETE FROM car",
    "DROP TABLE car",
    "CREATE TABLE x AS SELECT 1",
    "CREATE MACRO f(x) AS x",
    "ALTER TABLE car RENAME TO x",
    "TRUNCATE car",
    "ATTACH 'other.duckdb'",
    "DETACH made",
    "USE other",
    "COPY car TO 'out.csv'",
    "COPY (SELECT * FROM car) TO 'out.csv'",
    "EXPORT DATABASE 'out'",
    "IMPORT DATABASE 'out'",
    "PRAGMA database_list",
    "SET threads = 64",
    "RESET threads",
    "SET enable_external_access = true",
    "INSTALL httpfs",
    "LOAD httpfs",
    "CALL pragma_version()",
    "CHECKPOINT",
    "VACUUM",
    "BEGIN TRANSACTION",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "DESCRIBE car",
    "SHOW TABLES",
    "SUMMARIZE car",
    "EXPLAIN ANALYZE SELECT * FROM car",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE car",
    "SELECT * FROM 'secret.csv'",
    "SELECT * FROM 'https://example.org/x.parquet'",
    'SELECT * FROM "/etc/passwd"',
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_csv_auto('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/etc/passwd')",
    "SELECT * FROM read_json('x')",
    "SELECT * FROM read_parquet('x')",
    "SELECT * FROM parquet_scan('x')",
    "SELECT * FROM parquet_metadata('x')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM car, LATERAL read_text('/etc/passwd')",
    "SELECT (SELECT content FROM read_text('/etc/passwd'))",
    "WITH a AS (SELECT * FROM read_text('/etc/passwd')) SELECT * FROM a",
    "SELECT * FROM car WHERE id IN (SELECT filename FROM read_blob('/*'))",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_secrets()",
    "SELECT * FROM pragma_table_info('car')",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM duckdb_tables",
    "SELECT * FROM main.car",
    "SELECT * FROM other.main.car",
    "SELECT getenv('HOME')",
    "SELECT current_setting('memory_limit')",
    "SELECT getvariable('x')",
    "SELECT nextval('x')",
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM query_table('car')",
    "SELECT json_execute_serialized_sql('x')",
    "SELECT main.getenv('HOME')",
    "SELECT system.main.getenv('HOME')",
    "SELECT write_log('x')",
    "SELECT load_extension('x')",
    "SELECT * FROM car WHERE id = $1",
    "SELECT * FROM car WHERE id = ?",
    "SELECT * FROM car USING SAMPLE 1",
    "SELECT * FROM car TABLESAMPLE 10%",
    "SELECT * INTO x FROM car",
    "WITH x AS (DELETE FROM car RETURNING *) SELECT * FROM x",
    "SELECT * FROM no_such_table",
    "SELECT * FROM (SELECT 1) a, (WITH hidden AS (SELECT 1) SELECT * FROM hidden) b, hidden",
    "WITH hidden AS (SELECT * FROM hidden) SELECT * FROM hidden",
    "WITH a AS (SELECT * FROM hidden), hidden AS (SELECT 1) SELECT * FROM a",
    "WITH hidden AS (SELECT 1 UNION ALL SELECT n FROM hidden) SELECT * FROM hidden",
    "WITH RECURSIVE hidden AS (SELECT * FROM hidden) SELECT * FROM hidden",
    "WITH RECURSIVE hidden AS (SELECT n FROM hidden UNION ALL SELECT 1) SELECT * FROM hidden",
    "WITH RECURSIVE hidden AS (SELECT 1 AS n UNION ALL BY NAME SELECT n FROM hidden) SELECT * FROM hidden",
    "WITH RECURSIVE hidden AS (SELECT 1 EXCEPT SELECT n FROM hidden) SELECT * FROM hidden",
]

BROKEN = [
    "",
    "   ",
    "-- nothing",
    "SELEC 1",
    "SELECT FROM WHERE",
    "SELECT (1",
    "\x00",
    "'",
    "SELECT '",
    "/*",
    "SELECT " * 40,
    "SELECT '\udcff' FROM Bike",
]


@pytest.mark.parametrize("query", ALLOWED)
def test_queries_that_only_read_tables_pass(query: str) -> None:
    safe = check(query, TABLES)
    assert check(safe, TABLES) == safe


@pytest.mark.parametrize("query", REFUSED)
def test_all_else_is_refused(query: str) -> None:
    with pytest.raises((QueryRejected, QuerySyntaxError)) as caught:
        check(query, TABLES)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("query", BROKEN)
def test_what_is_no_sql_is_told(query: str) -> None:
    with pytest.raises((QuerySyntaxError, QueryRejected)):
        check(query, TABLES)


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    "query",
    [
        "SELECT " + "(" * 5000 + "1" + ")" * 5000,
        "SELECT " + "[" * 500 + "]" * 500,
        "SELECT " + "-" * 5000 + "1",
        "SELECT " + "NOT " * 3000 + "true",
        "SELECT " + "1 + " * 4000 + "1",
        "SELECT 1 " + "UNION ALL SELECT 1 " * 1000,
        "SELECT " + "CASE WHEN true THEN " * 500 + "1" + " END" * 500,
        "SELECT '" + "x" * 50_000 + "'",
    ],
)
def test_a_query_that_is_too_long_or_too_deep_ends_soon(query: str) -> None:
    with contextlib.suppress(QuerySyntaxError, QueryRejected):
        check(query, TABLES)


def test_messages_say_what_is_allowed() -> None:
    with pytest.raises(QueryRejected, match="COPY is not allowed: queries can only read; allowed is one SELECT"):
        check("COPY car TO 'x'", TABLES)
    with pytest.raises(QueryRejected, match="there is no table 'cars'; there are: Car, Maker, car tag"):
        check("SELECT * FROM cars", TABLES)
    with pytest.raises(QueryRejected, match="'read_text' is not allowed as a table; generate_series, range"):
        check("SELECT * FROM read_text('x')", TABLES)


@pytest.mark.parametrize(
    ("query", "limit"),
    [
        ("SELECT * FROM car", 11),
        ("SELECT * FROM car LIMIT 5", 5),
        ("SELECT * FROM car LIMIT 500", 11),
        ("SELECT * FROM car LIMIT (SELECT 500)", 11),
        ("SELECT id FROM car UNION SELECT id FROM maker", 11),
    ],
)
def test_rows_are_limited(query: str, limit: int) -> None:
    assert check(query, TABLES, row_limit=10).endswith(f"LIMIT {limit}")


@pytest.mark.slow
def test_mutated_queries_are_refused_or_read_only(bikes: Path) -> None:
    """Pieces of hostile and of harmless queries, put together by chance, never change or read what they may not."""
    chance = random.Random(16)
    pieces = [piece for query in (*ALLOWED, *REFUSED) for piece in query.split()]
    before = (bikes / "tables" / "data.duckdb").read_bytes()
    with Tables(bikes, SqlLimits(seconds=2, rows=10, memory=256 << 20)) as tables:
        passed = 0
        for _ in range(400):
            query = chance.choice([*ALLOWED, *REFUSED]).split()
            for _ in range(chance.randint(1, 3)):
                query[chance.randrange(len(query))] = chance.choice(pieces)
            try:
                found = tables.query(" ".join(query))
            except TriadError:
                continue
            passed += 1
            assert len(found.rows) <= 10
            assert "root:" not in str(found.rows)
        assert passed
    assert (bikes / "tables" / "data.duckdb").read_bytes() == before


# What the database itself refuses, should the guard let something pass ------------------------------------


@pytest.fixture(scope="module")
def bikes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import pyoxigraph

    folder = tmp_path_factory.mktemp("bikes")
    store = pyoxigraph.Store()
    turtle = "@prefix : <http://example.org/> . :a a :Car ; :price 5 ; :maker :m . :m a :Maker ."
    store.load(input=turtle, format=pyoxigraph.RdfFormat.TURTLE)
    made_tables(store, folder)
    return folder


@pytest.fixture(scope="module")
def tables(bikes: Path) -> Iterator[Tables]:
    with Tables(bikes) as tables:
        yield tables


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/*')",
        "COPY Car TO '/tmp/out.csv'",
        "ATTACH '/tmp/other.duckdb'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET memory_limit = '64GB'",
        "INSERT INTO Car VALUES ('x')",
        "DROP TABLE Car",
    ],
)
def test_the_database_is_closed_to_all_else(tables: Tables, query: str) -> None:
    with pytest.raises(GraphError):
        tables.run(SafeSql(query))
    assert tables.query("SELECT price FROM Car").rows == ((5,),)


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM range(100000000000) a(x) WHERE x % 7 = 3",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
        "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c",
    ],
)
def test_a_query_that_takes_too_long_is_stopped(bikes: Path, query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Tables(bikes, SqlLimits(seconds=0.5)) as tables:
        with pytest.raises(QueryTimeout, match=r"did not finish in 0\.5 seconds"):
            tables.query(query)
        monkeypatch.setattr(tables, "_limits", SqlLimits())
        assert tables.query("SELECT price FROM Car").rows == ((5,),)


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "SELECT repeat('x', 100000000) FROM range(100)",
        "SELECT list(x) FROM range(1000000000) a(x)",
        "SELECT replace(replace(repeat('a', 10000), 'a', repeat('b', 1000)), 'b', repeat('c', 1000)) FROM range(100)",
    ],
)
def test_a_query_that_takes_too_much_memory_is_stopped(bikes: Path, query: str) -> None:
    with Tables(bikes, SqlLimits(seconds=5, memory=128 << 20)) as tables:
        with pytest.raises(GraphError):
            tables.query(query)
        assert tables.query("SELECT price FROM Car").rows == ((5,),)


@pytest.mark.slow
def test_rows_and_their_size_are_capped(bikes: Path) -> None:
    with Tables(bikes, SqlLimits(rows=10)) as tables:
        found = tables.query("SELECT * FROM range(100)")
        assert (len(found.rows), found.truncated) == (10, True)
        assert not tables.query("SELECT * FROM range(10)").truncated
    with Tables(bikes, SqlLimits(size=2000)) as tables:
        found = tables.query("SELECT repeat('x', 500) FROM range(100)")
        assert (len(found.rows), found.truncated) == (4, True)


@pytest.mark.slow(0.2)
def test_a_column_that_there_is_not_is_named(bikes: Path) -> None:
    with Tables(bikes) as tables, pytest.raises(QuerySyntaxError, match='"prise" not found'):
        tables.query("SELECT prise FROM Car")
