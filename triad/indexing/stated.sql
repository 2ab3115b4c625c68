-- name: any
SELECT 1 FROM triple WHERE p IN ('${rdf}predicate', '${rdf}reifies', '${wikibase}rank') LIMIT 1

-- name: reified
-- Triples that nodes reify, as lines of N-Quads with the node in the place of the graph.
SELECT o[5:-5] || ' ' || CASE WHEN starts_with(s, '_:') THEN s ELSE '<' || s || '>' END || ' .'
FROM triple WHERE p = '${rdf}reifies' AND tag = '<<'

-- name: facts
-- The facts that nodes state; of claims also by which relations, as the graph says of its properties or as these are
-- called. What is told of a property is told of its relations, too.
CREATE TEMP TABLE told AS
SELECT s AS property, any_value(o) FILTER (p = '${wikibase}claim') AS claim,
    any_value(o) FILTER (p = '${wikibase}statementProperty') AS value,
    any_value(o) FILTER (p = '${wikibase}directClaim') AS direct,
    any_value(o) FILTER (p = '${wikibase}qualifier') AS qualifier
FROM triple WHERE starts_with(p, '${wikibase}') AND tag IS NULL GROUP BY s;
CREATE TEMP TABLE claim AS
SELECT DISTINCT property, claim, value, CASE WHEN direct IN (SELECT p FROM triple) THEN direct ELSE '${by}' || claim END AS relation
FROM told WHERE claim IS NOT NULL AND value IS NOT NULL;
INSERT INTO claim
SELECT DISTINCT NULL, own.p, other.p,
    coalesce((SELECT any_value(p) FROM triple WHERE p = replace(other.p, '/statement/', '/direct/')), '${by}' || own.p)
FROM triple AS ranked JOIN triple AS own ON own.o = ranked.s AND own.tag IS NULL JOIN triple AS other ON other.s = ranked.s
WHERE ranked.p = '${wikibase}rank' AND NOT EXISTS (FROM claim) AND regexp_matches(other.p, '/statement/[^/]+$')
    AND regexp_extract(own.p, '[^/#]+$') = regexp_extract(other.p, '[^/#]+$');
CREATE TEMP TABLE fact AS
SELECT own.s AS node, own.o AS subject, said.o AS relation, other.o AS value, other.tag, said.g, 'statement' AS shape,
    '' AS claim, '' AS value_relation
FROM triple AS said JOIN triple AS own ON own.s = said.s AND own.p = '${rdf}subject' AND own.tag IS NULL
    JOIN triple AS other ON other.s = said.s AND other.p = '${rdf}object' AND other.tag IS DISTINCT FROM '<<'
WHERE said.p = '${rdf}predicate' AND said.tag IS NULL
UNION
SELECT g, s, p, o, tag, '', 'triple', '', '' FROM reified WHERE tag IS DISTINCT FROM '<<'
UNION
SELECT own.o, own.s, relation, other.o, other.tag, own.g, 'claim', claim, claim.value
FROM claim JOIN triple AS own ON own.p = claim AND own.tag IS NULL
    JOIN triple AS other ON other.s = own.o AND other.p = claim.value;
-- A relation has one shape, the one of most of its facts.
DELETE FROM fact WHERE (relation, shape) NOT IN (
    SELECT relation, shape FROM fact GROUP BY relation, shape
    QUALIFY row_number() OVER (PARTITION BY relation ORDER BY count(*) DESC, shape) = 1);
CREATE TEMP TABLE own AS
SELECT DISTINCT s, p, o, tag FROM triple SEMI JOIN fact ON node = s
WHERE p IN ('${rdf}subject', '${rdf}predicate', '${rdf}object', '${rdf}reifies', '${wikibase}rank')
    OR p IN (SELECT value FROM claim) OR (p = '${type}' AND (starts_with(o, '${rdf}') OR starts_with(o, '${wikibase}')));
CREATE TABLE stated AS
WITH used AS (
    SELECT relation, p, count(*) AS n FROM (SELECT DISTINCT relation, node FROM fact) JOIN triple ON s = node
    WHERE p <> '${type}' AND p NOT IN (SELECT p FROM own) GROUP BY relation, p
)
SELECT relation, any_value(shape) AS shape, count(DISTINCT node) AS facts, relation IN (SELECT p FROM triple) AS asserted,
    any_value(claim) AS claim, any_value(value_relation) AS value,
    (SELECT list((p, n) ORDER BY n DESC, p) FROM used WHERE used.relation = fact.relation) AS qualifiers
FROM fact GROUP BY relation;

-- name: read
-- What is counted in place of what states facts.
DELETE FROM triple WHERE p IN (SELECT claim FROM claim) AND tag IS NULL AND o IN (SELECT node FROM fact);
DELETE FROM triple WHERE (s, p, o) IN (SELECT s, p, o FROM own);
INSERT INTO triple
SELECT DISTINCT subject, '${fact}from:' || relation, node, NULL, g FROM fact
UNION ALL SELECT DISTINCT node, '${fact}to:' || relation, value, tag, g FROM fact
UNION ALL SELECT DISTINCT node, $type, '${fact}of:' || relation, NULL, g FROM fact
UNION ALL SELECT DISTINCT subject, relation, value, tag, g FROM fact
    WHERE relation IN (SELECT relation FROM stated WHERE NOT asserted)
    AND NOT EXISTS (FROM own WHERE own.s = node AND own.o = '${wikibase}DeprecatedRank');
INSERT INTO triple
SELECT DISTINCT called.iri, p, o, tag, g FROM triple JOIN (
    SELECT relation AS giver, unnest(['${fact}from:' || relation, '${fact}to:' || relation]) AS iri FROM stated
    UNION SELECT property, unnest(['${fact}from:' || relation, '${fact}to:' || relation, relation])
        FROM claim SEMI JOIN stated USING (relation)
    UNION SELECT property, iri FROM (SELECT property, unnest([direct, qualifier]) AS iri FROM told)
        WHERE iri IN (SELECT p FROM triple)
) AS called ON s = giver
WHERE p IN ('${rdfs}label', '${skos}prefLabel', '${skos}altLabel', 'http://schema.org/name');
