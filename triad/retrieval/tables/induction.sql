-- name: cells
CREATE TABLE part_left AS SELECT DISTINCT part, k, name FROM class_left JOIN kind_class USING (c);
CREATE MACRO ending(s) AS CASE WHEN NOT starts_with(s, '${blank}')
    THEN replace(regexp_extract(coalesce(TRY(url_decode(s)), s), '[^/#]+$'), '_', ' ') END;
CREATE TABLE cell AS SELECT * FROM (
    SELECT c, s, f.part, f.o, f.lang, r.low, r.high, r.currency
    FROM fact f JOIN kind_class USING (k) JOIN column_of USING (part, c)
        LEFT JOIN reading r ON r.part = f.part AND r.o = f.o
    UNION ALL
    SELECT c, s, ${label}, coalesce(label, ending(s)), NULL, NULL, NULL, NULL
    FROM kind JOIN kind_class USING (k) LEFT JOIN label USING (s)
    UNION ALL
    SELECT ${no_class}, s, ${label}, ending(s), NULL, NULL, NULL, NULL FROM stub
) ORDER BY c;
CREATE TABLE sorted AS SELECT * FROM fact ORDER BY part;
DROP TABLE fact; ALTER TABLE sorted RENAME TO fact;
DROP TABLE triple; DROP TABLE label; DROP TABLE stub;
CHECKPOINT
