-- name: once
-- Triples without triples about triples, whatever graphs they are in.
CREATE TABLE made.once AS SELECT DISTINCT s, p, o FROM made.fact WHERE o <> hash('', '<<')

-- name: types
SELECT DISTINCT value FROM made.once SEMI JOIN made.typing USING (p) JOIN made.term ON id = o
WHERE tag IS NULL AND NOT blank

-- name: above
SELECT lower.value, CASE WHEN upper.tag IS NULL AND NOT upper.blank AND s <> o THEN upper.value END
FROM made.once JOIN made.term AS lower ON lower.id = s JOIN made.term AS upper ON upper.id = o
WHERE p = ? AND NOT lower.blank

-- name: declared
SELECT DISTINCT thing.value FROM made.once SEMI JOIN made.typing USING (p)
JOIN made.term AS thing ON thing.id = s JOIN made.term AS class ON class.id = o
WHERE class.tag IS NULL AND class.value IN (?, ?) AND NOT thing.blank

-- name: sets
-- The sets of classes that resources are said to be of.
CREATE TABLE made.classed AS
    SELECT s, list(class.id ORDER BY class.id) AS classes
    FROM (SELECT DISTINCT s, o FROM made.once SEMI JOIN made.typing USING (p))
    JOIN made.class ON hash(iri, NULL::VARCHAR) = o GROUP BY s;
CREATE TABLE made.class_set AS
    SELECT row_number() OVER () AS id, classes FROM (SELECT DISTINCT classes FROM made.classed);

-- name: shapes
-- What resources are, as far as their relations are counted with those of others: of these classes, a blank node or
-- not, with a name or not, a term of the vocabulary or not, a bundle of facts or not. A resource that is the subject
-- of no triple has the shape of one of which nothing is known.
CREATE TABLE made.subject AS
    SELECT s, place, set, blank, named, described OR word.id IS NOT NULL AS term,
        NOT named AND parts > 1 AND (blank OR regexp_matches(value, '\p{Nd}[^/#]*$')) AS bundle
    FROM (
        SELECT used.s, coalesce(any_value(class_set.id), 0) AS set,
            coalesce(bool_or(describes), false) AS described,
            coalesce(bool_or(names AND (NOT of_class OR called.p IS NOT NULL)), false) AS named,
            count(*) FILTER (NOT structure) AS parts
        FROM (SELECT DISTINCT s, p FROM made.once) AS used LEFT JOIN made.role USING (p)
            LEFT JOIN made.classed USING (s) LEFT JOIN made.class_set USING (classes)
            LEFT JOIN made.set_role ON set_role.id = class_set.id
            LEFT JOIN made.called ON called.p = used.p AND called.set = class_set.id
        GROUP BY used.s
    ) JOIN made.term ON term.id = s
        LEFT JOIN (SELECT hash(iri, NULL::VARCHAR) AS id FROM made.word) AS word ON word.id = s;
CREATE TABLE made.shape AS
    SELECT row_number() OVER () AS id, * FROM (
        SELECT set, blank, named, term, bundle, sum(n)::BIGINT AS things FROM (
            SELECT set, blank, named, term, bundle, 1 AS n FROM made.subject
            UNION ALL VALUES (0, false, false, false, false, 0), (0, true, false, false, false, 0)
        ) GROUP BY ALL
    );
CREATE TABLE made.node AS
    SELECT term.id, CASE WHEN NOT term.blank THEN term.place END AS place, tag, shape.id AS shape
    FROM made.term LEFT JOIN made.subject ON s = term.id LEFT JOIN made.shape ON tag IS NULL
        AND shape.set = coalesce(subject.set, 0) AND shape.blank = term.blank
        AND shape.named = coalesce(subject.named, false) AND shape.term = coalesce(subject.term, false)
        AND shape.bundle = coalesce(subject.bundle, false);

-- name: edges
-- Triples between shapes, ``a`` of the subject and ``b`` of the object: the relations of each, in both directions.
CREATE TABLE made.edge AS
    SELECT p, s, o, own.shape AS a, other.shape AS b, own.place AS own, other.place AS other, other.tag
    FROM made.once ANTI JOIN made.typing USING (p) JOIN made.node AS own ON own.id = s
        JOIN made.node AS other ON other.id = o;
CREATE TABLE made.target AS
    SELECT p, b, o, tag, count(*) AS n, any_value(other) AS place, min(own) AS sample FROM made.edge
    GROUP BY p, b, o, tag;
CREATE TABLE made.cell AS
    SELECT true AS outgoing, p, a AS shape, sum(n)::BIGINT AS triples, count(*) AS things, max(n) AS most,
        min(sample) AS sample
    FROM (SELECT p, a, s, count(*) AS n, min(other) AS sample FROM made.edge GROUP BY p, a, s) GROUP BY p, a
    UNION ALL
    SELECT false, p, b, sum(n)::BIGINT, count(*), max(n), min(sample) FROM made.target WHERE b IS NOT NULL
    GROUP BY p, b;
CREATE TABLE made.links AS
    SELECT p, a, b, count(*) AS n FROM made.edge WHERE b IS NOT NULL GROUP BY p, a, b;
CREATE TABLE made.tags AS
    SELECT p, a, tag, count(*) AS n FROM made.edge WHERE b IS NULL GROUP BY p, a, tag;

-- name: placed
-- Triples in their graphs; where there are none, nobody asks.
CREATE TABLE made.placed AS
    SELECT DISTINCT s, p, o, tag, g FROM triple WHERE tag IS DISTINCT FROM '<<'

-- name: pairs
-- How often a relation leads from resources of some classes to resources of others, or back.
CREATE TABLE made.pair AS
    SELECT true AS outgoing, p, a.set, b.set AS other, sum(n) AS n FROM made.links
    JOIN made.shape AS a ON a.id = links.a JOIN made.shape AS b ON b.id = links.b
    WHERE NOT b.blank GROUP BY p, a.set, b.set
    UNION ALL
    SELECT false, p, b.set, a.set, sum(n) FROM made.links
    JOIN made.shape AS a ON a.id = links.a JOIN made.shape AS b ON b.id = links.b
    WHERE NOT a.blank GROUP BY p, a.set, b.set

-- name: triples
SELECT count(*) FROM made.once

-- name: things
SELECT sum(things), sum(things) FILTER (set = 0), sum(things) FILTER (named), sum(things) FILTER (blank)
FROM made.shape WHERE NOT term

-- name: classes
SELECT iri, sum(things)::BIGINT, sum(things) FILTER (direct), sum(things) FILTER (named),
    sum(things) FILTER (blank), sum(things) FILTER (bundle)
FROM made.class LEFT JOIN made.upper ON class = class.id LEFT JOIN made.shape USING (set)
GROUP BY class.id, iri

-- name: relations
SELECT p, sum(triples)::BIGINT, sum(things)::BIGINT, max(most) FROM made.cell WHERE outgoing GROUP BY p

-- name: objects
SELECT p, count(*), max(n), sum(n) FILTER (b IS NOT NULL) FROM made.target GROUP BY p

-- name: names
SELECT p, sum(cell.things)::BIGINT FROM made.cell JOIN made.shape ON shape.id = shape JOIN made.role USING (p)
    LEFT JOIN made.called USING (p, set)
WHERE outgoing AND NOT shape.term AND names AND (NOT of_class OR called.p IS NOT NULL) GROUP BY p

-- name: uses
SELECT outgoing, class, p, sum(triples)::BIGINT, sum(cell.things)::BIGINT, max(most), min(sample)
FROM made.cell JOIN made.shape ON shape.id = shape JOIN made.upper USING (set)
GROUP BY outgoing, class, p

-- name: ends of uses
SELECT outgoing, class, p, far, sum(n)::BIGINT AS uses FROM (
    SELECT outgoing, upper.class AS class, p, member.class AS far, n
    FROM made.pair JOIN made.upper ON upper.set = pair.set
        JOIN made.upper AS member ON member.set = other AND member.direct
) WHERE far IN (SELECT class FROM made.shown)
GROUP BY outgoing, class, p, far
QUALIFY row_number() OVER (PARTITION BY outgoing, class, p ORDER BY uses DESC, far) <= $frequent

-- name: classes of ends
SELECT outgoing, p, upper.class, sum(triples)::BIGINT AS n
FROM made.cell JOIN made.shape ON shape.id = shape JOIN made.upper USING (set) JOIN made.shown USING (class)
WHERE direct GROUP BY outgoing, p, upper.class
QUALIFY row_number() OVER (PARTITION BY outgoing, p ORDER BY n DESC, upper.class) <= $frequent

-- name: ends
SELECT p, class, far, literal, sum(n)::BIGINT AS uses FROM (
    SELECT p, own.class AS class, ended.iri AS far, false AS literal, n
    FROM (SELECT p, a.set, b.set AS other, sum(n) AS n FROM made.links JOIN made.shape AS a ON a.id = links.a
        JOIN made.shape AS b ON b.id = links.b GROUP BY p, a.set, b.set) AS pair
    JOIN made.lowest AS own USING (set) JOIN made.lowest AS others ON others.set = other
    JOIN made.ended ON ended.id = others.class
    UNION ALL
    SELECT p, class, CASE WHEN tag[1] = '@' THEN $text ELSE tag END, true, n
    FROM made.tags JOIN made.shape ON shape.id = a JOIN made.lowest USING (set)
) GROUP BY p, class, far, literal
QUALIFY row_number() OVER (PARTITION BY p ORDER BY uses DESC, class, far, literal) <= $ends

-- name: tags
SELECT p, tag, sum(n)::BIGINT FROM made.tags GROUP BY p, tag

-- name: values
SELECT p, CASE WHEN many > $values THEN counted.place >> 32 ELSE 0 END, value, coalesce(term.tag, ''), n FROM (
    SELECT p, o, n, place, row_number() OVER (PARTITION BY p ORDER BY n DESC, place DESC) AS number,
        count(*) OVER (PARTITION BY p) AS many FROM made.target WHERE place IS NOT NULL
) AS counted JOIN made.term ON term.id = o WHERE many <= $values OR number <= $samples
ORDER BY p, n DESC, 2, value, 4

-- name: bounds
SELECT p, value, term.tag, n FROM made.target JOIN made.term ON term.id = o
WHERE b IS NULL AND term.tag[1] <> '@' AND (length(value) <= 40 AND (term.tag <> $string OR regexp_matches(value, '\p{Nd}$'))
        OR regexp_matches(term.tag, 'XMLSchema#(integer|decimal)$'))

-- name: samples
SELECT place, value, coalesce(tag, '') FROM made.term SEMI JOIN made.sample USING (place)

-- name: labels
SELECT wanted.iri, relation.iri, tag, value
FROM made.wanted JOIN made.once ON s = hash(wanted.iri, NULL::VARCHAR) JOIN made.role USING (p)
    JOIN made.relation ON relation.id = p JOIN made.term ON term.id = o
WHERE names AND tag IS NOT NULL

-- name: notes
-- What the ontology says of classes and relations; lists are read where shapes have some.
SELECT DISTINCT s, p, o[:300], coalesce(tag, '') FROM triple
WHERE tag IS DISTINCT FROM '<<' AND (
    (p IN $notes AND (s IN (SELECT iri FROM made.class) OR s IN (SELECT iri FROM made.relation)))
    OR p IN $shapes
    OR (p IN $lists AND EXISTS (SELECT 1 FROM triple WHERE p = 'http://www.w3.org/ns/shacl#in'))
)

-- name: graphs
SELECT g, count(*) AS n FROM made.placed GROUP BY g ORDER BY n DESC, g LIMIT $graphs

-- name: places
SELECT term, g, count(*) AS n FROM (
    SELECT CASE WHEN typing.p IS NULL THEN placed.p ELSE o END AS term, g
    FROM made.placed JOIN made.relation ON iri = placed.p LEFT JOIN made.typing ON typing.p = relation.id
    WHERE typing.p IS NULL OR (tag IS NULL AND NOT starts_with(o, '_:'))
) GROUP BY term, g QUALIFY row_number() OVER (PARTITION BY term ORDER BY n DESC, g) <= $places
