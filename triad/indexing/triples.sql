-- name: tables
-- Triples as text: resources by their IRIs, blank nodes as ``_:`` and their names, with a tag for literals only,
-- which is the datatype or ``@`` and the language; an object that is a triple has the tag ``<<``. Then what is told
-- of links and relations beside the triples, and the note.
CREATE TABLE IF NOT EXISTS triple (s VARCHAR, p VARCHAR, o VARCHAR, tag VARCHAR, g VARCHAR);
CREATE TABLE IF NOT EXISTS link (iri VARCHAR, n BIGINT);
CREATE TABLE IF NOT EXISTS uses (p VARCHAR, n BIGINT);
CREATE TABLE IF NOT EXISTS note (state VARCHAR);

-- name: foreign
-- An error where there is what somebody else may have put into the file. What names a catalogue is DuckDB's own.
SELECT system.main.error('it has functions, views or tables that no build makes') FROM (
    SELECT 1 FROM system.main.duckdb_functions() WHERE NOT internal
    UNION ALL SELECT 1 FROM system.main.duckdb_views() WHERE NOT internal
    UNION ALL SELECT 1 FROM system.main.duckdb_tables() WHERE table_name NOT IN ('triple', 'link', 'uses', 'note', 'stated')
);

-- name: taken
-- Triples of lines of N-Quads, in which control characters and spaces in literals and IRIs are escaped; the escapes
-- are among those of JSON. The parser allows statements of 16 MiB.
WITH line AS (
    SELECT split_part(line, ' ', 1) AS s, split_part(line, ' ', 2) AS p,
        line[length(split_part(line, ' ', 1)) + length(split_part(line, ' ', 2)) + 3 : -3] AS rest
    FROM read_csv(?, columns = {'line': 'VARCHAR'}, delim = chr(1), quote = '', escape = '', header = false,
        auto_detect = false, new_line = '\n', max_line_size = (16 << 20) + 1024)
),
split AS (
    SELECT s, p, rest, CASE
        WHEN rest[-1] = '"' THEN ''
        WHEN rest[1:2] = '<<' THEN regexp_extract(rest, '[)]>> (\S+)$', 1)
        WHEN rest[1] = '"' THEN regexp_extract(rest, ' ([^ "]+)$', 1)
        ELSE split_part(rest, ' ', 2) END AS g
    FROM line
),
ended AS (SELECT s, p, g, CASE g WHEN '' THEN rest ELSE rest[: length(rest) - length(g) - 1] END AS o FROM split),
tagged AS (
    SELECT *, CASE WHEN o[1] = '"' AND o[-1] <> '"' THEN regexp_extract(o, '"([^"]*)$', 1) ELSE '' END AS tag
    FROM ended
),
valued AS (
    SELECT s, p, g, o, tag, CASE WHEN o[1] = '"' THEN o[2 : length(o) - length(tag) - 1] END AS text FROM tagged
)
SELECT
    CASE s[1] WHEN '<' THEN s[2:-2] ELSE s END AS s,
    p[2:-2] AS p,
    CASE WHEN o[1:2] = '<<' THEN o WHEN o[1] = '<' THEN o[2:-2] WHEN text IS NULL THEN o
        WHEN contains(text, '\') THEN json_extract_string('"' || text || '"', '$') ELSE text END AS o,
    CASE WHEN o[1:2] = '<<' THEN '<<' WHEN text IS NULL THEN NULL WHEN tag = '' THEN 'http://www.w3.org/2001/XMLSchema#string'
        WHEN tag[1] = '@' THEN split_part(tag, '--', 1) ELSE tag[4:-2] END AS tag,
    CASE g[1] WHEN '<' THEN g[2:-2] ELSE g END AS g
FROM valued

-- name: relations
SELECT p, sum(n)::BIGINT, min(seen) FROM (
    SELECT p, count(*) AS n, min(rowid) AS seen FROM triple GROUP BY p UNION ALL SELECT p, n, ? FROM uses
) GROUP BY p ORDER BY 3, 1

-- name: numbered
-- Numbers in place of texts. A term's number is a hash of 64 bits, of which two of a hundred million are alike once
-- in three thousand graphs. ``place`` orders terms at random, but always alike: by their checksums, then by their
-- tags.
CREATE TABLE made.fact AS
    SELECT triple.rowid AS seen, hash(s, NULL::VARCHAR) AS s, relation.id AS p, hash(o, tag) AS o, tag IS NULL AS node
    FROM triple JOIN made.relation ON iri = p;
CREATE TABLE made.tag AS
    SELECT tag, row_number() OVER (ORDER BY tag) AS number FROM (SELECT DISTINCT tag FROM triple WHERE tag IS NOT NULL);
CREATE TABLE made.term AS
    SELECT id, value, tag, tag IS NULL AND starts_with(value, '_:') AS blank,
        (crc32(value)::UBIGINT << 32) | (least(coalesce(number, 0), 65535)::UBIGINT << 16) | (id & 65535) AS place
    FROM (SELECT id, any_value(value) AS value, any_value(tag) AS tag FROM (
        SELECT hash(s, NULL::VARCHAR) AS id, s AS value, NULL::VARCHAR AS tag FROM triple
        UNION ALL
        SELECT hash(o, tag), CASE WHEN tag IS NOT NULL AND length(o) > ${kept} THEN o[:${kept}] || '…' ELSE o END, tag
        FROM triple WHERE tag IS DISTINCT FROM '<<'
    ) GROUP BY id) LEFT JOIN made.tag USING (tag);
