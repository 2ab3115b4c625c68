-- name: spoken
-- Languages of the graph, the most frequent first, whose words for units are known.
SELECT lang FROM triple WHERE lang IS NOT NULL GROUP BY lang ORDER BY count(*) DESC, lang LIMIT 3

-- name: forms
-- How many texts of each part are written in each way, have datatypes of each kind, and digits before and behind a
-- point. Of dates and moments, those count that there are: there is no 45th of May.
SELECT part, form FROM (
    SELECT part, count(*) AS total, count(lang) AS tagged,
        max(length(regexp_extract(o, '^[-+]?([0-9]*)', 1))) AS digits,
        max(length(regexp_extract(o, '\.([0-9]*)$', 1))) AS scale,
        count(*) FILTER (iri IN $temporal) AS temporal,
        count(*) FILTER (iri IN $numeric) AS numeric,
        count(*) FILTER (iri IN $binary) AS binary,
        count(*) FILTER (NOT starts_with(iri, '${xsd}')) AS unit,
        count(*) FILTER (regexp_full_match(o, '[-+]?(0|[1-9][0-9]*)')) AS integer,
        count(*) FILTER (regexp_full_match(o, '[-+]?0[0-9]+')) AS padded,
        count(*) FILTER (regexp_full_match(o, '[-+]?(0|[1-9][0-9]*)?\.[0-9]+')) AS decimal,
        count(*) FILTER (regexp_full_match(o, '[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+')) AS double,
        count(TRY_CAST(o AS DATE)) FILTER (regexp_full_match(o, '[0-9]{4}-[01][0-9]-[0-3][0-9]')) AS date,
        count(TRY_CAST(o AS TIMESTAMP)) FILTER (
            regexp_full_match(o, '[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?')) AS moment,
        count(*) FILTER (
            regexp_full_match(o, '[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9:.]+(Z|[-+][0-9:]+)')) AS zoned,
        count(*) FILTER (regexp_full_match(o, 'true|false')) AS truth,
        count(*) FILTER (regexp_full_match(
            o, '-?P([0-9]+Y)?([0-9]+M)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9.]+S)?)?')) AS duration,
        count(*) FILTER (regexp_full_match(o, '[^0-9\pL]{0,4}([A-Z]{3} ?)?[^0-9\pL]{0,3}[0-9].{0,59}')) AS amount
    FROM fact JOIN datatype USING (d) WHERE part IN (SELECT part FROM route WHERE way = -1)
    GROUP BY part
) AS form ORDER BY part

-- name: macros
-- The interval of a duration as XML Schema writes it.
CREATE MACRO counted(o, pattern) AS coalesce(TRY_CAST(nullif(regexp_extract(o, pattern, 1), '') AS DOUBLE), 0);
CREATE MACRO interval_of(o) AS TRY((
    to_months((12 * counted(o, 'P([0-9.]+)Y') + counted(o, '^-?P[^T]*?([0-9.]+)M'))::INTEGER) + to_seconds(
        86400 * counted(o, 'P[^T]*?([0-9.]+)D') + 3600 * counted(o, 'T([0-9.]+)H')
        + 60 * counted(o, 'T[^M]*?([0-9.]+)M') + counted(o, 'T.*?([0-9.]+)S'))
) * CASE WHEN o LIKE '-%' THEN -1 ELSE 1 END)

-- name: texts
SELECT o, max(d) FROM fact WHERE part = $1 GROUP BY o ORDER BY count(*) DESC, o LIMIT $2
