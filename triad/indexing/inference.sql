-- name: prepared
-- The axioms of a graph in names and IRIs. Those about the words of OWL itself say nothing of a graph, and a class that
-- has no name is none that anybody asks for.
CREATE TEMP TABLE axiom AS
WITH stated AS (
    SELECT CASE WHEN p <> '${type}' THEN regexp_extract(p, '[^#]+$') WHEN o = '${owl}SymmetricProperty' THEN 'symmetric'
            WHEN o = '${owl}TransitiveProperty' THEN 'transitive' END AS kind, s AS a, o AS b
    FROM triple WHERE tag IS NULL AND (p IN (${axioms}) OR p = '${type}')
)
SELECT DISTINCT kind, a, b FROM stated
WHERE kind IS NOT NULL AND NOT regexp_matches(a, '${own}') AND NOT CASE
    WHEN kind IN ('subClassOf', 'equivalentClass', 'domain', 'range') THEN regexp_matches(b, '${own}|^_:')
    WHEN kind IN ('subPropertyOf', 'equivalentProperty') THEN starts_with(b, '${owl}')
    WHEN kind = 'sameAs' THEN NOT EXISTS (FROM triple WHERE s = a AND p <> '${owl}sameAs')
        OR NOT EXISTS (FROM triple WHERE s = b AND p <> '${owl}sameAs')
    ELSE false END;

-- The facts that an axiom may touch.
CREATE TEMP TABLE given AS
WITH known AS (SELECT a AS iri FROM axiom UNION SELECT b FROM axiom),
same AS (SELECT a AS iri FROM axiom WHERE kind = 'sameAs' UNION SELECT b FROM axiom WHERE kind = 'sameAs')
SELECT DISTINCT s, p, o, tag FROM triple
WHERE tag IS DISTINCT FROM '<<' AND NOT p IN (${axioms}) AND (
    p IN (FROM known) OR (p = '${type}' AND o IN (FROM known)) OR s IN (FROM same) OR (tag IS NULL AND o IN (FROM same)));

-- The numbers of terms.
CREATE TEMP TABLE numbered AS
SELECT value, tag, row_number() OVER () * CASE WHEN tag IS NULL THEN 1 ELSE -1 END AS id FROM (
    SELECT '${type}' AS value, NULL::VARCHAR AS tag
    UNION SELECT s, NULL FROM given UNION SELECT p, NULL FROM given UNION SELECT o, tag FROM given
    UNION SELECT a, NULL FROM axiom UNION SELECT b, NULL FROM axiom
);

-- name: measured
-- The number of rdf:type, and of axioms and facts.
SELECT id, (SELECT count(*) FROM axiom) + (SELECT count(*) FROM given) FROM numbered WHERE value = '${type}' AND tag IS NULL;

-- name: program
-- The axioms and the facts as lines of a program.
SELECT format('{}({}{}).', kind, a.id, CASE WHEN kind IN ('symmetric', 'transitive') THEN '' ELSE ',' || b.id END)
FROM axiom JOIN numbered a ON a.value = axiom.a AND a.tag IS NULL JOIN numbered b ON b.value = axiom.b AND b.tag IS NULL
UNION ALL
SELECT format('given({},{},{}).', s.id, p.id, o.id)
FROM given JOIN numbered s ON s.value = given.s AND s.tag IS NULL JOIN numbered p ON p.value = given.p AND p.tag IS NULL
    JOIN numbered o ON o.value = given.o AND o.tag IS NOT DISTINCT FROM given.tag

-- name: inferred
-- What follows, in terms; what only a nameless property says helps others to follow, and is nothing to ask for.
CREATE TEMP TABLE inferred AS
SELECT s.value AS s, p.value AS p, o.value AS o, o.tag, '${inferred}' AS g
FROM read_csv(?, columns = {'s': 'BIGINT', 'p': 'BIGINT', 'o': 'BIGINT'}, header = false, auto_detect = false, delim = ',')
    AS found
    JOIN numbered s ON s.id = found.s JOIN numbered p ON p.id = found.p JOIN numbered o ON o.id = found.o
WHERE s.tag IS NULL AND p.tag IS NULL AND NOT starts_with(p.value, '_:')
ORDER BY found.s, found.p, found.o

-- name: classed
-- What is said of classes by properties of a vocabulary's own, by those of RDF, and no more by these.
CREATE TEMP TABLE inferred AS
SELECT s, usual AS p, o, tag, g FROM triple JOIN (VALUES ${classing}) AS said (own, usual) ON p = own WHERE tag IS NULL
ORDER BY triple.rowid;
DELETE FROM triple WHERE tag IS NULL AND p IN (SELECT own FROM (VALUES ${classing}) AS said (own, usual));
