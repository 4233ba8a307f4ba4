-- A database with two roles (docs/operate/database.md#two-roles), as a superuser: psql -f ops/postgres/roles.sql
-- Then give both a password, for example with \password events_owner and \password events_service.

-- makes and changes the tables, for migrations alone
create role events_owner login;
-- reads and writes rows
create role events_service login;
create database events owner events_owner;

\connect events
revoke all on database events from public;
grant connect on database events to events_service;
revoke all on schema public from public;
grant usage on schema public to events_service;

-- for what migrations will make
alter default privileges for role events_owner grant select, insert, update, delete on tables to events_service;
alter default privileges for role events_owner grant usage on sequences to events_service;
alter default privileges for role events_owner revoke execute on functions from public;
alter default privileges for role events_owner grant execute on functions to events_service;
