-- Takes back what row-security.sql made, as a superuser: psql -d events -f ops/postgres/row-security-off.sql
-- First let all services connect as events_service again, without DATABASE_ROW_SECURITY. The role events_scoped stays, without rights in this database.

do $$
declare
  its_table name;
begin
  set lock_timeout = '3s';
  for its_table in select tablename from pg_policies where schemaname = 'public' and policyname = 'within_organization' loop
    execute format('alter table %I disable row level security', its_table);
    execute format('drop policy within_organization on %I', its_table);
    execute format('drop policy across_organizations on %I', its_table);
    commit;
  end loop;
end
$$;

alter view event_form reset (security_invoker);

alter default privileges for role events_owner revoke all on tables from events_scoped;

alter default privileges for role events_owner revoke all on sequences from events_scoped;

alter default privileges for role events_owner revoke all on functions from events_scoped;

revoke all on all tables in schema public from events_scoped;

revoke all on all sequences in schema public from events_scoped;

revoke all on all functions in schema public from events_scoped;

revoke all on schema public from events_scoped;

do $$
begin
  execute format('revoke all on database %I from events_scoped', current_database());
end
$$;

do $$
declare
  of_search regprocedure;
begin
  for of_search in
    select oid from pg_proc where proleakproof and (oid in ('name_grams(text)'::regprocedure, 'lower(text)'::regprocedure,
      'textlike(text, text)'::regprocedure, 'arraycontains(anyarray, anyarray)'::regprocedure))
  loop
    execute format('alter function %s not leakproof', of_search);
  end loop;
end
$$;
