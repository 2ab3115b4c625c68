-- name: literals
SELECT DISTINCT p FROM triple WHERE literal ORDER BY p

-- name: led
SELECT p, k, count(*) FROM triple LEFT JOIN kind ON kind.s = o WHERE NOT literal GROUP BY p, k ORDER BY p, k

-- name: fact
CREATE TABLE fact AS
    SELECT t.s, own.k, t.o, t.d, t.lang, route.part FROM triple t
    JOIN kind own ON own.s = t.s LEFT JOIN kind ON kind.s = t.o AND NOT t.literal
    JOIN route ON route.p = t.p AND route.way = CASE WHEN t.literal THEN -1 ELSE coalesce(kind.k, -2) END

-- name: stub
-- What links lead to and what has no triples of its own.
CREATE TABLE stub AS
    SELECT DISTINCT o AS s FROM fact
    WHERE part IN (SELECT unnest($1::INTEGER[])) AND NOT EXISTS (SELECT 1 FROM kind WHERE kind.s = fact.o)

-- name: fan
CREATE TABLE fan AS SELECT part, k, s, count(*) AS n FROM fact GROUP BY part, k, s

-- name: counts
SELECT part, sum(n)::BIGINT, count(*), max(n) FROM fan GROUP BY part

-- name: subjects
SELECT part, c, count(*) FROM fan JOIN kind_class USING (k) GROUP BY part, c ORDER BY part, c
