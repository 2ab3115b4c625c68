-- name: macros
CREATE MACRO made.is_text(tag) AS tag = 'http://www.w3.org/2001/XMLSchema#string' OR tag[1] = '@';
-- Longer texts are descriptions.
CREATE MACRO made.may_be_name(text) AS length(text) <= 500;

-- name: telling
-- Relations of which most values are of one thing.
SELECT p FROM triple WHERE p IN $relations GROUP BY p HAVING 2 * approx_count_distinct(o) > count(*)

-- name: named
-- The names of each resource with what they count: by properties that are known, or by those of the graph's own.
SELECT hash(s, NULL::VARCHAR) AS id, weight + coalesce(language.rank, $plain) AS rank, o AS text, count(*) AS n
FROM triple JOIN made.weight USING (p) LEFT JOIN made.language USING (tag)
WHERE part = $part AND made.may_be_name(o) AND NOT starts_with(s, '_:')
    AND CASE $part WHEN 'name' THEN tag <> '<<' ELSE made.is_text(tag) END
GROUP BY ALL

-- name: described
-- The descriptions of each resource, of which the first two or three sentences are kept.
CREATE TABLE made.described AS
SELECT hash(s, NULL::VARCHAR) AS id, (weight + coalesce(language.rank, $plain)) * (1::BIGINT << 40) + triple.rowid AS place,
    o[:300] AS text
FROM triple JOIN made.weight USING (p) LEFT JOIN made.language USING (tag)
WHERE part = 'description' AND tag <> '<<' AND NOT starts_with(s, '_:')

-- name: typed
-- The classes of resources, the resources that have the names of others, and how often and where each occurs.
CREATE TABLE made.typed AS
    SELECT s, o, min(seen) AS seen FROM made.fact SEMI JOIN made.types USING (p) WHERE node GROUP BY s, o;
CREATE TABLE made.given AS
    SELECT s AS giver, o AS id, bool_or(redirects) AS redirects FROM made.fact JOIN made.givers USING (p)
    WHERE node GROUP BY s, o;
CREATE TABLE made.counted AS
    SELECT id, sum(triples)::BIGINT AS triples, sum(instances)::BIGINT AS instances, min(seen) AS seen FROM (
        SELECT s AS id, count(*) AS triples, 0 AS instances, 2 * min(seen) AS seen FROM made.fact GROUP BY s
        UNION ALL
        SELECT o, count(*), count(*) FILTER (types.p IS NOT NULL), 2 * min(seen) + 1
        FROM made.fact LEFT JOIN made.types USING (p) WHERE node GROUP BY o
    ) GROUP BY id;

-- name: given
-- Names that resources have from others; in the place of one that has no name stands its IRI, after a NUL.
CREATE TABLE made.gift AS
    SELECT given.id, rank, text, n FROM made.given ANTI JOIN made.redirecting USING (giver)
        JOIN made.named ON named.id = giver
    UNION ALL
    SELECT given.id, ${redirected} + row_number() OVER (PARTITION BY giver, given.id ORDER BY rank, text) - 1, text,
        1 FROM made.given SEMI JOIN made.redirecting USING (giver) JOIN made.named ON named.id = giver
    WHERE rank < ${alias}
    UNION ALL
    SELECT given.id, ${redirected}, chr(0) || value, 1 FROM made.given SEMI JOIN made.redirecting USING (giver)
        ANTI JOIN (SELECT id AS giver FROM made.named WHERE rank < ${alias}) AS named USING (giver)
        JOIN made.term ON term.id = giver;
CREATE TABLE made.gift_described AS
    SELECT given.id, place, text FROM made.given ANTI JOIN made.redirecting USING (giver)
        JOIN made.described ON described.id = giver;
INSERT INTO made.named SELECT * FROM made.gift;
INSERT INTO made.described SELECT * FROM made.gift_described;

-- name: things
-- All resources; ``place`` puts each into one of 64 parts, at random, but always alike.
CREATE OR REPLACE TABLE made.thing AS WITH thing AS (
    SELECT id, value AS iri, place, triples, instances, 0 AS links, seen FROM made.counted JOIN made.term USING (id)
    WHERE NOT blank
    UNION ALL
    SELECT hash(iri, NULL::VARCHAR), iri, crc32(iri)::UBIGINT << 32, 0, 0, n, ${far} FROM
        (SELECT iri, sum(n) AS n FROM link GROUP BY iri)
    UNION ALL
    SELECT hash(iri, NULL::VARCHAR), iri, crc32(iri)::UBIGINT << 32, 0, 0, 0, ${far} + 1 + id FROM made.relation
)
    SELECT id, any_value(iri) AS iri, any_value(place) >> 32 & 63 AS part, sum(triples)::BIGINT AS triples,
        sum(instances)::BIGINT AS instances, sum(links)::BIGINT AS links, min(seen) AS seen FROM thing GROUP BY id;

-- name: gathered
-- What is known of the resources of some parts, a table after the other, as each takes memory while it is made: lists
-- have no room in files.
CREATE OR REPLACE TABLE made.one AS SELECT * FROM made.thing WHERE part >= $first AND part < $last;
CREATE OR REPLACE TABLE made.naming AS
    SELECT id, list(DISTINCT lpad(rank::VARCHAR, ${digits}, '0') || text) AS names, sum(n)::BIGINT AS naming
    FROM made.named SEMI JOIN made.one USING (id) GROUP BY id;
CREATE OR REPLACE TABLE made.describing AS
    SELECT id, arg_min(text, place) AS description FROM made.described SEMI JOIN made.one USING (id) GROUP BY id;
CREATE OR REPLACE TABLE made.types_of AS
    SELECT s AS id, list(value ORDER BY seen) FILTER (NOT vocabulary) AS types,
        arg_min(kind, seen) FILTER (kind IS NOT NULL) AS declared
    FROM (SELECT * FROM made.typed SEMI JOIN made.one ON one.id = s) JOIN (
        SELECT id, value, kind, ${built_in} AS vocabulary
        FROM made.term LEFT JOIN made.declaration ON iri = value WHERE tag IS NULL AND NOT blank
    ) AS class ON class.id = o GROUP BY s;

-- name: entries
-- The resources of some parts, in an order that depends on nothing but the triples.
SELECT iri, triples, instances, links, names, coalesce(naming, 0), coalesce(description, ''), types, declared,
    giver IS NOT NULL
FROM made.one LEFT JOIN made.naming USING (id) LEFT JOIN made.describing USING (id) LEFT JOIN made.types_of USING (id)
    LEFT JOIN made.redirecting ON giver = id
ORDER BY part, seen, iri

-- name: sampled
-- Resources with their classes, the texts that may be their names and their IRIs, the first ones of each class, a hundred
-- at most: what most of a hundred have, most have.
WITH member AS (
    SELECT s AS id, value AS class, typed.seen FROM made.typed JOIN made.term ON term.id = o
    WHERE NOT blank AND NOT (${built_in})
),
thing AS (
    SELECT id, counted.seen, any_value(value) AS iri, list(class ORDER BY member.seen) AS classes, min(number) AS number
    FROM (
        SELECT member.*, row_number() OVER (PARTITION BY class ORDER BY counted.seen) AS number
        FROM member JOIN made.counted USING (id)
    ) AS member JOIN made.counted USING (id) JOIN made.term USING (id) WHERE NOT blank GROUP BY id, counted.seen
),
chosen AS (SELECT * FROM thing WHERE number <= 100 ORDER BY seen LIMIT 5000),
candidate AS (
    SELECT hash(s, NULL::VARCHAR) AS id, p, arg_max(o, triple.rowid) AS text FROM triple JOIN made.weight USING (p)
    WHERE part = 'candidate' AND made.may_be_name(o) AND made.is_text(tag) GROUP BY ALL
)
SELECT any_value(classes), bool_or(labelled.id IS NOT NULL), list(p) FILTER (p IS NOT NULL),
    list(text) FILTER (p IS NOT NULL), any_value(iri)
FROM chosen LEFT JOIN candidate USING (id)
    LEFT JOIN (SELECT DISTINCT id FROM made.named WHERE rank < ${alias}) AS labelled USING (id)
GROUP BY id ORDER BY any_value(seen)

-- name: texts
-- Texts that relations take as values, and that may be asked for: those as long as a long title at most.
SELECT p, o, count(*) FROM triple ANTI JOIN (SELECT p FROM made.weight WHERE part NOT IN ('candidate', 'of class'))
    AS weight USING (p)
WHERE tag <> '<<' AND length(o) <= 60
GROUP BY p, o HAVING bool_or(made.is_text(tag))
ORDER BY min(triple.rowid) FILTER (made.is_text(tag))
