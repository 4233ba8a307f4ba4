-- Row-level security by organization (docs/operations/README.md#row-level-security), as a superuser: psql -d events -f ops/postgres/row-security.sql
-- After ops/postgres/roles.sql and the migrations, and again after each new version: what is there already is left as it is.
-- Nothing changes for events_service and events_owner, so that services which connect as them go on.
-- Give the new role a password, for example with \password events_scoped. row-security-off.sql takes it all back.

set client_min_messages = warning;

-- reads and writes the rows of one organization at a time; to cross organizations, it has to say `set role events_service`
do $$
begin
  if not exists (select from pg_roles where rolname = 'events_scoped') then
    create role events_scoped login noinherit;
  end if;
  if not pg_has_role('events_scoped', 'events_service', 'member') then
    grant events_service to events_scoped;
  end if;
  execute format('grant connect on database %I to events_scoped', current_database());
end
$$;

grant usage on schema public to events_scoped;

grant select, insert, update, delete on all tables in schema public to events_scoped;

revoke insert, update, delete on mikro_orm_migrations from events_scoped;

grant usage on all sequences in schema public to events_scoped;

grant execute on all functions in schema public to events_scoped;

alter default privileges for role events_owner grant select, insert, update, delete on tables to events_scoped;

alter default privileges for role events_owner grant usage on sequences to events_scoped;

alter default privileges for role events_owner grant execute on functions to events_scoped;

-- a view reads with the rights of its owner, who sees all rows
alter view event_form set (security_invoker = true);

-- a transaction each, so that nobody waits for more than one table
do $$
declare
  its_table name;
  own_rows text;
  own constant text := $q$nullif(current_setting('events.organization', true), '')::uuid$q$;
begin
  set lock_timeout = '3s';
  for its_table, own_rows in
    select * from (values
      ('organization', 'id = %s'),
      -- those about a person in several organizations are in none, and theirs who is or was a member
      ('audit_entry', 'organization_id = %s or organization_id is null and (
        exists (select from membership where membership.user_id = person_id)
        or exists (select from former_membership where former_membership.user_id = person_id))'),
      ('event_change_notice', 'exists (select from event where event.id = event_id)'),
      ('guest_link', 'exists (select from subscription where subscription.id = subscription_id)'),
      ('guest_request', 'exists (select from event where event.id = event_id)'),
      ('subscription_change', 'exists (select from subscription where subscription.id = subscription_id)'),
      ('webhook_delivery', 'exists (select from webhook where webhook.id = webhook_id)'),
      ('webhook_secret', 'exists (select from webhook where webhook.id = webhook_id)')
    ) as further
    union all
    select table_name, 'organization_id = %s' from unnest(array[
      'api_key', 'change', 'change_floor', 'event', 'event_slug', 'form_content', 'form_version', 'former_membership',
      'invitation', 'mail_job', 'membership', 'notice_fan_out', 'one_time_token', 'pending_sign_up', 'public_revision',
      'subscription', 'webhook', 'webhook_due'
    ]) as table_name
  loop
    if (select relrowsecurity from pg_class where oid = its_table::regclass) then
      continue;
    end if;
    execute format('drop policy if exists within_organization on %I', its_table);
    execute format('drop policy if exists across_organizations on %I', its_table);
    -- an equation with a constant: the planner checks it once for a statement, and chooses the plans that it chooses without
    execute format('create policy within_organization on %I using (%s)', its_table, format(own_rows, own));
    -- mails about an account, which nobody within an organization reads
    if its_table = 'mail_job' then
      execute format('alter policy within_organization on mail_job with check (organization_id is null or organization_id = %s)', own);
    end if;
    execute format('create policy across_organizations on %I to events_service using (true)', its_table);
    execute format('alter table %I enable row level security', its_table);
    commit;
  end loop;
end
$$;
