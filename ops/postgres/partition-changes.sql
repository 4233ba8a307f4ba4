-- Splits the log of changes into 8 partitions by organization (docs/operations/scale.md#partitions), as the role that owns the tables:
-- psql -v ON_ERROR_STOP=1 -d events -f ops/postgres/partition-changes.sql
-- The service may run meanwhile: only the last transaction keeps it waiting. If the script ends early, run it again.

drop table if exists change_parts, change_parts_from;
create table change_parts (like change including defaults including constraints) partition by hash (organization_id);

do $$ begin for part in 0..7 loop
  execute format('create table change_%s partition of change_parts for values with (modulus 8, remainder %s)', part, part); end loop; end $$;

-- what all transactions wrote that are over; those that are not over have numbers from here on
begin isolation level repeatable read;
create table change_parts_from as select pg_snapshot_xmin(pg_current_snapshot()) as x;
insert into change_parts select c.* from change c where c.x < (select x from change_parts_from);
commit;

alter table change_parts add constraint change_parts_pkey primary key (organization_id, seq);
create index change_parts_kind_index on change_parts (organization_id, kind, seq);
create index change_parts_member_index on change_parts (organization_id, user_id, kind, seq) where member_op is not null;
create index change_parts_transaction_index on change_parts (x, organization_id, seq);
analyze change_parts;

-- the rest, while nobody writes; then the partitions take the place of the table
begin;
set local lock_timeout = '5s';
lock table change in access exclusive mode;
insert into change_parts select c.* from change c where c.x >= (select x from change_parts_from);
alter sequence change_seq_seq owned by change_parts.seq;
drop table change, change_parts_from;
alter table change_parts rename to change;
alter table change rename constraint change_parts_pkey to change_pkey;
alter index change_parts_kind_index rename to change_kind_index;
alter index change_parts_member_index rename to change_member_index;
alter index change_parts_transaction_index rename to change_transaction_index;
commit;

-- of organizations that were deleted meanwhile
delete from change c where not exists (select from organization o where o.id = c.organization_id);
vacuum analyze change;
