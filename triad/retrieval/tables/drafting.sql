-- name: samples
-- The most frequent values of each part, for each class that has a column for it, and in all.
SELECT c, part, list(left(o, $short) ORDER BY n DESC, o) FROM (
    SELECT * FROM (
        SELECT c, part, o, count(*) AS n FROM fact JOIN kind_class USING (k) GROUP BY ALL
        UNION ALL SELECT NULL, part, o, count(*) FROM fact GROUP BY ALL
    ) WHERE part IN (SELECT part FROM route WHERE way = -1)
    QUALIFY row_number() OVER (PARTITION BY c, part ORDER BY n DESC, o) <= $most
) GROUP BY c, part
