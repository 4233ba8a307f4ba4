-- Gives the search by name its indexes back (docs/operations/README.md#row-level-security), as a superuser and after row-security.sql:
-- psql -d events -f ops/postgres/row-security-search.sql
-- With row-level security, PostgreSQL uses an index only for functions that are known to tell nobody what they are given. These tell nobody: none has an error
-- or a message that depends on a row. Three of them are PostgreSQL's own; run this again where a dump was restored or after pg_upgrade.

alter function lower(text) leakproof;

alter function textlike(text, text) leakproof;

alter function arraycontains(anyarray, anyarray) leakproof;

alter function name_grams(text) leakproof;
