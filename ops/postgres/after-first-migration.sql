-- Once the tables are there (docs/operate/database.md#two-roles): psql -d events -f ops/postgres/after-first-migration.sql

-- which migrations have run is for their role to say
revoke insert, update, delete on mikro_orm_migrations from events_service;
