-- events, first page with every field: owner, manager
-- replica, plan kept
select t.id, t.name, t.slug, t.description, t.status, t.date_start, t.date_end, t.timezone, t.location, t.capacity, t.visibility, t.registration, t.accepted_count, t.created_at, t.updated_at
from "event" t
where t.organization_id = $1::uuid and true
order by t.date_start asc, t.id asc
limit 51;

-- events, first page with every field: member
-- replica, plan kept
select t.id, t.name, t.slug, t.description, t.status, t.date_start, t.date_end, t.timezone, t.location, t.capacity, t.visibility, t.registration, t.accepted_count, t.created_at, t.updated_at
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and true
order by t.date_start asc, t.id asc
limit 51;

-- events, first page: owner, manager
-- replica, plan kept
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and true
order by t.date_start asc, t.id asc
limit 51;

-- events, first page: member
-- replica, plan kept
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and true
order by t.date_start asc, t.id asc
limit 51;

-- events, page after a cursor: owner, manager
-- replica, plan kept
select page.id, page.date_start, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and true and (t.date_start, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.date_start desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and true and (t.date_start, t.id) > ($5::timestamptz, $6::uuid)
  order by t.date_start asc, t.id asc
  limit 51) page on true
order by page.date_start asc, page.id asc;

-- events, page after a cursor: member
-- replica, plan kept
select page.id, page.date_start, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and t.status <> 0 and true and (t.date_start, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.date_start desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and t.status <> 0 and true and (t.date_start, t.id) > ($5::timestamptz, $6::uuid)
  order by t.date_start asc, t.id asc
  limit 51) page on true
order by page.date_start asc, page.id asc;

-- events, page before a cursor: owner, manager
-- replica, plan kept
select page.id, page.date_start, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and true and (t.date_start, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.date_start asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and true and (t.date_start, t.id) < ($5::timestamptz, $6::uuid)
  order by t.date_start desc, t.id desc
  limit 51) page on true
order by page.date_start desc, page.id desc;

-- events, page before a cursor: member
-- replica, plan kept
select page.id, page.date_start, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and t.status <> 0 and true and (t.date_start, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.date_start asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and t.status <> 0 and true and (t.date_start, t.id) < ($5::timestamptz, $6::uuid)
  order by t.date_start desc, t.id desc
  limit 51) page on true
order by page.date_start desc, page.id desc;

-- events, first page by {"id":"…"}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.id = $2::uuid
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"id":"…"}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and t.id = $2::uuid
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"slug":{"$in":["a","b"]}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.slug = any($2::text[])
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"slug":{"$in":["a","b"]}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and t.slug = any($2::text[])
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"status":{"$ne":1}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> $2::int
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"status":{"$ne":1}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and t.status <> $2::int
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"status":{"$in":[1,2]}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status = any($2::int[])
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"status":{"$in":[1,2]}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and t.status = any($2::int[])
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"visibility":"public"}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.visibility = $2::text
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"visibility":"public"}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and t.visibility = $2::text
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"capacity":null}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.capacity is null
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"capacity":null}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and t.capacity is null
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"capacity":{"$ne":null}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.capacity is not null
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"capacity":{"$ne":null}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and t.capacity is not null
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"capacity":{"$ne":5}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and (t.capacity <> $2::int or t.capacity is null)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"capacity":{"$ne":5}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and (t.capacity <> $2::int or t.capacity is null)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"capacity":{"$gte":20,"$lt":30}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and (t.capacity >= $2::int and t.capacity < $3::int)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"capacity":{"$gte":20,"$lt":30}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and (t.capacity >= $2::int and t.capacity < $3::int)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"date_start":{"$gt":"2026-01-01T00:00:00.000Z"},"date_end":{"$lte":"2026-01-01T00:00:00.000Z"}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and (t.date_end <= $2::timestamptz and t.date_start > $3::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"date_start":{"$gt":"2026-01-01T00:00:00.000Z"},"date_end":{"$lte":"2026-01-01T00:00:00.000Z"}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and (t.date_end <= $2::timestamptz and t.date_start > $3::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"name":"j"}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and lower(t.name) like lower($2) and name_grams(t.name) @> array[lower($3)]
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"name":"j"}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and lower(t.name) like lower($2) and name_grams(t.name) @> array[lower($3)]
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"name":"jaz"}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and lower(t.name) like lower($2)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"name":"jaz"}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and lower(t.name) like lower($2)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"$not":{"name":"jaz"}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and lower(t.name) not like lower($2)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"$not":{"name":"jaz"}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and lower(t.name) not like lower($2)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"$not":{"capacity":{"$gt":20}}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and (t.capacity <= $2::int or t.capacity is null)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"$not":{"capacity":{"$gt":20}}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and (t.capacity <= $2::int or t.capacity is null)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"$not":{"status":1,"visibility":"public"}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and (t.status <> $2::int or t.visibility <> $3::text)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"$not":{"status":1,"visibility":"public"}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and (t.status <> $2::int or t.visibility <> $3::text)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"$or":[{"status":2},{"visibility":"public","capacity":null}]}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and (t.status = $2::int or (t.capacity is null and t.visibility = $3::text))
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"$or":[{"status":2},{"visibility":"public","capacity":null}]}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and (t.status = $2::int or (t.capacity is null and t.visibility = $3::text))
order by t.date_start asc, t.id asc
limit 51;

-- events, page after a cursor by {"status":1}: owner, manager
-- replica
select page.id, page.date_start, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and t.status = $2::int and (t.date_start, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.date_start desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.date_start
  from "event" t
  where t.organization_id = $5::uuid and t.status = $6::int and (t.date_start, t.id) > ($7::timestamptz, $8::uuid)
  order by t.date_start asc, t.id asc
  limit 51) page on true
order by page.date_start asc, page.id asc;

-- events, page after a cursor by {"status":1}: member
-- replica
select page.id, page.date_start, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and t.status <> 0 and t.status = $2::int and (t.date_start, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.date_start desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.date_start
  from "event" t
  where t.organization_id = $5::uuid and t.status <> 0 and t.status = $6::int and (t.date_start, t.id) > ($7::timestamptz, $8::uuid)
  order by t.date_start asc, t.id asc
  limit 51) page on true
order by page.date_start asc, page.id asc;

-- events, count: owner, manager
-- replica
select count(*)::int as count
from "event" t
where t.organization_id = $1::uuid and true;

-- events, count: member
-- replica
select count(*)::int as count
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and true;

-- events, count by {"status":1}: owner, manager
-- replica
select count(*)::int as count
from "event" t
where t.organization_id = $1::uuid and t.status = $2::int;

-- events, count by {"status":1}: member
-- replica
select count(*)::int as count
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and t.status = $2::int;

-- events, count up to 100: owner, manager
-- replica
select count(*)::int as count
from (select
  from "event" t
  where t.organization_id = $1::uuid and true
  order by t.date_start asc, t.id asc
  limit 101) capped;

-- events, count up to 100: member
-- replica
select count(*)::int as count
from (select
  from "event" t
  where t.organization_id = $1::uuid and t.status <> 0 and true
  order by t.date_start asc, t.id asc
  limit 101) capped;

-- events, count up to 100 by {"status":1}: owner, manager
-- replica
select count(*)::int as count
from (select
  from "event" t
  where t.organization_id = $1::uuid and t.status = $2::int
  order by t.date_start asc, t.id asc
  limit 101) capped;

-- events, count up to 100 by {"status":1}: member
-- replica
select count(*)::int as count
from (select
  from "event" t
  where t.organization_id = $1::uuid and t.status <> 0 and t.status = $2::int
  order by t.date_start asc, t.id asc
  limit 101) capped;

-- events, by ids: owner, manager
-- primary, plan kept
select t.id, t.name, t.slug, t.description, t.status, t.date_start, t.date_end, t.timezone, t.location, t.capacity, t.visibility, t.registration, t.accepted_count, t.created_at, t.updated_at
from "event" t
where t.id = any($1::uuid[]) and t.organization_id = $2::uuid;

-- events, by ids: member
-- primary, plan kept
select t.id, t.name, t.slug, t.description, t.status, t.date_start, t.date_end, t.timezone, t.location, t.capacity, t.visibility, t.registration, t.accepted_count, t.created_at, t.updated_at
from "event" t
where t.id = any($1::uuid[]) and t.organization_id = $2::uuid and t.status <> 0;

-- events, first page, descending: owner, manager
-- replica, plan kept
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and true
order by t.date_start desc, t.id desc
limit 51;

-- events, first page, descending: member
-- replica, plan kept
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and true
order by t.date_start desc, t.id desc
limit 51;

-- events, page after a cursor, descending: owner, manager
-- replica, plan kept
select page.id, page.date_start, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and true and (t.date_start, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.date_start asc, t.id asc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and true and (t.date_start, t.id) < ($5::timestamptz, $6::uuid)
  order by t.date_start desc, t.id desc
  limit 51) page on true
order by page.date_start desc, page.id desc;

-- events, page after a cursor, descending: member
-- replica, plan kept
select page.id, page.date_start, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and t.status <> 0 and true and (t.date_start, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.date_start asc, t.id asc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and t.status <> 0 and true and (t.date_start, t.id) < ($5::timestamptz, $6::uuid)
  order by t.date_start desc, t.id desc
  limit 51) page on true
order by page.date_start desc, page.id desc;

-- events, last page: owner, manager
-- replica, plan kept
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and true
order by t.date_start desc, t.id desc
limit 51;

-- events, last page: member
-- replica, plan kept
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and true
order by t.date_start desc, t.id desc
limit 51;

-- events, page between two cursors: owner, manager
-- replica, plan kept
select page.id, page.date_start, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and true and (t.date_start, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.date_start desc, t.id desc
    limit 1) as _behind,(select true
    from "event" t
    where t.organization_id = $4::uuid and true and (t.date_start, t.id) >= ($5::timestamptz, $6::uuid)
    order by t.date_start asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.date_start
  from "event" t
  where t.organization_id = $7::uuid and true and (t.date_start, t.id) > ($8::timestamptz, $9::uuid) and (t.date_start, t.id) < ($10::timestamptz, $11::uuid)
  order by t.date_start asc, t.id asc
  limit 51) page on true
order by page.date_start asc, page.id asc;

-- events, page between two cursors: member
-- replica, plan kept
select page.id, page.date_start, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and t.status <> 0 and true and (t.date_start, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.date_start desc, t.id desc
    limit 1) as _behind,(select true
    from "event" t
    where t.organization_id = $4::uuid and t.status <> 0 and true and (t.date_start, t.id) >= ($5::timestamptz, $6::uuid)
    order by t.date_start asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.date_start
  from "event" t
  where t.organization_id = $7::uuid and t.status <> 0 and true and (t.date_start, t.id) > ($8::timestamptz, $9::uuid) and (t.date_start, t.id) < ($10::timestamptz, $11::uuid)
  order by t.date_start asc, t.id asc
  limit 51) page on true
order by page.date_start asc, page.id asc;

-- events, by created_at, first page: owner, manager
-- replica, plan kept
select t.id, t.created_at
from "event" t
where t.organization_id = $1::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- events, by created_at, first page: member
-- replica, plan kept
select t.id, t.created_at
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and true
order by t.created_at asc, t.id asc
limit 51;

-- events, by created_at, page after a cursor: owner, manager
-- replica, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "event" t
  where t.organization_id = $4::uuid and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- events, by created_at, page after a cursor: member
-- replica, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and t.status <> 0 and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "event" t
  where t.organization_id = $4::uuid and t.status <> 0 and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- events, by created_at, page before a cursor: owner, manager
-- replica, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from "event" t
  where t.organization_id = $4::uuid and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- events, by created_at, page before a cursor: member
-- replica, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and t.status <> 0 and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from "event" t
  where t.organization_id = $4::uuid and t.status <> 0 and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- events, first page by {"phase":{"eq":"UPCOMING"}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and (t.status = 1 and t.date_start > $2::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"phase":{"eq":"UPCOMING"}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and (t.status = 1 and t.date_start > $2::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"not":{"phase":{"eq":"UPCOMING"}}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and not (t.status = 1 and t.date_start > $2::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"not":{"phase":{"eq":"UPCOMING"}}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and not (t.status = 1 and t.date_start > $2::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"phase":{"eq":"IN_PROGRESS"}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and (t.status = 1 and t.date_start <= $2::timestamptz and t.date_end >= $3::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"phase":{"eq":"IN_PROGRESS"}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and (t.status = 1 and t.date_start <= $2::timestamptz and t.date_end >= $3::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"not":{"phase":{"eq":"IN_PROGRESS"}}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and not (t.status = 1 and t.date_start <= $2::timestamptz and t.date_end >= $3::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"not":{"phase":{"eq":"IN_PROGRESS"}}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and not (t.status = 1 and t.date_start <= $2::timestamptz and t.date_end >= $3::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"phase":{"eq":"CONCLUDED"}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and (t.status = 1 and t.date_end < $2::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"phase":{"eq":"CONCLUDED"}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and (t.status = 1 and t.date_end < $2::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"not":{"phase":{"eq":"CONCLUDED"}}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and not (t.status = 1 and t.date_end < $2::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"not":{"phase":{"eq":"CONCLUDED"}}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and not (t.status = 1 and t.date_end < $2::timestamptz)
order by t.date_start asc, t.id asc
limit 51;

-- events, count by {"name":"j"}: owner, manager
-- replica
select count(*)::int as count
from "event" t
where t.organization_id = $1::uuid and lower(t.name) like lower($2) and name_grams(t.name) @> array[lower($3)];

-- events, count by {"name":"j"}: member
-- replica
select count(*)::int as count
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and lower(t.name) like lower($2) and name_grams(t.name) @> array[lower($3)];

-- subscriptions of an event, first page with every field: owner, manager
-- replica, plan kept
select page.id, page.event_id, page.user_id, page.status, page.answers, page.checked_in_at, page.created_at, page.updated_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.event_id, t.user_id, t.status, t.answers, t.checked_in_at, t.created_at, t.updated_at
  from "subscription" t
  where t.event_id = p.id and true and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page with every field: member
-- replica, plan kept
select page.id, page.event_id, page.user_id, page.status, page.answers, page.checked_in_at, page.created_at, page.updated_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.event_id, t.user_id, t.status, t.answers, t.checked_in_at, t.created_at, t.updated_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $1::uuid and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page: owner, manager
-- replica, plan kept
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page: member
-- replica, plan kept
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $1::uuid and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions of an event, page after a cursor: owner, manager
-- replica, plan kept
select page.id, page.created_at, p.id as _parent, flags.*
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and true and true and (t.created_at, t.id) <= ($1::timestamptz, $2::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and true and (t.created_at, t.id) > ($3::timestamptz, $4::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($5::uuid[]) and p.organization_id = $6::uuid
order by page.created_at asc, page.id asc;

-- subscriptions of an event, page after a cursor: member
-- replica, plan kept
select page.id, page.created_at, p.id as _parent, flags.*
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and t.user_id = $1::uuid and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $4::uuid and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($7::uuid[]) and p.organization_id = $8::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions of an event, page before a cursor: owner, manager
-- replica, plan kept
select page.id, page.created_at, p.id as _parent, flags.*
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and true and true and (t.created_at, t.id) >= ($1::timestamptz, $2::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and true and (t.created_at, t.id) < ($3::timestamptz, $4::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
where p.id = any($5::uuid[]) and p.organization_id = $6::uuid
order by page.created_at desc, page.id desc;

-- subscriptions of an event, page before a cursor: member
-- replica, plan kept
select page.id, page.created_at, p.id as _parent, flags.*
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and t.user_id = $1::uuid and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $4::uuid and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
where p.id = any($7::uuid[]) and p.organization_id = $8::uuid and p.status <> 0
order by page.created_at desc, page.id desc;

-- subscriptions of an event, first page by {"user_id":"…"}: owner, manager
-- replica
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and t.user_id = $1::uuid
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page by {"user_id":"…"}: member
-- replica
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $1::uuid and t.user_id = $2::uuid
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($3::uuid[]) and p.organization_id = $4::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page by {"checked_in_at":null}: owner, manager
-- replica
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and t.checked_in_at is null
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page by {"checked_in_at":null}: member
-- replica
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $1::uuid and t.checked_in_at is null
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page by {"checked_in_at":{"$ne":null}}: owner, manager
-- replica
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and t.checked_in_at is not null
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page by {"checked_in_at":{"$ne":null}}: member
-- replica
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $1::uuid and t.checked_in_at is not null
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page by {"updated_at":{"$gt":"2026-01-01T00:00:00.000Z"}}: owner, manager
-- replica
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and t.updated_at > $1::timestamptz
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page by {"updated_at":{"$gt":"2026-01-01T00:00:00.000Z"}}: member
-- replica
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $1::uuid and t.updated_at > $2::timestamptz
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($3::uuid[]) and p.organization_id = $4::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions of an event, page after a cursor by {"status":"accepted"}: owner, manager
-- replica
select page.id, page.created_at, p.id as _parent, flags.*
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and true and t.status = $1::text and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and t.status = $4::text and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($7::uuid[]) and p.organization_id = $8::uuid
order by page.created_at asc, page.id asc;

-- subscriptions of an event, page after a cursor by {"status":"accepted"}: member
-- replica
select page.id, page.created_at, p.id as _parent, flags.*
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and t.user_id = $1::uuid and t.status = $2::text and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $5::uuid and t.status = $6::text and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($9::uuid[]) and p.organization_id = $10::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions of an event, count: owner, manager
-- replica
select p.id as _parent, (select count(*)::int
  from "subscription" t
  where t.event_id = p.id and true and true) as count
from "event" p
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid;

-- subscriptions of an event, count: member
-- replica
select p.id as _parent, (select count(*)::int
  from "subscription" t
  where t.event_id = p.id and t.user_id = $1::uuid and true) as count
from "event" p
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0;

-- subscriptions of an event, count by {"status":"accepted"}: owner, manager
-- replica
select p.id as _parent, (select count(*)::int
  from "subscription" t
  where t.event_id = p.id and true and t.status = $1::text) as count
from "event" p
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid;

-- subscriptions of an event, count by {"status":"accepted"}: member
-- replica
select p.id as _parent, (select count(*)::int
  from "subscription" t
  where t.event_id = p.id and t.user_id = $1::uuid and t.status = $2::text) as count
from "event" p
where p.id = any($3::uuid[]) and p.organization_id = $4::uuid and p.status <> 0;

-- subscriptions of an event, count up to 100: owner, manager
-- replica
select p.id as _parent, (select count(*)::int
  from (select
    from "subscription" t
    where t.event_id = p.id and true and true
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "event" p
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid;

-- subscriptions of an event, count up to 100: member
-- replica
select p.id as _parent, (select count(*)::int
  from (select
    from "subscription" t
    where t.event_id = p.id and t.user_id = $1::uuid and true
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "event" p
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0;

-- subscriptions of an event, count up to 100 by {"status":"accepted"}: owner, manager
-- replica
select p.id as _parent, (select count(*)::int
  from (select
    from "subscription" t
    where t.event_id = p.id and true and t.status = $1::text
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "event" p
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid;

-- subscriptions of an event, count up to 100 by {"status":"accepted"}: member
-- replica
select p.id as _parent, (select count(*)::int
  from (select
    from "subscription" t
    where t.event_id = p.id and t.user_id = $1::uuid and t.status = $2::text
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "event" p
where p.id = any($3::uuid[]) and p.organization_id = $4::uuid and p.status <> 0;

-- subscriptions of an event, by ids: owner, manager
-- primary
select t.id, t.event_id, t.user_id, t.status, t.answers, t.checked_in_at, t.created_at, t.updated_at
from subscription t
join event p on p.id = t.event_id
where p.organization_id = $1::uuid and true and t.id = any($2::uuid[]);

-- subscriptions of an event, by ids: member
-- primary
select t.id, t.event_id, t.user_id, t.status, t.answers, t.checked_in_at, t.created_at, t.updated_at
from subscription t
join event p on p.id = t.event_id
where p.organization_id = $1::uuid and p.status <> 0 and t.user_id = $2::uuid and t.id = any($3::uuid[]);

-- subscriptions of several events, first page: owner, manager
-- replica, plan kept
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid
order by page.created_at asc, page.id asc;

-- subscriptions of several events, first page: member
-- replica, plan kept
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $1::uuid and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions of several events, count: owner, manager
-- replica
select p.id as _parent, (select count(*)::int
  from "subscription" t
  where t.event_id = p.id and true and true) as count
from "event" p
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid;

-- subscriptions of several events, count: member
-- replica
select p.id as _parent, (select count(*)::int
  from "subscription" t
  where t.event_id = p.id and t.user_id = $1::uuid and true) as count
from "event" p
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0;

-- subscriptions with their users, first page: owner, manager
-- replica, plan kept
select page.user_id, page.id, page.created_at, p.id as _parent, u.name as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from "event" p
left join lateral (select t.user_id, t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid
order by page.created_at asc, page.id asc;

-- subscriptions with their users, first page: member
-- replica, plan kept
select page.user_id, page.id, page.created_at, p.id as _parent, u.name as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from "event" p
left join lateral (select t.user_id, t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $1::uuid and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions with their users, page after a cursor: owner, manager
-- replica, plan kept
select page.user_id, page.id, page.created_at, p.id as _parent, flags.*, u.name as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and true and true and (t.created_at, t.id) <= ($1::timestamptz, $2::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.user_id, t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and true and (t.created_at, t.id) > ($3::timestamptz, $4::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($5::uuid[]) and p.organization_id = $6::uuid
order by page.created_at asc, page.id asc;

-- subscriptions with their users, page after a cursor: member
-- replica, plan kept
select page.user_id, page.id, page.created_at, p.id as _parent, flags.*, u.name as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and t.user_id = $1::uuid and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.user_id, t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $4::uuid and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($7::uuid[]) and p.organization_id = $8::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions with their users, page before a cursor: owner, manager
-- replica, plan kept
select page.user_id, page.id, page.created_at, p.id as _parent, flags.*, u.name as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and true and true and (t.created_at, t.id) >= ($1::timestamptz, $2::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.user_id, t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and true and (t.created_at, t.id) < ($3::timestamptz, $4::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($5::uuid[]) and p.organization_id = $6::uuid
order by page.created_at desc, page.id desc;

-- subscriptions with their users, page before a cursor: member
-- replica, plan kept
select page.user_id, page.id, page.created_at, p.id as _parent, flags.*, u.name as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and t.user_id = $1::uuid and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.user_id, t.id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $4::uuid and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($7::uuid[]) and p.organization_id = $8::uuid and p.status <> 0
order by page.created_at desc, page.id desc;

-- subscriptions as JSON, first page: owner, manager
-- replica, plan kept
select page.id, page.created_at, '{"id":"' || encode(('EventSubscription:' || page.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(page.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}' as _json, p.id as _parent
from "event" p
left join lateral (select t.id, t.checked_in_at, t.user_id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid
order by page.created_at asc, page.id asc;

-- subscriptions as JSON, first page: member
-- replica, plan kept
select page.id, page.created_at, '{"id":"' || encode(('EventSubscription:' || page.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(page.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}' as _json, p.id as _parent
from "event" p
left join lateral (select t.id, t.checked_in_at, t.user_id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $1::uuid and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions as JSON, page after a cursor: owner, manager
-- replica, plan kept
select page.id, page.created_at, '{"id":"' || encode(('EventSubscription:' || page.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(page.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}' as _json, p.id as _parent, flags.*
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and true and true and (t.created_at, t.id) <= ($1::timestamptz, $2::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.checked_in_at, t.user_id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and true and (t.created_at, t.id) > ($3::timestamptz, $4::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($5::uuid[]) and p.organization_id = $6::uuid
order by page.created_at asc, page.id asc;

-- subscriptions as JSON, page after a cursor: member
-- replica, plan kept
select page.id, page.created_at, '{"id":"' || encode(('EventSubscription:' || page.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(page.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}' as _json, p.id as _parent, flags.*
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and t.user_id = $1::uuid and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.checked_in_at, t.user_id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $4::uuid and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($7::uuid[]) and p.organization_id = $8::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions as JSON, page before a cursor: owner, manager
-- replica, plan kept
select page.id, page.created_at, '{"id":"' || encode(('EventSubscription:' || page.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(page.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}' as _json, p.id as _parent, flags.*
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and true and true and (t.created_at, t.id) >= ($1::timestamptz, $2::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.checked_in_at, t.user_id, t.created_at
  from "subscription" t
  where t.event_id = p.id and true and true and (t.created_at, t.id) < ($3::timestamptz, $4::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($5::uuid[]) and p.organization_id = $6::uuid
order by page.created_at desc, page.id desc;

-- subscriptions as JSON, page before a cursor: member
-- replica, plan kept
select page.id, page.created_at, '{"id":"' || encode(('EventSubscription:' || page.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(page.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}' as _json, p.id as _parent, flags.*
from "event" p
left join lateral (select (select true
    from "subscription" t
    where t.event_id = p.id and t.user_id = $1::uuid and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.checked_in_at, t.user_id, t.created_at
  from "subscription" t
  where t.event_id = p.id and t.user_id = $4::uuid and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($7::uuid[]) and p.organization_id = $8::uuid and p.status <> 0
order by page.created_at desc, page.id desc;

-- events with their subscriptions, first page: owner, manager
-- replica, plan kept
select page.name, page.id, _nested
from (select 1) p
left join lateral (select t.name, t.id, t.date_start
  from "event" t
  where t.organization_id = $1::uuid and true
  order by t.date_start asc, t.id asc
  limit 51) page on true
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and true and true
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true
order by page.date_start asc, page.id asc;

-- events with their subscriptions, first page: member
-- replica, plan kept
select page.name, page.id, _nested
from (select 1) p
left join lateral (select t.name, t.id, t.date_start
  from "event" t
  where t.organization_id = $1::uuid and t.status <> 0 and true
  order by t.date_start asc, t.id asc
  limit 51) page on true
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and t.user_id = $2::uuid and true
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true
order by page.date_start asc, page.id asc;

-- events with their subscriptions, page after a cursor: owner, manager
-- replica, plan kept
select page.name, page.id, flags.*, _nested
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and true and (t.date_start, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.date_start desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.name, t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and true and (t.date_start, t.id) > ($5::timestamptz, $6::uuid)
  order by t.date_start asc, t.id asc
  limit 51) page on true
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and true and true
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true
order by page.date_start asc, page.id asc;

-- events with their subscriptions, page after a cursor: member
-- replica, plan kept
select page.name, page.id, flags.*, _nested
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and t.status <> 0 and true and (t.date_start, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.date_start desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.name, t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and t.status <> 0 and true and (t.date_start, t.id) > ($5::timestamptz, $6::uuid)
  order by t.date_start asc, t.id asc
  limit 51) page on true
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and t.user_id = $7::uuid and true
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true
order by page.date_start asc, page.id asc;

-- events with their subscriptions, page before a cursor: owner, manager
-- replica, plan kept
select page.name, page.id, flags.*, _nested
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and true and (t.date_start, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.date_start asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.name, t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and true and (t.date_start, t.id) < ($5::timestamptz, $6::uuid)
  order by t.date_start desc, t.id desc
  limit 51) page on true
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and true and true
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true
order by page.date_start desc, page.id desc;

-- events with their subscriptions, page before a cursor: member
-- replica, plan kept
select page.name, page.id, flags.*, _nested
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and t.status <> 0 and true and (t.date_start, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.date_start asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.name, t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and t.status <> 0 and true and (t.date_start, t.id) < ($5::timestamptz, $6::uuid)
  order by t.date_start desc, t.id desc
  limit 51) page on true
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and t.user_id = $7::uuid and true
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true
order by page.date_start desc, page.id desc;

-- events by ids with their subscriptions: owner, manager
-- primary, plan kept
select page.*, _nested
from (select t.id, t.name
  from "event" t
  where t.id = any($1::uuid[]) and t.organization_id = $2::uuid) page
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and true and true
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true;

-- events by ids with their subscriptions: member
-- primary, plan kept
select page.*, _nested
from (select t.id, t.name
  from "event" t
  where t.id = any($1::uuid[]) and t.organization_id = $2::uuid and t.status <> 0) page
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and t.user_id = $3::uuid and true
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true;

-- events with their accepted subscriptions, first page: owner, manager
-- replica
select page.name, page.id, _nested
from (select 1) p
left join lateral (select t.name, t.id, t.date_start
  from "event" t
  where t.organization_id = $1::uuid and true
  order by t.date_start asc, t.id asc
  limit 51) page on true
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and true and t.status = $2::text
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true
order by page.date_start asc, page.id asc;

-- events with their accepted subscriptions, first page: member
-- replica
select page.name, page.id, _nested
from (select 1) p
left join lateral (select t.name, t.id, t.date_start
  from "event" t
  where t.organization_id = $1::uuid and t.status <> 0 and true
  order by t.date_start asc, t.id asc
  limit 51) page on true
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and t.user_id = $2::uuid and t.status = $3::text
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true
order by page.date_start asc, page.id asc;

-- events with their accepted subscriptions, page after a cursor: owner, manager
-- replica
select page.name, page.id, flags.*, _nested
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and true and (t.date_start, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.date_start desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.name, t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and true and (t.date_start, t.id) > ($5::timestamptz, $6::uuid)
  order by t.date_start asc, t.id asc
  limit 51) page on true
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and true and t.status = $7::text
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true
order by page.date_start asc, page.id asc;

-- events with their accepted subscriptions, page after a cursor: member
-- replica
select page.name, page.id, flags.*, _nested
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and t.status <> 0 and true and (t.date_start, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.date_start desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.name, t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and t.status <> 0 and true and (t.date_start, t.id) > ($5::timestamptz, $6::uuid)
  order by t.date_start asc, t.id asc
  limit 51) page on true
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and t.user_id = $7::uuid and t.status = $8::text
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true
order by page.date_start asc, page.id asc;

-- events with their accepted subscriptions, page before a cursor: owner, manager
-- replica
select page.name, page.id, flags.*, _nested
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and true and (t.date_start, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.date_start asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.name, t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and true and (t.date_start, t.id) < ($5::timestamptz, $6::uuid)
  order by t.date_start desc, t.id desc
  limit 51) page on true
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and true and t.status = $7::text
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true
order by page.date_start desc, page.id desc;

-- events with their accepted subscriptions, page before a cursor: member
-- replica
select page.name, page.id, flags.*, _nested
from (select 1) p
left join lateral (select (select true
    from "event" t
    where t.organization_id = $1::uuid and t.status <> 0 and true and (t.date_start, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.date_start asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.name, t.id, t.date_start
  from "event" t
  where t.organization_id = $4::uuid and t.status <> 0 and true and (t.date_start, t.id) < ($5::timestamptz, $6::uuid)
  order by t.date_start desc, t.id desc
  limit 51) page on true
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and t.user_id = $7::uuid and t.status = $8::text
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true
order by page.date_start desc, page.id desc;

-- events by ids with their accepted subscriptions: owner, manager
-- primary
select page.*, _nested
from (select t.id, t.name
  from "event" t
  where t.id = any($1::uuid[]) and t.organization_id = $2::uuid) page
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and true and t.status = $3::text
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true;

-- events by ids with their accepted subscriptions: member
-- primary
select page.*, _nested
from (select t.id, t.name
  from "event" t
  where t.id = any($1::uuid[]) and t.organization_id = $2::uuid and t.status <> 0) page
left join lateral (select coalesce(string_agg(coalesce('{"id":"' || encode(('EventSubscription:' || nested.id)::bytea, 'base64') || '","checkedInAt":' || coalesce('"' || to_char(nested.checked_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null') || ',"user":{"name":' || to_json(u.name)::text || '}}', E'\x01'), ','
      order by nested.created_at asc, nested.id asc), '') as _nested
  from (select t.id, t.created_at, t.checked_in_at, t.user_id
    from subscription t
    where t.event_id = page.id and t.user_id = $3::uuid and t.status = $4::text
    order by t.created_at asc, t.id asc
    limit 5) nested
  left join "user" u on u.id = nested.user_id) along on true;

-- subscriptions, the viewer's own: owner, manager
-- primary
select t.id, t.event_id, t.status
from subscription t
join event p on p.id = t.event_id
where p.organization_id = $1::uuid and true and t.event_id = any($2::uuid[]) and t.user_id = $3::uuid
order by t.created_at desc, t.id desc;

-- subscriptions, the viewer's own: member
-- primary
select t.id, t.event_id, t.status
from subscription t
join event p on p.id = t.event_id
where p.organization_id = $1::uuid and p.status <> 0 and t.user_id = $2::uuid and t.event_id = any($3::uuid[]) and t.user_id = $4::uuid
order by t.created_at desc, t.id desc;

-- members, first page with every field: owner, manager
-- primary, plan kept
select t.id, t.user_id, t.role, t.created_at
from "membership" t
where t.organization_id = $1::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- members, first page with every field: member
-- primary, plan kept
select t.id, t.user_id, t.role, t.created_at
from "membership" t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- members, first page: owner, manager
-- primary, plan kept
select t.id, t.created_at
from "membership" t
where t.organization_id = $1::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- members, first page: member
-- primary, plan kept
select t.id, t.created_at
from "membership" t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- members, page after a cursor: owner, manager
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "membership" t
    where t.organization_id = $1::uuid and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "membership" t
  where t.organization_id = $4::uuid and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- members, page after a cursor: member
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "membership" t
    where t.organization_id = $1::uuid and t.user_id = $2::uuid and true and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "membership" t
  where t.organization_id = $5::uuid and t.user_id = $6::uuid and true and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- members, page before a cursor: owner, manager
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "membership" t
    where t.organization_id = $1::uuid and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from "membership" t
  where t.organization_id = $4::uuid and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- members, page before a cursor: member
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "membership" t
    where t.organization_id = $1::uuid and t.user_id = $2::uuid and true and (t.created_at, t.id) >= ($3::timestamptz, $4::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from "membership" t
  where t.organization_id = $5::uuid and t.user_id = $6::uuid and true and (t.created_at, t.id) < ($7::timestamptz, $8::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- members, first page by {"user_id":"…"}: owner, manager
-- primary
select t.id, t.created_at
from "membership" t
where t.organization_id = $1::uuid and t.user_id = $2::uuid
order by t.created_at asc, t.id asc
limit 51;

-- members, first page by {"user_id":"…"}: member
-- primary
select t.id, t.created_at
from "membership" t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and t.user_id = $3::uuid
order by t.created_at asc, t.id asc
limit 51;

-- members, first page by {"$not":{"role":{"$in":["manager","owner"]}}}: owner, manager
-- primary
select t.id, t.created_at
from "membership" t
where t.organization_id = $1::uuid and t.role <> all($2::text[])
order by t.created_at asc, t.id asc
limit 51;

-- members, first page by {"$not":{"role":{"$in":["manager","owner"]}}}: member
-- primary
select t.id, t.created_at
from "membership" t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and t.role <> all($3::text[])
order by t.created_at asc, t.id asc
limit 51;

-- members, page after a cursor by {"role":"owner"}: owner, manager
-- primary
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "membership" t
    where t.organization_id = $1::uuid and t.role = $2::text and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "membership" t
  where t.organization_id = $5::uuid and t.role = $6::text and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- members, page after a cursor by {"role":"owner"}: member
-- primary
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "membership" t
    where t.organization_id = $1::uuid and t.user_id = $2::uuid and t.role = $3::text and (t.created_at, t.id) <= ($4::timestamptz, $5::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "membership" t
  where t.organization_id = $6::uuid and t.user_id = $7::uuid and t.role = $8::text and (t.created_at, t.id) > ($9::timestamptz, $10::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- members, count: owner, manager
-- primary
select count(*)::int as count
from "membership" t
where t.organization_id = $1::uuid and true;

-- members, count: member
-- primary
select count(*)::int as count
from "membership" t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and true;

-- members, count by {"role":"owner"}: owner, manager
-- primary
select count(*)::int as count
from "membership" t
where t.organization_id = $1::uuid and t.role = $2::text;

-- members, count by {"role":"owner"}: member
-- primary
select count(*)::int as count
from "membership" t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and t.role = $3::text;

-- members, count up to 100: owner, manager
-- primary
select count(*)::int as count
from (select
  from "membership" t
  where t.organization_id = $1::uuid and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- members, count up to 100: member
-- primary
select count(*)::int as count
from (select
  from "membership" t
  where t.organization_id = $1::uuid and t.user_id = $2::uuid and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- members, count up to 100 by {"role":"owner"}: owner, manager
-- primary
select count(*)::int as count
from (select
  from "membership" t
  where t.organization_id = $1::uuid and t.role = $2::text
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- members, count up to 100 by {"role":"owner"}: member
-- primary
select count(*)::int as count
from (select
  from "membership" t
  where t.organization_id = $1::uuid and t.user_id = $2::uuid and t.role = $3::text
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- member, one: owner, manager
-- primary, plan kept
select t.id, t.user_id, t.role
from "membership" t
where t.id = any($1::uuid[]) and t.organization_id = $2::uuid;

-- member, one: member
-- primary, plan kept
select t.id, t.user_id, t.role
from "membership" t
where t.id = any($1::uuid[]) and t.organization_id = $2::uuid and t.user_id = $3::uuid;

-- memberships, by ids: owner, manager
-- primary, plan kept
select t.id, t.organization_id, t.user_id, t.role, t.created_at
from "membership" t
where t.id = any($1::uuid[]) and (t.user_id = $2::uuid or (t.organization_id = $3::uuid));

-- memberships, by ids: member
-- primary, plan kept
select t.id, t.organization_id, t.user_id, t.role, t.created_at
from "membership" t
where t.id = any($1::uuid[]) and (t.user_id = $2::uuid or (t.organization_id = $3::uuid and t.user_id = $4::uuid));

-- memberships, by ids: no organization
-- primary, plan kept
select t.id, t.organization_id, t.user_id, t.role, t.created_at
from "membership" t
where t.id = any($1::uuid[]) and t.user_id = $2::uuid;

-- memberships, the viewer's own: every role
-- primary
select t.id, t.organization_id, t.user_id, t.role, t.created_at
from membership t
where t.user_id = $1::uuid
order by t.created_at, t.id;

-- invitations, first page with every field: owner, manager
-- primary, plan kept
select t.id, t.email, t.role, t.inviter_id, t.created_at, t.expires_at
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and true
order by t.created_at asc, t.id asc
limit 51;

-- invitations, first page: owner, manager
-- primary, plan kept
select t.id, t.created_at
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and true
order by t.created_at asc, t.id asc
limit 51;

-- invitations, page after a cursor: owner, manager
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "invitation" t
    where t.organization_id = $1::uuid and t.expires_at > now() and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "invitation" t
  where t.organization_id = $4::uuid and t.expires_at > now() and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- invitations, page before a cursor: owner, manager
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "invitation" t
    where t.organization_id = $1::uuid and t.expires_at > now() and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from "invitation" t
  where t.organization_id = $4::uuid and t.expires_at > now() and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- invitations, first page by {"inviter_id":null}: owner, manager
-- primary
select t.id, t.created_at
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and t.inviter_id is null
order by t.created_at asc, t.id asc
limit 51;

-- invitations, first page by {"inviter_id":{"$ne":"…"}}: owner, manager
-- primary
select t.id, t.created_at
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and (t.inviter_id <> $2::uuid or t.inviter_id is null)
order by t.created_at asc, t.id asc
limit 51;

-- invitations, first page by {"expires_at":{"$lt":"2026-01-01T00:00:00.000Z"}}: owner, manager
-- primary
select t.id, t.created_at
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and t.expires_at < $2::timestamptz
order by t.created_at asc, t.id asc
limit 51;

-- invitations, page after a cursor by {"role":"manager"}: owner, manager
-- primary
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "invitation" t
    where t.organization_id = $1::uuid and t.expires_at > now() and t.role = $2::text and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "invitation" t
  where t.organization_id = $5::uuid and t.expires_at > now() and t.role = $6::text and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- invitations, count: owner, manager
-- primary
select count(*)::int as count
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and true;

-- invitations, count by {"role":"manager"}: owner, manager
-- primary
select count(*)::int as count
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and t.role = $2::text;

-- invitations, count up to 100: owner, manager
-- primary
select count(*)::int as count
from (select
  from "invitation" t
  where t.organization_id = $1::uuid and t.expires_at > now() and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- invitations, count up to 100 by {"role":"manager"}: owner, manager
-- primary
select count(*)::int as count
from (select
  from "invitation" t
  where t.organization_id = $1::uuid and t.expires_at > now() and t.role = $2::text
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- invitations, by ids: owner, manager
-- primary, plan kept
select t.id, t.email, t.role, t.inviter_id, t.created_at, t.expires_at
from "invitation" t
where t.id = any($1::uuid[]) and t.organization_id = $2::uuid and t.expires_at > now();

-- invitations, by ids: member
-- primary, plan kept
select t.id, t.email, t.role, t.inviter_id, t.created_at, t.expires_at
from "invitation" t
where t.id = any($1::uuid[]) and false;

-- audit entries, first page with every field: owner
-- replica, plan kept
select t.id, t.action, t.actor_id, t.subject_id, t.detail, t.ip, t.user_agent, t.request_id, t.created_at
from "audit_entry" t
where t.organization_id = $1::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- audit entries, first page: owner
-- replica, plan kept
select t.id, t.created_at
from "audit_entry" t
where t.organization_id = $1::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- audit entries, page after a cursor: owner
-- replica, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "audit_entry" t
    where t.organization_id = $1::uuid and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "audit_entry" t
  where t.organization_id = $4::uuid and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- audit entries, page before a cursor: owner
-- replica, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "audit_entry" t
    where t.organization_id = $1::uuid and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from "audit_entry" t
  where t.organization_id = $4::uuid and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- audit entries, first page by {"action":{"$in":["member.left","member.removed"]}}: owner
-- replica
select t.id, t.created_at
from "audit_entry" t
where t.organization_id = $1::uuid and t.action = any($2::text[])
order by t.created_at asc, t.id asc
limit 51;

-- audit entries, first page by {"actor_id":null}: owner
-- replica
select t.id, t.created_at
from "audit_entry" t
where t.organization_id = $1::uuid and t.actor_id is null
order by t.created_at asc, t.id asc
limit 51;

-- audit entries, first page by {"$or":[{"actor_id":{"$ne":null}},{"created_at":{"$lt":"2026-01-01T00:00:00.000Z"}}]}: owner
-- replica
select t.id, t.created_at
from "audit_entry" t
where t.organization_id = $1::uuid and (t.actor_id is not null or t.created_at < $2::timestamptz)
order by t.created_at asc, t.id asc
limit 51;

-- audit entries, page after a cursor by {"actor_id":"…"}: owner
-- replica
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "audit_entry" t
    where t.organization_id = $1::uuid and t.actor_id = $2::uuid and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "audit_entry" t
  where t.organization_id = $5::uuid and t.actor_id = $6::uuid and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- audit entries, count: owner
-- replica
select count(*)::int as count
from "audit_entry" t
where t.organization_id = $1::uuid and true;

-- audit entries, count by {"actor_id":"…"}: owner
-- replica
select count(*)::int as count
from "audit_entry" t
where t.organization_id = $1::uuid and t.actor_id = $2::uuid;

-- audit entries, count up to 100: owner
-- replica
select count(*)::int as count
from (select
  from "audit_entry" t
  where t.organization_id = $1::uuid and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- audit entries, count up to 100 by {"actor_id":"…"}: owner
-- replica
select count(*)::int as count
from (select
  from "audit_entry" t
  where t.organization_id = $1::uuid and t.actor_id = $2::uuid
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- audit entries, by ids: owner
-- primary, plan kept
select t.id, t.action, t.actor_id, t.subject_id, t.detail, t.ip, t.user_agent, t.request_id, t.created_at
from "audit_entry" t
where t.id = any($1::uuid[]) and t.organization_id = $2::uuid;

-- audit entries, by ids: manager, member
-- primary, plan kept
select t.id, t.action, t.actor_id, t.subject_id, t.detail, t.ip, t.user_agent, t.request_id, t.created_at
from "audit_entry" t
where t.id = any($1::uuid[]) and false;

-- sessions, first page with every field: every role
-- primary, plan kept
select t.id, t.created_at, t.last_used_at, t.expires_at, t.ip, t.user_agent, t.current
from (select s.*, s.id = $1::uuid as current
  from session s) t
where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $3) and true
order by t.created_at asc, t.id asc
limit 51;

-- sessions, first page: every role
-- primary, plan kept
select t.id, t.created_at
from (select s.*, s.id = $1::uuid as current
  from session s) t
where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $3) and true
order by t.created_at asc, t.id asc
limit 51;

-- sessions, page after a cursor: every role
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select s.*, s.id = $1::uuid as current
      from session s) t
    where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $3) and true and (t.created_at, t.id) <= ($4::timestamptz, $5::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select s.*, s.id = $6::uuid as current
    from session s) t
  where t.user_id = $7::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $8) and true and (t.created_at, t.id) > ($9::timestamptz, $10::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- sessions, page before a cursor: every role
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select s.*, s.id = $1::uuid as current
      from session s) t
    where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $3) and true and (t.created_at, t.id) >= ($4::timestamptz, $5::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from (select s.*, s.id = $6::uuid as current
    from session s) t
  where t.user_id = $7::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $8) and true and (t.created_at, t.id) < ($9::timestamptz, $10::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- sessions, first page by {"id":"…"}: every role
-- primary
select t.id, t.created_at
from (select s.*, s.id = $1::uuid as current
  from session s) t
where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $3) and t.id = $4::uuid
order by t.created_at asc, t.id asc
limit 51;

-- sessions, page after a cursor by {"created_at":{"$gte":"2026-01-01T00:00:00.000Z"}}: every role
-- primary
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select s.*, s.id = $1::uuid as current
      from session s) t
    where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $3) and t.created_at >= $4::timestamptz and (t.created_at, t.id) <= ($5::timestamptz, $6::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select s.*, s.id = $7::uuid as current
    from session s) t
  where t.user_id = $8::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $9) and t.created_at >= $10::timestamptz and (t.created_at, t.id) > ($11::timestamptz, $12::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- sessions, count: every role
-- primary
select count(*)::int as count
from (select s.*, s.id = $1::uuid as current
  from session s) t
where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $3) and true;

-- sessions, count by {"created_at":{"$gte":"2026-01-01T00:00:00.000Z"}}: every role
-- primary
select count(*)::int as count
from (select s.*, s.id = $1::uuid as current
  from session s) t
where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $3) and t.created_at >= $4::timestamptz;

-- sessions, count up to 100: every role
-- primary
select count(*)::int as count
from (select
  from (select s.*, s.id = $1::uuid as current
    from session s) t
  where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $3) and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- sessions, count up to 100 by {"created_at":{"$gte":"2026-01-01T00:00:00.000Z"}}: every role
-- primary
select count(*)::int as count
from (select
  from (select s.*, s.id = $1::uuid as current
    from session s) t
  where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $3) and t.created_at >= $4::timestamptz
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- sessions, by ids: every role
-- primary, plan kept
select t.id, t.created_at, t.last_used_at, t.expires_at, t.ip, t.user_agent, t.current
from (select s.*, s.id = $1::uuid as current
  from session s) t
where t.id = any($2::uuid[]) and t.user_id = $3::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => $4);

-- organizations, first page with every field: every role
-- primary, plan kept
select t.id, t.name, t.slug, t.signup, t.role, t.created_at
from (select o.*, m.role
  from organization o
  join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
where true and true
order by t.created_at asc, t.id asc
limit 51;

-- organizations, first page: every role
-- primary, plan kept
select t.id, t.created_at
from (select o.*, m.role
  from organization o
  join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
where true and true
order by t.created_at asc, t.id asc
limit 51;

-- organizations, page after a cursor: every role
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select o.*, m.role
      from organization o
      join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
    where true and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select o.*, m.role
    from organization o
    join membership m on m.organization_id = o.id and m.user_id = $4::uuid) t
  where true and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- organizations, page before a cursor: every role
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select o.*, m.role
      from organization o
      join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
    where true and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from (select o.*, m.role
    from organization o
    join membership m on m.organization_id = o.id and m.user_id = $4::uuid) t
  where true and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- organizations, first page by {"name":"j"}: every role
-- primary
select t.id, t.created_at
from (select o.*, m.role
  from organization o
  join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
where true and lower(t.name) like lower($2) and name_grams(t.name) @> array[lower($3)]
order by t.created_at asc, t.id asc
limit 51;

-- organizations, first page by {"name":"jaz"}: every role
-- primary
select t.id, t.created_at
from (select o.*, m.role
  from organization o
  join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
where true and lower(t.name) like lower($2)
order by t.created_at asc, t.id asc
limit 51;

-- organizations, first page by {"slug":"a"}: every role
-- primary
select t.id, t.created_at
from (select o.*, m.role
  from organization o
  join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
where true and t.slug = $2::text
order by t.created_at asc, t.id asc
limit 51;

-- organizations, first page by {"signup":{"$ne":"open"}}: every role
-- primary
select t.id, t.created_at
from (select o.*, m.role
  from organization o
  join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
where true and t.signup <> $2::text
order by t.created_at asc, t.id asc
limit 51;

-- organizations, page after a cursor by {"role":"owner"}: every role
-- primary
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select o.*, m.role
      from organization o
      join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
    where true and t.role = $2::text and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select o.*, m.role
    from organization o
    join membership m on m.organization_id = o.id and m.user_id = $5::uuid) t
  where true and t.role = $6::text and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- organizations, count: every role
-- primary
select count(*)::int as count
from (select o.*, m.role
  from organization o
  join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
where true and true;

-- organizations, count by {"role":"owner"}: every role
-- primary
select count(*)::int as count
from (select o.*, m.role
  from organization o
  join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
where true and t.role = $2::text;

-- organizations, count up to 100: every role
-- primary
select count(*)::int as count
from (select
  from (select o.*, m.role
    from organization o
    join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
  where true and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- organizations, count up to 100 by {"role":"owner"}: every role
-- primary
select count(*)::int as count
from (select
  from (select o.*, m.role
    from organization o
    join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
  where true and t.role = $2::text
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- organizations, by ids: every role
-- primary, plan kept
select t.id, t.name, t.slug, t.signup, t.role, t.created_at
from (select o.*, m.role
  from organization o
  join membership m on m.organization_id = o.id and m.user_id = $1::uuid) t
where t.id = any($2::uuid[]) and true;

-- users, by ids: every role
-- primary
select t.id, t.name, t.avatar_url, t.email
from "user" t
where t.id = any($1::uuid[]);

-- users whom the viewer knows, by ids: owner, manager
-- primary
select t.id, t.name, t.avatar_url, t.email
from "user" t
where t.id = any($1::uuid[]) and (t.id = $2::uuid or exists (select
    from membership m
    where m.user_id = t.id and m.organization_id = $3::uuid) or exists (select
    from subscription s
    join event e on e.id = s.event_id
    where s.user_id = t.id and e.organization_id = $4::uuid));

-- users whom the viewer knows, by ids: member
-- primary
select t.id, t.name, t.avatar_url, t.email
from "user" t
where t.id = any($1::uuid[]) and (t.id = $2::uuid);
