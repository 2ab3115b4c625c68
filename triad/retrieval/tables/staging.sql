-- name: numbered
-- Triples with numbers for relations and datatypes, by their order in the graph; a blank node gets an IRI, and a
-- statement about a triple is named by its text.
ALTER TABLE triple RENAME TO said;
CREATE TABLE relation AS
    SELECT p AS iri, (row_number() OVER (ORDER BY min(rowid)) - 1)::INTEGER AS p FROM said GROUP BY said.p;
CREATE TABLE datatype AS
    SELECT tag AS iri, row_number() OVER (ORDER BY min(rowid))::INTEGER AS d FROM said
    WHERE tag NOT IN ('<<', '${string}') AND tag[1] <> '@' GROUP BY tag
    UNION ALL SELECT '${string}', 0;
CREATE MACRO iri_of(node) AS CASE WHEN starts_with(node, '_:') THEN '${blank}' || node[3:] ELSE node END;
CREATE TABLE triple AS
    SELECT DISTINCT iri_of(s) AS s, relation.p,
        CASE WHEN tag IS NULL THEN iri_of(o) WHEN tag = '<<' THEN o[5:-5] ELSE o END AS o,
        coalesce(tag <> '<<', false) AS literal, coalesce(d, 0) AS d, CASE WHEN tag[1] = '@' THEN tag[2:] END AS lang
    FROM said JOIN relation ON relation.iri = said.p LEFT JOIN datatype ON datatype.iri = tag;
DROP TABLE said;

-- name: classes
SELECT o FROM triple WHERE p IN (SELECT p FROM typed) AND NOT literal GROUP BY o ORDER BY count(*) DESC, o

-- name: kinds
-- Things with their classes, with the number of their set of classes, and the classes of each set.
CREATE TABLE member AS
    SELECT DISTINCT s, c FROM triple JOIN class ON iri = o WHERE p IN (SELECT p FROM typed) AND NOT literal;
CREATE TABLE thing AS SELECT DISTINCT s FROM triple;
CREATE TABLE grouped AS SELECT s, list_sort(list(c)) AS classes FROM member GROUP BY s;
CREATE TABLE sets AS
    SELECT classes, row_number() OVER (ORDER BY count(*) DESC, classes) AS k FROM grouped GROUP BY classes;
CREATE TABLE kind AS
    SELECT s, coalesce(k, ${no_class})::INTEGER AS k FROM thing
    LEFT JOIN grouped USING (s) LEFT JOIN sets USING (classes);
CREATE TABLE kind_class AS
    SELECT k::INTEGER AS k, unnest(classes) AS c FROM sets UNION ALL SELECT ${no_class}, ${no_class};
DROP TABLE grouped; DROP TABLE sets

-- name: above
WITH RECURSIVE up AS (
    SELECT s, o FROM triple
    WHERE p = $1 AND NOT literal AND NOT starts_with(o, '${blank}') AND NOT list_contains($2::VARCHAR[], o)
), above AS (
    SELECT c, iri, o, 1 AS steps FROM class JOIN up ON s = iri
    UNION SELECT c, iri, up.o, steps + 1 FROM above JOIN up ON s = above.o WHERE steps < 50
), nearest AS (SELECT c, o, min(steps) AS steps FROM above WHERE o <> iri GROUP BY c, o)
SELECT c, list(o ORDER BY steps, o) FROM nearest GROUP BY c ORDER BY c

-- name: labels
-- The label of each thing; the first relation and English are preferred.
CREATE TABLE label AS
    SELECT s, arg_min(o, struct_pack(
        a := place, b := lang IS NOT NULL AND lang <> 'en' AND lang NOT LIKE 'en-%', c := o
    )) AS label FROM triple JOIN naming USING (p) WHERE literal GROUP BY s
