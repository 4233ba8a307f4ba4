-- events, first page with every field: owner, manager
-- replica, plan kept
select t.id, t.name, t.slug, t.description, t.status, t.date_start, t.date_end, t.timezone, t.location, t.capacity, t.visibility, t.registration, t.waiting_list, t.accepted_count, t.version, t.created_at, t.updated_at
from "event" t
where t.organization_id = $1::uuid and true
order by t.date_start asc, t.id asc
limit 51;

-- events, first page with every field: member
-- replica, plan kept
select t.id, t.name, t.slug, t.description, t.status, t.date_start, t.date_end, t.timezone, t.location, t.capacity, t.visibility, t.registration, t.waiting_list, t.accepted_count, t.version, t.created_at, t.updated_at
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

-- events, first page by {"viewer_subscription":{"$in":["accepted","pending"]}}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.id in (select newest.event_id
  from (select distinct on (s.event_id) s.event_id, s.status
    from subscription s
    where s.user_id = $2::uuid and s.organization_id = $3::uuid
    order by s.event_id, s.created_at desc, s.id desc) newest
  where newest.status = any($4::text[]))
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"viewer_subscription":{"$in":["accepted","pending"]}}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and t.id in (select newest.event_id
  from (select distinct on (s.event_id) s.event_id, s.status
    from subscription s
    where s.user_id = $2::uuid and s.organization_id = $3::uuid
    order by s.event_id, s.created_at desc, s.id desc) newest
  where newest.status = any($4::text[]))
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"viewer_subscription":null}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.id not in (select s.event_id
  from subscription s
  where s.user_id = $2::uuid and s.organization_id = $3::uuid)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"viewer_subscription":null}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and t.id not in (select s.event_id
  from subscription s
  where s.user_id = $2::uuid and s.organization_id = $3::uuid)
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"$or":[{"status":2},{"viewer_subscription":{"$ne":"accepted"}}]}: owner, manager
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and (t.status = $2::int or t.id not in (select newest.event_id
    from (select distinct on (s.event_id) s.event_id, s.status
      from subscription s
      where s.user_id = $3::uuid and s.organization_id = $4::uuid
      order by s.event_id, s.created_at desc, s.id desc) newest
    where newest.status = any($5::text[])))
order by t.date_start asc, t.id asc
limit 51;

-- events, first page by {"$or":[{"status":2},{"viewer_subscription":{"$ne":"accepted"}}]}: member
-- replica
select t.id, t.date_start
from "event" t
where t.organization_id = $1::uuid and t.status <> 0 and (t.status = $2::int or t.id not in (select newest.event_id
    from (select distinct on (s.event_id) s.event_id, s.status
      from subscription s
      where s.user_id = $3::uuid and s.organization_id = $4::uuid
      order by s.event_id, s.created_at desc, s.id desc) newest
    where newest.status = any($5::text[])))
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
select t.id, t.name, t.slug, t.description, t.status, t.date_start, t.date_end, t.timezone, t.location, t.capacity, t.visibility, t.registration, t.waiting_list, t.accepted_count, t.version, t.created_at, t.updated_at
from "event" t
where t.id = any($1::uuid[]) and t.organization_id = $2::uuid;

-- events, by ids: member
-- primary, plan kept
select t.id, t.name, t.slug, t.description, t.status, t.date_start, t.date_end, t.timezone, t.location, t.capacity, t.visibility, t.registration, t.waiting_list, t.accepted_count, t.version, t.created_at, t.updated_at
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

-- events, first page with their availability: owner, manager
-- replica, plan kept
select t.name, t.id, t.status, t.registration, t.date_end, t.capacity, t.accepted_count, t.waiting_list, t.somebody_waits, t.date_start
from (select "e".*, coalesce((select true as "waits"
      from "subscription" as "s"
      where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
      limit 1), false) as "somebody_waits", (select "o"."slug"
    from "organization" as "o"
    where "o"."id" = "e"."organization_id") as "organization_slug"
  from "event" as "e") t
where t.organization_id = $1::uuid and true
order by t.date_start asc, t.id asc
limit 51;

-- events, first page with their availability: member
-- replica, plan kept
select t.name, t.id, t.status, t.registration, t.date_end, t.capacity, t.accepted_count, t.waiting_list, t.somebody_waits, t.date_start
from (select "e".*, coalesce((select true as "waits"
      from "subscription" as "s"
      where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
      limit 1), false) as "somebody_waits", (select "o"."slug"
    from "organization" as "o"
    where "o"."id" = "e"."organization_id") as "organization_slug"
  from "event" as "e") t
where t.organization_id = $1::uuid and t.status <> 0 and true
order by t.date_start asc, t.id asc
limit 51;

-- events, first page from a time, sort 1: owner, manager
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

-- events, first page from a time, sort 1: member
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

-- events, first page from a time, sort -1: owner, manager
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

-- events, first page from a time, sort -1: member
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

-- events, the counts of their subscriptions: every role
-- replica, plan kept
select "e"."id", count(*) filter (where s.status = 'pending')::int as "pending", count(*) filter (where s.status = 'accepted')::int as "accepted", count(*) filter (where s.status = 'waitlisted')::int as "waitlisted", count(*) filter (where s.status = 'declined')::int as "declined", count(*) filter (where s.status = 'cancelled')::int as "cancelled", count(*) filter (where s.checked_in_at is not null)::int as "checked_in"
from "event" as "e"
left join "subscription" as "s" on "s"."event_id" = "e"."id"
where "e"."id" = any($1) and "e"."organization_id" = $2 group by "e"."id";

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

-- public events, first page with every field: every role
-- primary, plan kept
select t.id, t.name, t.slug, t.description, t.status, t.date_start, t.date_end, t.timezone, t.location, t.registration, t.updated_at, t.capacity, t.accepted_count, t.waiting_list, t.somebody_waits
from (select "e".*, coalesce((select true as "waits"
      from "subscription" as "s"
      where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
      limit 1), false) as "somebody_waits", (select "o"."slug"
    from "organization" as "o"
    where "o"."id" = "e"."organization_id") as "organization_slug"
  from "event" as "e") t
where t.organization_id = $1::uuid and t.visibility = 'public' and t.status in ($2, $3) and true
order by t.date_start asc, t.id asc
limit 51;

-- public events, first page: every role
-- primary, plan kept
select t.id, t.date_start
from (select "e".*, coalesce((select true as "waits"
      from "subscription" as "s"
      where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
      limit 1), false) as "somebody_waits", (select "o"."slug"
    from "organization" as "o"
    where "o"."id" = "e"."organization_id") as "organization_slug"
  from "event" as "e") t
where t.organization_id = $1::uuid and t.visibility = 'public' and t.status in ($2, $3) and true
order by t.date_start asc, t.id asc
limit 51;

-- public events, page after a cursor: every role
-- primary, plan kept
select page.id, page.date_start, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "e".*, coalesce((select true as "waits"
          from "subscription" as "s"
          where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
          limit 1), false) as "somebody_waits", (select "o"."slug"
        from "organization" as "o"
        where "o"."id" = "e"."organization_id") as "organization_slug"
      from "event" as "e") t
    where t.organization_id = $1::uuid and t.visibility = 'public' and t.status in ($2, $3) and true and (t.date_start, t.id) <= ($4::timestamptz, $5::uuid)
    order by t.date_start desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.date_start
  from (select "e".*, coalesce((select true as "waits"
        from "subscription" as "s"
        where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
        limit 1), false) as "somebody_waits", (select "o"."slug"
      from "organization" as "o"
      where "o"."id" = "e"."organization_id") as "organization_slug"
    from "event" as "e") t
  where t.organization_id = $6::uuid and t.visibility = 'public' and t.status in ($7, $8) and true and (t.date_start, t.id) > ($9::timestamptz, $10::uuid)
  order by t.date_start asc, t.id asc
  limit 51) page on true
order by page.date_start asc, page.id asc;

-- public events, page before a cursor: every role
-- primary, plan kept
select page.id, page.date_start, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "e".*, coalesce((select true as "waits"
          from "subscription" as "s"
          where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
          limit 1), false) as "somebody_waits", (select "o"."slug"
        from "organization" as "o"
        where "o"."id" = "e"."organization_id") as "organization_slug"
      from "event" as "e") t
    where t.organization_id = $1::uuid and t.visibility = 'public' and t.status in ($2, $3) and true and (t.date_start, t.id) >= ($4::timestamptz, $5::uuid)
    order by t.date_start asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.date_start
  from (select "e".*, coalesce((select true as "waits"
        from "subscription" as "s"
        where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
        limit 1), false) as "somebody_waits", (select "o"."slug"
      from "organization" as "o"
      where "o"."id" = "e"."organization_id") as "organization_slug"
    from "event" as "e") t
  where t.organization_id = $6::uuid and t.visibility = 'public' and t.status in ($7, $8) and true and (t.date_start, t.id) < ($9::timestamptz, $10::uuid)
  order by t.date_start desc, t.id desc
  limit 51) page on true
order by page.date_start desc, page.id desc;

-- public events, first page by {"slug":"a"}: every role
-- primary
select t.id, t.date_start
from (select "e".*, coalesce((select true as "waits"
      from "subscription" as "s"
      where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
      limit 1), false) as "somebody_waits", (select "o"."slug"
    from "organization" as "o"
    where "o"."id" = "e"."organization_id") as "organization_slug"
  from "event" as "e") t
where t.organization_id = $1::uuid and t.visibility = 'public' and t.status in ($2, $3) and t.slug = $4::text
order by t.date_start asc, t.id asc
limit 51;

-- public events, first page by {"name":"jaz"}: every role
-- primary
select t.id, t.date_start
from (select "e".*, coalesce((select true as "waits"
      from "subscription" as "s"
      where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
      limit 1), false) as "somebody_waits", (select "o"."slug"
    from "organization" as "o"
    where "o"."id" = "e"."organization_id") as "organization_slug"
  from "event" as "e") t
where t.organization_id = $1::uuid and t.visibility = 'public' and t.status in ($2, $3) and lower(t.name) like lower($4)
order by t.date_start asc, t.id asc
limit 51;

-- public events, first page by {"date_end":{"$gte":"2026-01-01T00:00:00.000Z"}}: every role
-- primary
select t.id, t.date_start
from (select "e".*, coalesce((select true as "waits"
      from "subscription" as "s"
      where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
      limit 1), false) as "somebody_waits", (select "o"."slug"
    from "organization" as "o"
    where "o"."id" = "e"."organization_id") as "organization_slug"
  from "event" as "e") t
where t.organization_id = $1::uuid and t.visibility = 'public' and t.status in ($2, $3) and t.date_end >= $4::timestamptz
order by t.date_start asc, t.id asc
limit 51;

-- public events, page after a cursor by {"status":1}: every role
-- primary
select page.id, page.date_start, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "e".*, coalesce((select true as "waits"
          from "subscription" as "s"
          where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
          limit 1), false) as "somebody_waits", (select "o"."slug"
        from "organization" as "o"
        where "o"."id" = "e"."organization_id") as "organization_slug"
      from "event" as "e") t
    where t.organization_id = $1::uuid and t.visibility = 'public' and t.status in ($2, $3) and t.status = $4::int and (t.date_start, t.id) <= ($5::timestamptz, $6::uuid)
    order by t.date_start desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.date_start
  from (select "e".*, coalesce((select true as "waits"
        from "subscription" as "s"
        where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
        limit 1), false) as "somebody_waits", (select "o"."slug"
      from "organization" as "o"
      where "o"."id" = "e"."organization_id") as "organization_slug"
    from "event" as "e") t
  where t.organization_id = $7::uuid and t.visibility = 'public' and t.status in ($8, $9) and t.status = $10::int and (t.date_start, t.id) > ($11::timestamptz, $12::uuid)
  order by t.date_start asc, t.id asc
  limit 51) page on true
order by page.date_start asc, page.id asc;

-- public events, count: every role
-- primary
select count(*)::int as count
from (select "e".*, coalesce((select true as "waits"
      from "subscription" as "s"
      where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
      limit 1), false) as "somebody_waits", (select "o"."slug"
    from "organization" as "o"
    where "o"."id" = "e"."organization_id") as "organization_slug"
  from "event" as "e") t
where t.organization_id = $1::uuid and t.visibility = 'public' and t.status in ($2, $3) and true;

-- public events, count by {"status":1}: every role
-- primary
select count(*)::int as count
from (select "e".*, coalesce((select true as "waits"
      from "subscription" as "s"
      where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
      limit 1), false) as "somebody_waits", (select "o"."slug"
    from "organization" as "o"
    where "o"."id" = "e"."organization_id") as "organization_slug"
  from "event" as "e") t
where t.organization_id = $1::uuid and t.visibility = 'public' and t.status in ($2, $3) and t.status = $4::int;

-- public events, count up to 100: every role
-- primary
select count(*)::int as count
from (select
  from (select "e".*, coalesce((select true as "waits"
        from "subscription" as "s"
        where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
        limit 1), false) as "somebody_waits", (select "o"."slug"
      from "organization" as "o"
      where "o"."id" = "e"."organization_id") as "organization_slug"
    from "event" as "e") t
  where t.organization_id = $1::uuid and t.visibility = 'public' and t.status in ($2, $3) and true
  order by t.date_start asc, t.id asc
  limit 101) capped;

-- public events, count up to 100 by {"status":1}: every role
-- primary
select count(*)::int as count
from (select
  from (select "e".*, coalesce((select true as "waits"
        from "subscription" as "s"
        where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
        limit 1), false) as "somebody_waits", (select "o"."slug"
      from "organization" as "o"
      where "o"."id" = "e"."organization_id") as "organization_slug"
    from "event" as "e") t
  where t.organization_id = $1::uuid and t.visibility = 'public' and t.status in ($2, $3) and t.status = $4::int
  order by t.date_start asc, t.id asc
  limit 101) capped;

-- public events, by ids: every role
-- primary, plan kept
select t.id, t.name, t.slug, t.description, t.status, t.date_start, t.date_end, t.timezone, t.location, t.registration, t.updated_at, t.capacity, t.accepted_count, t.waiting_list, t.somebody_waits
from (select "e".*, coalesce((select true as "waits"
      from "subscription" as "s"
      where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
      limit 1), false) as "somebody_waits", (select "o"."slug"
    from "organization" as "o"
    where "o"."id" = "e"."organization_id") as "organization_slug"
  from "event" as "e") t
where t.id = any($1::uuid[]) and t.organization_id = $2::uuid and t.visibility = 'public' and t.status in ($3, $4);

-- an event by its id or slug: owner, manager
-- primary, plan kept
select t.id, t.name, t.slug, t.status, t.visibility, t.organization_slug
from (select id, 1 as rank
  from event
  where organization_id = $1::uuid and id = $2::uuid) named cross
join lateral (select *
  from (select "e".*, coalesce((select true as "waits"
        from "subscription" as "s"
        where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
        limit 1), false) as "somebody_waits", (select "o"."slug"
      from "organization" as "o"
      where "o"."id" = "e"."organization_id") as "organization_slug"
    from "event" as "e") t
  where t.id = named.id
  limit 1) t
where t.organization_id = $3::uuid
order by named.rank
limit 1;

-- an event by its id or slug: member
-- primary, plan kept
select t.id, t.name, t.slug, t.status, t.visibility, t.organization_slug
from (select id, 1 as rank
  from event
  where organization_id = $1::uuid and id = $2::uuid) named cross
join lateral (select *
  from (select "e".*, coalesce((select true as "waits"
        from "subscription" as "s"
        where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
        limit 1), false) as "somebody_waits", (select "o"."slug"
      from "organization" as "o"
      where "o"."id" = "e"."organization_id") as "organization_slug"
    from "event" as "e") t
  where t.id = named.id
  limit 1) t
where t.organization_id = $3::uuid and t.status <> 0
order by named.rank
limit 1;

-- events, what the viewer can do: every role
-- primary, plan kept
select "e"."id", "e"."status", "e"."registration", "e"."date_end", "e"."capacity", "e"."accepted_count", "e"."waiting_list", (select "s"."status"
  from "subscription" as "s"
  where "s"."event_id" = "e"."id" and "s"."user_id" = $1
  order by "s"."created_at" desc, "s"."id" desc
  limit 1) as "newest", coalesce((select true as "found"
    from "subscription" as "s"
    where "s"."event_id" = "e"."id" and "s"."user_id" = $2 and "s"."status" = any($3)
    limit 1), false) as "isLive", coalesce((select true as "found"
    from "subscription" as "s"
    where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
    limit 1), false) as "somebodyWaits", coalesce((select true as "found"
    from "subscription" as "s"
    where "s"."event_id" = "e"."id"
    limit 1), false) as "isSubscribed"
from "event" as "e"
where "e"."id" = any($4) and "e"."organization_id" = $5;

-- subscriptions, what the viewer can do: every role
-- primary, plan kept
select "s"."id", "s"."status", "s"."checked_in_at", "e"."status" as "eventStatus", "e"."date_end"
from "subscription" as "s"
inner join "event" as "e" on "e"."id" = "s"."event_id"
where "s"."id" = any($1) and "e"."organization_id" = $2;

-- subscriptions, their positions on waiting lists: every role
-- replica, plan kept
select "w"."id", "w"."position"
from (select "id", row_number() over (partition by event_id
    order by waiting_since, id)::int as "position"
  from "subscription"
  where "status" = 'waitlisted' and "event_id" in (select "event_id"
    from "subscription"
    where "status" = 'waitlisted' and "id" = any($1))) as "w"
where "w"."id" = any($2);

-- a public event by its id or slug: every role
-- primary, plan kept
select t.id, t.name
from (select id, 1 as rank
  from event
  where organization_id = $1::uuid and id = $2::uuid) named cross
join lateral (select *
  from (select "e".*, coalesce((select true as "waits"
        from "subscription" as "s"
        where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
        limit 1), false) as "somebody_waits", (select "o"."slug"
      from "organization" as "o"
      where "o"."id" = "e"."organization_id") as "organization_slug"
    from "event" as "e") t
  where t.id = named.id
  limit 1) t
where t.organization_id = $3::uuid and t.visibility = 'public' and t.status in ($4, $5)
order by named.rank
limit 1;

-- a public event by its slug: every role
-- primary, plan kept
select t.id, t.status, t.registration, t.date_end, t.capacity, t.accepted_count, t.waiting_list, t.somebody_waits
from (select id, 1 as rank
  from event
  where organization_id = $1::uuid and slug = $2 union all
  select event_id as id, 2 as rank
  from event_slug
  where organization_id = $3::uuid and slug = $4) named cross
join lateral (select *
  from (select "e".*, coalesce((select true as "waits"
        from "subscription" as "s"
        where "s"."event_id" = "e"."id" and "s"."status" = 'waitlisted'
        limit 1), false) as "somebody_waits", (select "o"."slug"
      from "organization" as "o"
      where "o"."id" = "e"."organization_id") as "organization_slug"
    from "event" as "e") t
  where t.id = named.id
  limit 1) t
where t.organization_id = $5::uuid and t.visibility = 'public' and t.status in ($6, $7)
order by named.rank
limit 1;

-- the organization of public events: every role
-- primary, plan kept
select "o"."id", "o"."name", "o"."slug", "o"."version", coalesce(r.revision, 0)::text as "revision", (select e.date_end::text as "end"
  from "event" as "e"
  where "e"."organization_id" = "o"."id" and "e"."date_end" < $1
  order by "e"."date_end" desc
  limit 1) as "ended"
from "organization" as "o"
left join "public_revision" as "r" on "r"."organization_id" = "o"."id"
where "o"."deleted_at" is null and "o"."id" = $2;

-- the forms of events: owner, manager
-- primary, plan kept
select "t"."id", "form"."version", "form"."questions"
from "event" as "t"
left join lateral (select "f"."version", "c"."questions"
  from "form_version" as "f"
  inner join "form_content" as "c" on "c"."organization_id" = "f"."organization_id" and "c"."hash" = "f"."hash"
  where "f"."event_id" = "t"."id" and ($1::int is null or f.version = $2)
  order by "f"."version" desc
  limit 1) as "form" on true
where "t"."id" = any($3) and t.organization_id = $4::uuid;

-- the forms of events: member
-- primary, plan kept
select "t"."id", "form"."version", "form"."questions"
from "event" as "t"
left join lateral (select "f"."version", "c"."questions"
  from "form_version" as "f"
  inner join "form_content" as "c" on "c"."organization_id" = "f"."organization_id" and "c"."hash" = "f"."hash"
  where "f"."event_id" = "t"."id" and ($1::int is null or f.version = $2)
  order by "f"."version" desc
  limit 1) as "form" on true
where "t"."id" = any($3) and t.organization_id = $4::uuid and t.status <> 0;

-- an older version of a form: owner, manager
-- primary, plan kept
select "t"."id", "form"."version", "form"."questions"
from "event" as "t"
left join lateral (select "f"."version", "c"."questions"
  from "form_version" as "f"
  inner join "form_content" as "c" on "c"."organization_id" = "f"."organization_id" and "c"."hash" = "f"."hash"
  where "f"."event_id" = "t"."id" and ($1::int is null or f.version = $2)
  order by "f"."version" desc
  limit 1) as "form" on true
where "t"."id" = any($3) and t.organization_id = $4::uuid;

-- an older version of a form: member
-- primary, plan kept
select "t"."id", "form"."version", "form"."questions"
from "event" as "t"
left join lateral (select "f"."version", "c"."questions"
  from "form_version" as "f"
  inner join "form_content" as "c" on "c"."organization_id" = "f"."organization_id" and "c"."hash" = "f"."hash"
  where "f"."event_id" = "t"."id" and ($1::int is null or f.version = $2)
  order by "f"."version" desc
  limit 1) as "form" on true
where "t"."id" = any($3) and t.organization_id = $4::uuid and t.status <> 0;

-- the forms of public events: every role
-- primary, plan kept
select "t"."id", "form"."version", "form"."questions"
from "event" as "t"
left join lateral (select "f"."version", "c"."questions"
  from "form_version" as "f"
  inner join "form_content" as "c" on "c"."organization_id" = "f"."organization_id" and "c"."hash" = "f"."hash"
  where "f"."event_id" = "t"."id" and ($1::int is null or f.version = $2)
  order by "f"."version" desc
  limit 1) as "form" on true
where "t"."id" = any($3) and t.organization_id = $4::uuid and t.visibility = 'public' and t.status in ($5, $6);

-- subscriptions of an event, first page with every field: owner, manager
-- replica, plan kept
select page.id, page.event_id, page.user_id, page.attendee_name, page.status, page.answers, page.form_version, page.waiting_since, page.checked_in_at, page.created_at, page.updated_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.event_id, t.user_id, t.attendee_name, t.status, t.answers, t.form_version, t.waiting_since, t.checked_in_at, t.created_at, t.updated_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and true and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page with every field: member
-- replica, plan kept
select page.id, page.event_id, page.user_id, page.attendee_name, page.status, page.answers, page.form_version, page.waiting_since, page.checked_in_at, page.created_at, page.updated_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.event_id, t.user_id, t.attendee_name, t.status, t.answers, t.form_version, t.waiting_since, t.checked_in_at, t.created_at, t.updated_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and true and true and (t.created_at, t.id) <= ($1::timestamptz, $2::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and t.user_id = $1::uuid and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and true and true and (t.created_at, t.id) >= ($1::timestamptz, $2::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and t.user_id = $1::uuid and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and t.user_id = $1::uuid and t.user_id = $2::uuid
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($3::uuid[]) and p.organization_id = $4::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page by {"attendee_name":"j"}: owner, manager
-- replica
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and true and (case when t.guest_name is not null then lower(t.guest_name) like lower($1) and name_grams(t.guest_name) @> array[lower($2)] else exists (select
      from "user" u
      where u.id = t.user_id and lower(u.name) like lower($3) and name_grams(u.name) @> array[lower($4)]) end)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($5::uuid[]) and p.organization_id = $6::uuid
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page by {"attendee_name":"j"}: member
-- replica
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and t.user_id = $1::uuid and (case when t.guest_name is not null then lower(t.guest_name) like lower($2) and name_grams(t.guest_name) @> array[lower($3)] else exists (select
      from "user" u
      where u.id = t.user_id and lower(u.name) like lower($4) and name_grams(u.name) @> array[lower($5)]) end)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($6::uuid[]) and p.organization_id = $7::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions of an event, first page by {"checked_in_at":null}: owner, manager
-- replica
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and true and t.status = $1::text and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and t.user_id = $1::uuid and t.status = $2::text and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and t.user_id = $5::uuid and t.status = $6::text and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($9::uuid[]) and p.organization_id = $10::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions of an event, count: owner, manager
-- replica
select p.id as _parent, (select count(*)::int
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and true and true) as count
from "event" p
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid;

-- subscriptions of an event, count: member
-- replica
select p.id as _parent, (select count(*)::int
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and t.user_id = $1::uuid and true) as count
from "event" p
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0;

-- subscriptions of an event, count by {"status":"accepted"}: owner, manager
-- replica
select p.id as _parent, (select count(*)::int
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and true and t.status = $1::text) as count
from "event" p
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid;

-- subscriptions of an event, count by {"status":"accepted"}: member
-- replica
select p.id as _parent, (select count(*)::int
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and t.user_id = $1::uuid and t.status = $2::text) as count
from "event" p
where p.id = any($3::uuid[]) and p.organization_id = $4::uuid and p.status <> 0;

-- subscriptions of an event, count up to 100: owner, manager
-- replica
select p.id as _parent, (select count(*)::int
  from (select
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and true and true
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "event" p
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid;

-- subscriptions of an event, count up to 100: member
-- replica
select p.id as _parent, (select count(*)::int
  from (select
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and t.user_id = $1::uuid and true
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "event" p
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0;

-- subscriptions of an event, count up to 100 by {"status":"accepted"}: owner, manager
-- replica
select p.id as _parent, (select count(*)::int
  from (select
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and true and t.status = $1::text
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "event" p
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid;

-- subscriptions of an event, count up to 100 by {"status":"accepted"}: member
-- replica
select p.id as _parent, (select count(*)::int
  from (select
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and t.user_id = $1::uuid and t.status = $2::text
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "event" p
where p.id = any($3::uuid[]) and p.organization_id = $4::uuid and p.status <> 0;

-- subscriptions of an event, by ids: owner, manager
-- primary
select t.id, t.event_id, t.user_id, t.attendee_name, t.status, t.answers, t.form_version, t.waiting_since, t.checked_in_at, t.created_at, t.updated_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
join event p on (p.id, p.organization_id) = (t.event_id, t.organization_id)
where p.organization_id = $1::uuid and true and t.id = any($2::uuid[]);

-- subscriptions of an event, by ids: member
-- primary
select t.id, t.event_id, t.user_id, t.attendee_name, t.status, t.answers, t.form_version, t.waiting_since, t.checked_in_at, t.created_at, t.updated_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
join event p on (p.id, p.organization_id) = (t.event_id, t.organization_id)
where p.organization_id = $1::uuid and p.status <> 0 and t.user_id = $2::uuid and t.id = any($3::uuid[]);

-- subscriptions of several events, first page: owner, manager
-- replica, plan kept
select page.id, page.created_at, p.id as _parent
from "event" p
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
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
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and t.user_id = $1::uuid and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions of several events, count: owner, manager
-- replica
select p.id as _parent, (select count(*)::int
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and true and true) as count
from "event" p
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid;

-- subscriptions of several events, count: member
-- replica
select p.id as _parent, (select count(*)::int
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and t.user_id = $1::uuid and true) as count
from "event" p
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid and p.status <> 0;

-- subscriptions with their users, first page: owner, manager
-- replica, plan kept
select page.user_id, page.id, page.created_at, p.id as _parent, case when page.guest_name is null or is_known_user($1::uuid, u.id) then u.name end as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from "event" p
left join lateral (select t.user_id, t.id, t.created_at, t.guest_name
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and true and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid
order by page.created_at asc, page.id asc;

-- subscriptions with their users, first page: member
-- replica, plan kept
select page.user_id, page.id, page.created_at, p.id as _parent, case when page.guest_name is null or is_known_user($1::uuid, u.id) then u.name end as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from "event" p
left join lateral (select t.user_id, t.id, t.created_at, t.guest_name
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and t.user_id = $2::uuid and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($3::uuid[]) and p.organization_id = $4::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions with their users, page after a cursor: owner, manager
-- replica, plan kept
select page.user_id, page.id, page.created_at, p.id as _parent, flags.*, case when page.guest_name is null or is_known_user($1::uuid, u.id) then u.name end as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from "event" p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and true and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.user_id, t.id, t.created_at, t.guest_name
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and true and true and (t.created_at, t.id) > ($4::timestamptz, $5::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($6::uuid[]) and p.organization_id = $7::uuid
order by page.created_at asc, page.id asc;

-- subscriptions with their users, page after a cursor: member
-- replica, plan kept
select page.user_id, page.id, page.created_at, p.id as _parent, flags.*, case when page.guest_name is null or is_known_user($1::uuid, u.id) then u.name end as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from "event" p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and t.user_id = $2::uuid and true and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.user_id, t.id, t.created_at, t.guest_name
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and t.user_id = $5::uuid and true and (t.created_at, t.id) > ($6::timestamptz, $7::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($8::uuid[]) and p.organization_id = $9::uuid and p.status <> 0
order by page.created_at asc, page.id asc;

-- subscriptions with their users, page before a cursor: owner, manager
-- replica, plan kept
select page.user_id, page.id, page.created_at, p.id as _parent, flags.*, case when page.guest_name is null or is_known_user($1::uuid, u.id) then u.name end as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from "event" p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and true and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.user_id, t.id, t.created_at, t.guest_name
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and true and true and (t.created_at, t.id) < ($4::timestamptz, $5::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($6::uuid[]) and p.organization_id = $7::uuid
order by page.created_at desc, page.id desc;

-- subscriptions with their users, page before a cursor: member
-- replica, plan kept
select page.user_id, page.id, page.created_at, p.id as _parent, flags.*, case when page.guest_name is null or is_known_user($1::uuid, u.id) then u.name end as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from "event" p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = p.id and t.user_id = $2::uuid and true and (t.created_at, t.id) >= ($3::timestamptz, $4::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.user_id, t.id, t.created_at, t.guest_name
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.event_id = p.id and t.user_id = $5::uuid and true and (t.created_at, t.id) < ($6::timestamptz, $7::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
left join "user" u on u.id = page.user_id
where p.id = any($8::uuid[]) and p.organization_id = $9::uuid and p.status <> 0
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
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($2::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and true and true
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true
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
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($2::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and t.user_id = $3::uuid and true
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true
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
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($7::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and true and true
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true
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
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($7::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and t.user_id = $8::uuid and true
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true
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
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($7::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and true and true
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true
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
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($7::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and t.user_id = $8::uuid and true
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true
order by page.date_start desc, page.id desc;

-- events by ids with their subscriptions: owner, manager
-- primary, plan kept
select page.*, _nested
from (select t.id, t.name
  from "event" t
  where t.id = any($1::uuid[]) and t.organization_id = $2::uuid) page
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($3::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and true and true
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true;

-- events by ids with their subscriptions: member
-- primary, plan kept
select page.*, _nested
from (select t.id, t.name
  from "event" t
  where t.id = any($1::uuid[]) and t.organization_id = $2::uuid and t.status <> 0) page
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($3::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and t.user_id = $4::uuid and true
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true;

-- events with their accepted subscriptions, first page: owner, manager
-- replica
select page.name, page.id, _nested
from (select 1) p
left join lateral (select t.name, t.id, t.date_start
  from "event" t
  where t.organization_id = $1::uuid and true
  order by t.date_start asc, t.id asc
  limit 51) page on true
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($2::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and true and t.status = $3::text
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true
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
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($2::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and t.user_id = $3::uuid and t.status = $4::text
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true
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
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($7::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and true and t.status = $8::text
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true
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
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($7::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and t.user_id = $8::uuid and t.status = $9::text
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true
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
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($7::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and true and t.status = $8::text
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true
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
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($7::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and t.user_id = $8::uuid and t.status = $9::text
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true
order by page.date_start desc, page.id desc;

-- events by ids with their accepted subscriptions: owner, manager
-- primary
select page.*, _nested
from (select t.id, t.name
  from "event" t
  where t.id = any($1::uuid[]) and t.organization_id = $2::uuid) page
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($3::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and true and t.status = $4::text
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true;

-- events by ids with their accepted subscriptions: member
-- primary
select page.*, _nested
from (select t.id, t.name
  from "event" t
  where t.id = any($1::uuid[]) and t.organization_id = $2::uuid and t.status <> 0) page
left join lateral (select json_agg(json_build_array(page.status, page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($3::uuid, u.id) then u.name end)
    order by page.created_at asc, page.id asc) as _nested
  from (select t.status, t.user_id, t.id, t.created_at, t.guest_name
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.event_id = page.id and t.user_id = $4::uuid and t.status = $5::text
    order by t.created_at asc, t.id asc
    limit 6) page
  left join "user" u on u.id = page.user_id) nested on true;

-- subscriptions of the organization, first page with every field: owner, manager
-- replica, plan kept
select t.id, t.event_id, t.user_id, t.attendee_name, t.status, t.answers, t.form_version, t.waiting_since, t.checked_in_at, t.created_at, t.updated_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- subscriptions of the organization, first page with every field: member
-- replica, plan kept
select t.id, t.event_id, t.user_id, t.attendee_name, t.status, t.answers, t.form_version, t.waiting_since, t.checked_in_at, t.created_at, t.updated_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and exists (select
  from event e
  where e.id = t.event_id and e.organization_id = $3::uuid and e.status <> 0) and true
order by t.created_at asc, t.id asc
limit 51;

-- subscriptions of the organization, first page: owner, manager
-- replica, plan kept
select t.id, t.created_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- subscriptions of the organization, first page: member
-- replica, plan kept
select t.id, t.created_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and exists (select
  from event e
  where e.id = t.event_id and e.organization_id = $3::uuid and e.status <> 0) and true
order by t.created_at asc, t.id asc
limit 51;

-- subscriptions of the organization, page after a cursor: owner, manager
-- replica, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.organization_id = $1::uuid and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $4::uuid and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- subscriptions of the organization, page after a cursor: member
-- replica, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.organization_id = $1::uuid and t.user_id = $2::uuid and exists (select
      from event e
      where e.id = t.event_id and e.organization_id = $3::uuid and e.status <> 0) and true and (t.created_at, t.id) <= ($4::timestamptz, $5::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $6::uuid and t.user_id = $7::uuid and exists (select
    from event e
    where e.id = t.event_id and e.organization_id = $8::uuid and e.status <> 0) and true and (t.created_at, t.id) > ($9::timestamptz, $10::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- subscriptions of the organization, page before a cursor: owner, manager
-- replica, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.organization_id = $1::uuid and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $4::uuid and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- subscriptions of the organization, page before a cursor: member
-- replica, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.organization_id = $1::uuid and t.user_id = $2::uuid and exists (select
      from event e
      where e.id = t.event_id and e.organization_id = $3::uuid and e.status <> 0) and true and (t.created_at, t.id) >= ($4::timestamptz, $5::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $6::uuid and t.user_id = $7::uuid and exists (select
    from event e
    where e.id = t.event_id and e.organization_id = $8::uuid and e.status <> 0) and true and (t.created_at, t.id) < ($9::timestamptz, $10::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- subscriptions of the organization, first page by {"event_id":"…"}: owner, manager
-- replica
select t.id, t.created_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and t.event_id = $2::uuid
order by t.created_at asc, t.id asc
limit 51;

-- subscriptions of the organization, first page by {"event_id":"…"}: member
-- replica
select t.id, t.created_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and exists (select
  from event e
  where e.id = t.event_id and e.organization_id = $3::uuid and e.status <> 0) and t.event_id = $4::uuid
order by t.created_at asc, t.id asc
limit 51;

-- subscriptions of the organization, first page by {"event_id":{"$ne":"…"}}: owner, manager
-- replica
select t.id, t.created_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and t.event_id <> $2::uuid
order by t.created_at asc, t.id asc
limit 51;

-- subscriptions of the organization, first page by {"event_id":{"$ne":"…"}}: member
-- replica
select t.id, t.created_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and exists (select
  from event e
  where e.id = t.event_id and e.organization_id = $3::uuid and e.status <> 0) and t.event_id <> $4::uuid
order by t.created_at asc, t.id asc
limit 51;

-- subscriptions of the organization, first page by {"user_id":"…"}: owner, manager
-- replica
select t.id, t.created_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and t.user_id = $2::uuid
order by t.created_at asc, t.id asc
limit 51;

-- subscriptions of the organization, first page by {"user_id":"…"}: member
-- replica
select t.id, t.created_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and exists (select
  from event e
  where e.id = t.event_id and e.organization_id = $3::uuid and e.status <> 0) and t.user_id = $4::uuid
order by t.created_at asc, t.id asc
limit 51;

-- subscriptions of the organization, first page by {"checked_in_at":{"$ne":null}}: owner, manager
-- replica
select t.id, t.created_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and t.checked_in_at is not null
order by t.created_at asc, t.id asc
limit 51;

-- subscriptions of the organization, first page by {"checked_in_at":{"$ne":null}}: member
-- replica
select t.id, t.created_at
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and exists (select
  from event e
  where e.id = t.event_id and e.organization_id = $3::uuid and e.status <> 0) and t.checked_in_at is not null
order by t.created_at asc, t.id asc
limit 51;

-- subscriptions of the organization, page after a cursor by {"status":"accepted"}: owner, manager
-- replica
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.organization_id = $1::uuid and t.status = $2::text and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $5::uuid and t.status = $6::text and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- subscriptions of the organization, page after a cursor by {"status":"accepted"}: member
-- replica
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.organization_id = $1::uuid and t.user_id = $2::uuid and exists (select
      from event e
      where e.id = t.event_id and e.organization_id = $3::uuid and e.status <> 0) and t.status = $4::text and (t.created_at, t.id) <= ($5::timestamptz, $6::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $7::uuid and t.user_id = $8::uuid and exists (select
    from event e
    where e.id = t.event_id and e.organization_id = $9::uuid and e.status <> 0) and t.status = $10::text and (t.created_at, t.id) > ($11::timestamptz, $12::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- subscriptions of the organization, count: owner, manager
-- replica
select count(*)::int as count
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and true;

-- subscriptions of the organization, count: member
-- replica
select count(*)::int as count
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and exists (select
  from event e
  where e.id = t.event_id and e.organization_id = $3::uuid and e.status <> 0) and true;

-- subscriptions of the organization, count by {"status":"accepted"}: owner, manager
-- replica
select count(*)::int as count
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and t.status = $2::text;

-- subscriptions of the organization, count by {"status":"accepted"}: member
-- replica
select count(*)::int as count
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and exists (select
  from event e
  where e.id = t.event_id and e.organization_id = $3::uuid and e.status <> 0) and t.status = $4::text;

-- subscriptions of the organization, count up to 100: owner, manager
-- replica
select count(*)::int as count
from (select
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $1::uuid and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- subscriptions of the organization, count up to 100: member
-- replica
select count(*)::int as count
from (select
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $1::uuid and t.user_id = $2::uuid and exists (select
    from event e
    where e.id = t.event_id and e.organization_id = $3::uuid and e.status <> 0) and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- subscriptions of the organization, count up to 100 by {"status":"accepted"}: owner, manager
-- replica
select count(*)::int as count
from (select
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $1::uuid and t.status = $2::text
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- subscriptions of the organization, count up to 100 by {"status":"accepted"}: member
-- replica
select count(*)::int as count
from (select
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $1::uuid and t.user_id = $2::uuid and exists (select
    from event e
    where e.id = t.event_id and e.organization_id = $3::uuid and e.status <> 0) and t.status = $4::text
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- subscriptions of the organization with their users, first page: owner, manager
-- replica, plan kept
select page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($1::uuid, u.id) then u.name end as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from (select 1) p
left join lateral (select t.user_id, t.id, t.created_at, t.guest_name
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $2::uuid and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
order by page.created_at asc, page.id asc;

-- subscriptions of the organization with their users, first page: member
-- replica, plan kept
select page.user_id, page.id, page.created_at, case when page.guest_name is null or is_known_user($1::uuid, u.id) then u.name end as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from (select 1) p
left join lateral (select t.user_id, t.id, t.created_at, t.guest_name
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $2::uuid and t.user_id = $3::uuid and exists (select
    from event e
    where e.id = t.event_id and e.organization_id = $4::uuid and e.status <> 0) and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
order by page.created_at asc, page.id asc;

-- subscriptions of the organization with their users, page after a cursor: owner, manager
-- replica, plan kept
select page.user_id, page.id, page.created_at, flags.*, case when page.guest_name is null or is_known_user($1::uuid, u.id) then u.name end as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from (select 1) p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.organization_id = $2::uuid and true and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.user_id, t.id, t.created_at, t.guest_name
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $5::uuid and true and (t.created_at, t.id) > ($6::timestamptz, $7::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
order by page.created_at asc, page.id asc;

-- subscriptions of the organization with their users, page after a cursor: member
-- replica, plan kept
select page.user_id, page.id, page.created_at, flags.*, case when page.guest_name is null or is_known_user($1::uuid, u.id) then u.name end as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from (select 1) p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.organization_id = $2::uuid and t.user_id = $3::uuid and exists (select
      from event e
      where e.id = t.event_id and e.organization_id = $4::uuid and e.status <> 0) and true and (t.created_at, t.id) <= ($5::timestamptz, $6::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.user_id, t.id, t.created_at, t.guest_name
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $7::uuid and t.user_id = $8::uuid and exists (select
    from event e
    where e.id = t.event_id and e.organization_id = $9::uuid and e.status <> 0) and true and (t.created_at, t.id) > ($10::timestamptz, $11::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
left join "user" u on u.id = page.user_id
order by page.created_at asc, page.id asc;

-- subscriptions of the organization with their users, page before a cursor: owner, manager
-- replica, plan kept
select page.user_id, page.id, page.created_at, flags.*, case when page.guest_name is null or is_known_user($1::uuid, u.id) then u.name end as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from (select 1) p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.organization_id = $2::uuid and true and (t.created_at, t.id) >= ($3::timestamptz, $4::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.user_id, t.id, t.created_at, t.guest_name
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $5::uuid and true and (t.created_at, t.id) < ($6::timestamptz, $7::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
left join "user" u on u.id = page.user_id
order by page.created_at desc, page.id desc;

-- subscriptions of the organization with their users, page before a cursor: member
-- replica, plan kept
select page.user_id, page.id, page.created_at, flags.*, case when page.guest_name is null or is_known_user($1::uuid, u.id) then u.name end as user__name, u.avatar_url as user__avatar_url, u.email as user__email
from (select 1) p
left join lateral (select (select true
    from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
      from "subscription" as "s"
      left join "user" as "u" on "u"."id" = "s"."user_id") t
    where t.organization_id = $2::uuid and t.user_id = $3::uuid and exists (select
      from event e
      where e.id = t.event_id and e.organization_id = $4::uuid and e.status <> 0) and true and (t.created_at, t.id) >= ($5::timestamptz, $6::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.user_id, t.id, t.created_at, t.guest_name
  from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
    from "subscription" as "s"
    left join "user" as "u" on "u"."id" = "s"."user_id") t
  where t.organization_id = $7::uuid and t.user_id = $8::uuid and exists (select
    from event e
    where e.id = t.event_id and e.organization_id = $9::uuid and e.status <> 0) and true and (t.created_at, t.id) < ($10::timestamptz, $11::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
left join "user" u on u.id = page.user_id
order by page.created_at desc, page.id desc;

-- history of a subscription, first page with every field: owner, manager
-- primary, plan kept
select page.id, page.subscription_id, page.kind, page.status_from, page.status_to, page.actor_id, page.created_at, p.id as _parent
from "subscription" p
left join lateral (select t.id, t.subscription_id, t.kind, t.status_from, t.status_to, t.actor_id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid) and true
order by page.created_at asc, page.id asc;

-- history of a subscription, first page with every field: member
-- primary, plan kept
select page.id, page.subscription_id, page.kind, page.status_from, page.status_to, page.actor_id, page.created_at, p.id as _parent
from "subscription" p
left join lateral (select t.id, t.subscription_id, t.kind, t.status_from, t.status_to, t.actor_id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid and e.status <> 0) and p.user_id = $3::uuid
order by page.created_at asc, page.id asc;

-- history of a subscription, first page: owner, manager
-- primary, plan kept
select page.id, page.created_at, p.id as _parent
from "subscription" p
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid) and true
order by page.created_at asc, page.id asc;

-- history of a subscription, first page: member
-- primary, plan kept
select page.id, page.created_at, p.id as _parent
from "subscription" p
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid and e.status <> 0) and p.user_id = $3::uuid
order by page.created_at asc, page.id asc;

-- history of a subscription, page after a cursor: owner, manager
-- primary, plan kept
select page.id, page.created_at, p.id as _parent, flags.*
from "subscription" p
left join lateral (select (select true
    from "subscription_change" t
    where t.subscription_id = p.id and true and (t.created_at, t.id) <= ($1::timestamptz, $2::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and true and (t.created_at, t.id) > ($3::timestamptz, $4::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($5::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $6::uuid) and true
order by page.created_at asc, page.id asc;

-- history of a subscription, page after a cursor: member
-- primary, plan kept
select page.id, page.created_at, p.id as _parent, flags.*
from "subscription" p
left join lateral (select (select true
    from "subscription_change" t
    where t.subscription_id = p.id and true and (t.created_at, t.id) <= ($1::timestamptz, $2::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and true and (t.created_at, t.id) > ($3::timestamptz, $4::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($5::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $6::uuid and e.status <> 0) and p.user_id = $7::uuid
order by page.created_at asc, page.id asc;

-- history of a subscription, page before a cursor: owner, manager
-- primary, plan kept
select page.id, page.created_at, p.id as _parent, flags.*
from "subscription" p
left join lateral (select (select true
    from "subscription_change" t
    where t.subscription_id = p.id and true and (t.created_at, t.id) >= ($1::timestamptz, $2::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and true and (t.created_at, t.id) < ($3::timestamptz, $4::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
where p.id = any($5::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $6::uuid) and true
order by page.created_at desc, page.id desc;

-- history of a subscription, page before a cursor: member
-- primary, plan kept
select page.id, page.created_at, p.id as _parent, flags.*
from "subscription" p
left join lateral (select (select true
    from "subscription_change" t
    where t.subscription_id = p.id and true and (t.created_at, t.id) >= ($1::timestamptz, $2::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and true and (t.created_at, t.id) < ($3::timestamptz, $4::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
where p.id = any($5::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $6::uuid and e.status <> 0) and p.user_id = $7::uuid
order by page.created_at desc, page.id desc;

-- history of a subscription, first page by {"kind":"check_in"}: owner, manager
-- primary
select page.id, page.created_at, p.id as _parent
from "subscription" p
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and t.kind = $1::text
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $3::uuid) and true
order by page.created_at asc, page.id asc;

-- history of a subscription, first page by {"kind":"check_in"}: member
-- primary
select page.id, page.created_at, p.id as _parent
from "subscription" p
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and t.kind = $1::text
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $3::uuid and e.status <> 0) and p.user_id = $4::uuid
order by page.created_at asc, page.id asc;

-- history of a subscription, first page by {"status_from":null}: owner, manager
-- primary
select page.id, page.created_at, p.id as _parent
from "subscription" p
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and t.status_from is null
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid) and true
order by page.created_at asc, page.id asc;

-- history of a subscription, first page by {"status_from":null}: member
-- primary
select page.id, page.created_at, p.id as _parent
from "subscription" p
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and t.status_from is null
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid and e.status <> 0) and p.user_id = $3::uuid
order by page.created_at asc, page.id asc;

-- history of a subscription, first page by {"actor_id":{"$ne":"…"}}: owner, manager
-- primary
select page.id, page.created_at, p.id as _parent
from "subscription" p
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and (t.actor_id <> $1::uuid or t.actor_id is null)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $3::uuid) and true
order by page.created_at asc, page.id asc;

-- history of a subscription, first page by {"actor_id":{"$ne":"…"}}: member
-- primary
select page.id, page.created_at, p.id as _parent
from "subscription" p
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and (t.actor_id <> $1::uuid or t.actor_id is null)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $3::uuid and e.status <> 0) and p.user_id = $4::uuid
order by page.created_at asc, page.id asc;

-- history of a subscription, page after a cursor by {"status_to":"accepted"}: owner, manager
-- primary
select page.id, page.created_at, p.id as _parent, flags.*
from "subscription" p
left join lateral (select (select true
    from "subscription_change" t
    where t.subscription_id = p.id and t.status_to = $1::text and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and t.status_to = $4::text and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($7::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $8::uuid) and true
order by page.created_at asc, page.id asc;

-- history of a subscription, page after a cursor by {"status_to":"accepted"}: member
-- primary
select page.id, page.created_at, p.id as _parent, flags.*
from "subscription" p
left join lateral (select (select true
    from "subscription_change" t
    where t.subscription_id = p.id and t.status_to = $1::text and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and t.status_to = $4::text and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($7::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $8::uuid and e.status <> 0) and p.user_id = $9::uuid
order by page.created_at asc, page.id asc;

-- history of a subscription, count: owner, manager
-- primary
select p.id as _parent, (select count(*)::int
  from "subscription_change" t
  where t.subscription_id = p.id and true) as count
from "subscription" p
where p.id = any($1::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid) and true;

-- history of a subscription, count: member
-- primary
select p.id as _parent, (select count(*)::int
  from "subscription_change" t
  where t.subscription_id = p.id and true) as count
from "subscription" p
where p.id = any($1::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid and e.status <> 0) and p.user_id = $3::uuid;

-- history of a subscription, count by {"status_to":"accepted"}: owner, manager
-- primary
select p.id as _parent, (select count(*)::int
  from "subscription_change" t
  where t.subscription_id = p.id and t.status_to = $1::text) as count
from "subscription" p
where p.id = any($2::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $3::uuid) and true;

-- history of a subscription, count by {"status_to":"accepted"}: member
-- primary
select p.id as _parent, (select count(*)::int
  from "subscription_change" t
  where t.subscription_id = p.id and t.status_to = $1::text) as count
from "subscription" p
where p.id = any($2::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $3::uuid and e.status <> 0) and p.user_id = $4::uuid;

-- history of a subscription, count up to 100: owner, manager
-- primary
select p.id as _parent, (select count(*)::int
  from (select
    from "subscription_change" t
    where t.subscription_id = p.id and true
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "subscription" p
where p.id = any($1::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid) and true;

-- history of a subscription, count up to 100: member
-- primary
select p.id as _parent, (select count(*)::int
  from (select
    from "subscription_change" t
    where t.subscription_id = p.id and true
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "subscription" p
where p.id = any($1::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid and e.status <> 0) and p.user_id = $3::uuid;

-- history of a subscription, count up to 100 by {"status_to":"accepted"}: owner, manager
-- primary
select p.id as _parent, (select count(*)::int
  from (select
    from "subscription_change" t
    where t.subscription_id = p.id and t.status_to = $1::text
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "subscription" p
where p.id = any($2::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $3::uuid) and true;

-- history of a subscription, count up to 100 by {"status_to":"accepted"}: member
-- primary
select p.id as _parent, (select count(*)::int
  from (select
    from "subscription_change" t
    where t.subscription_id = p.id and t.status_to = $1::text
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "subscription" p
where p.id = any($2::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $3::uuid and e.status <> 0) and p.user_id = $4::uuid;

-- history of a subscription, by ids: owner, manager
-- primary, plan kept
select t.id, t.subscription_id, t.kind, t.status_from, t.status_to, t.actor_id, t.created_at
from "subscription_change" t
where t.id = any($1::uuid[]) and exists (select
  from subscription p
  where p.id = t.subscription_id and exists (select
    from event e
    where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid) and true);

-- history of a subscription, by ids: member
-- primary, plan kept
select t.id, t.subscription_id, t.kind, t.status_from, t.status_to, t.actor_id, t.created_at
from "subscription_change" t
where t.id = any($1::uuid[]) and exists (select
  from subscription p
  where p.id = t.subscription_id and exists (select
    from event e
    where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid and e.status <> 0) and p.user_id = $3::uuid);

-- histories of several subscriptions, first page: owner, manager
-- primary, plan kept
select page.id, page.created_at, p.id as _parent
from "subscription" p
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid) and true
order by page.created_at asc, page.id asc;

-- histories of several subscriptions, first page: member
-- primary, plan kept
select page.id, page.created_at, p.id as _parent
from "subscription" p
left join lateral (select t.id, t.created_at
  from "subscription_change" t
  where t.subscription_id = p.id and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and exists (select
  from event e
  where (e.id, e.organization_id) = (p.event_id, p.organization_id) and e.organization_id = $2::uuid and e.status <> 0) and p.user_id = $3::uuid
order by page.created_at asc, page.id asc;

-- subscriptions, the viewer's own: owner, manager
-- primary
select t.id, t.event_id, t.status
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
join event p on (p.id, p.organization_id) = (t.event_id, t.organization_id)
where p.organization_id = $1::uuid and true and t.event_id = any($2::uuid[]) and t.user_id = $3::uuid
order by t.created_at desc, t.id desc;

-- subscriptions, the viewer's own: member
-- primary
select t.id, t.event_id, t.status
from (select "s".*, coalesce("s"."guest_name", "u"."name") as "attendee_name"
  from "subscription" as "s"
  left join "user" as "u" on "u"."id" = "s"."user_id") t
join event p on (p.id, p.organization_id) = (t.event_id, t.organization_id)
where p.organization_id = $1::uuid and p.status <> 0 and t.user_id = $2::uuid and t.event_id = any($3::uuid[]) and t.user_id = $4::uuid
order by t.created_at desc, t.id desc;

-- members, first page with every field: owner, manager
-- primary, plan kept
select t.id, t.user_id, t.role, t.created_at
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- members, first page with every field: member
-- primary, plan kept
select t.id, t.user_id, t.role, t.created_at
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- members, first page: owner, manager
-- primary, plan kept
select t.id, t.created_at
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- members, first page: member
-- primary, plan kept
select t.id, t.created_at
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- members, page after a cursor: owner, manager
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "m".*, "u"."name", "u"."mailbox"
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null) t
    where t.organization_id = $1::uuid and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "m".*, "u"."name", "u"."mailbox"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) t
  where t.organization_id = $4::uuid and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- members, page after a cursor: member
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "m".*, "u"."name", "u"."mailbox"
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null) t
    where t.organization_id = $1::uuid and t.user_id = $2::uuid and true and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "m".*, "u"."name", "u"."mailbox"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) t
  where t.organization_id = $5::uuid and t.user_id = $6::uuid and true and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- members, page before a cursor: owner, manager
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "m".*, "u"."name", "u"."mailbox"
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null) t
    where t.organization_id = $1::uuid and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from (select "m".*, "u"."name", "u"."mailbox"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) t
  where t.organization_id = $4::uuid and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- members, page before a cursor: member
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "m".*, "u"."name", "u"."mailbox"
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null) t
    where t.organization_id = $1::uuid and t.user_id = $2::uuid and true and (t.created_at, t.id) >= ($3::timestamptz, $4::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from (select "m".*, "u"."name", "u"."mailbox"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) t
  where t.organization_id = $5::uuid and t.user_id = $6::uuid and true and (t.created_at, t.id) < ($7::timestamptz, $8::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- members, first page by {"user_id":"…"}: owner, manager
-- primary
select t.id, t.created_at
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and t.user_id = $2::uuid
order by t.created_at asc, t.id asc
limit 51;

-- members, first page by {"user_id":"…"}: member
-- primary
select t.id, t.created_at
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and t.user_id = $3::uuid
order by t.created_at asc, t.id asc
limit 51;

-- members, first page by {"$not":{"role":{"$in":["manager","owner"]}}}: owner, manager
-- primary
select t.id, t.created_at
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and t.role <> all($2::text[])
order by t.created_at asc, t.id asc
limit 51;

-- members, first page by {"$not":{"role":{"$in":["manager","owner"]}}}: member
-- primary
select t.id, t.created_at
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and t.role <> all($3::text[])
order by t.created_at asc, t.id asc
limit 51;

-- members, first page by {"name":"jaz"}: owner, manager
-- primary
select t.id, t.created_at
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and lower(t.name) like lower($2)
order by t.created_at asc, t.id asc
limit 51;

-- members, first page by {"name":"jaz"}: member
-- primary
select t.id, t.created_at
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and lower(t.name) like lower($3)
order by t.created_at asc, t.id asc
limit 51;

-- members, first page by {"email":"a@b.example"}: owner, manager
-- primary
select t.id, t.created_at
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and t.mailbox = $2::text
order by t.created_at asc, t.id asc
limit 51;

-- members, page after a cursor by {"role":"owner"}: owner, manager
-- primary
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "m".*, "u"."name", "u"."mailbox"
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null) t
    where t.organization_id = $1::uuid and t.role = $2::text and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "m".*, "u"."name", "u"."mailbox"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) t
  where t.organization_id = $5::uuid and t.role = $6::text and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- members, page after a cursor by {"role":"owner"}: member
-- primary
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "m".*, "u"."name", "u"."mailbox"
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null) t
    where t.organization_id = $1::uuid and t.user_id = $2::uuid and t.role = $3::text and (t.created_at, t.id) <= ($4::timestamptz, $5::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "m".*, "u"."name", "u"."mailbox"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) t
  where t.organization_id = $6::uuid and t.user_id = $7::uuid and t.role = $8::text and (t.created_at, t.id) > ($9::timestamptz, $10::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- members, count: owner, manager
-- primary
select count(*)::int as count
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and true;

-- members, count: member
-- primary
select count(*)::int as count
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and true;

-- members, count by {"role":"owner"}: owner, manager
-- primary
select count(*)::int as count
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and t.role = $2::text;

-- members, count by {"role":"owner"}: member
-- primary
select count(*)::int as count
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.organization_id = $1::uuid and t.user_id = $2::uuid and t.role = $3::text;

-- members, count up to 100: owner, manager
-- primary
select count(*)::int as count
from (select
  from (select "m".*, "u"."name", "u"."mailbox"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) t
  where t.organization_id = $1::uuid and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- members, count up to 100: member
-- primary
select count(*)::int as count
from (select
  from (select "m".*, "u"."name", "u"."mailbox"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) t
  where t.organization_id = $1::uuid and t.user_id = $2::uuid and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- members, count up to 100 by {"role":"owner"}: owner, manager
-- primary
select count(*)::int as count
from (select
  from (select "m".*, "u"."name", "u"."mailbox"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) t
  where t.organization_id = $1::uuid and t.role = $2::text
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- members, count up to 100 by {"role":"owner"}: member
-- primary
select count(*)::int as count
from (select
  from (select "m".*, "u"."name", "u"."mailbox"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) t
  where t.organization_id = $1::uuid and t.user_id = $2::uuid and t.role = $3::text
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- member, one: owner, manager
-- primary, plan kept
select t.id, t.user_id, t.role
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.id = any($1::uuid[]) and t.organization_id = $2::uuid;

-- member, one: member
-- primary, plan kept
select t.id, t.user_id, t.role
from (select "m".*, "u"."name", "u"."mailbox"
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.id = any($1::uuid[]) and t.organization_id = $2::uuid and t.user_id = $3::uuid;

-- memberships, by ids: owner, manager
-- primary, plan kept
select t.id, t.organization_id, t.user_id, t.role, t.created_at
from (select "m".*
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.id = any($1::uuid[]) and (t.user_id = $2::uuid or t.organization_id = $3::uuid);

-- memberships, by ids: member, no organization
-- primary, plan kept
select t.id, t.organization_id, t.user_id, t.role, t.created_at
from (select "m".*
  from "membership" as "m"
  inner join "user" as "u" on "u"."id" = "m"."user_id"
  where "u"."verified_at" is not null) t
where t.id = any($1::uuid[]) and t.user_id = $2::uuid;

-- memberships, the viewer's own: every role
-- primary, plan kept
select "m"."id", "m"."organization_id", "m"."user_id", "m"."role", "m"."created_at"
from "membership" as "m"
inner join "user" as "u" on "u"."id" = "m"."user_id"
where "u"."verified_at" is not null and "m"."user_id" = $1
order by "m"."created_at", "m"."id";

-- invitations, first page with every field: owner, manager
-- primary, plan kept
select t.id, t.email, t.role, t.inviter_id, t.created_at, t.expires_at, t.mailed_at
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and exists (select
  from (select "m".*
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) inviter
  where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and true
order by t.created_at asc, t.id asc
limit 51;

-- invitations, first page: owner, manager
-- primary, plan kept
select t.id, t.created_at
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and exists (select
  from (select "m".*
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) inviter
  where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and true
order by t.created_at asc, t.id asc
limit 51;

-- invitations, page after a cursor: owner, manager
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "invitation" t
    where t.organization_id = $1::uuid and t.expires_at > now() and exists (select
      from (select "m".*
        from "membership" as "m"
        inner join "user" as "u" on "u"."id" = "m"."user_id"
        where "u"."verified_at" is not null) inviter
      where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "invitation" t
  where t.organization_id = $4::uuid and t.expires_at > now() and exists (select
    from (select "m".*
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null) inviter
    where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- invitations, page before a cursor: owner, manager
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "invitation" t
    where t.organization_id = $1::uuid and t.expires_at > now() and exists (select
      from (select "m".*
        from "membership" as "m"
        inner join "user" as "u" on "u"."id" = "m"."user_id"
        where "u"."verified_at" is not null) inviter
      where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from "invitation" t
  where t.organization_id = $4::uuid and t.expires_at > now() and exists (select
    from (select "m".*
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null) inviter
    where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- invitations, first page by {"inviter_id":null}: owner, manager
-- primary
select t.id, t.created_at
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and exists (select
  from (select "m".*
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) inviter
  where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and t.inviter_id is null
order by t.created_at asc, t.id asc
limit 51;

-- invitations, first page by {"inviter_id":{"$ne":"…"}}: owner, manager
-- primary
select t.id, t.created_at
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and exists (select
  from (select "m".*
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) inviter
  where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and (t.inviter_id <> $2::uuid or t.inviter_id is null)
order by t.created_at asc, t.id asc
limit 51;

-- invitations, first page by {"expires_at":{"$lt":"2026-01-01T00:00:00.000Z"}}: owner, manager
-- primary
select t.id, t.created_at
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and exists (select
  from (select "m".*
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) inviter
  where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and t.expires_at < $2::timestamptz
order by t.created_at asc, t.id asc
limit 51;

-- invitations, page after a cursor by {"role":"manager"}: owner, manager
-- primary
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from "invitation" t
    where t.organization_id = $1::uuid and t.expires_at > now() and exists (select
      from (select "m".*
        from "membership" as "m"
        inner join "user" as "u" on "u"."id" = "m"."user_id"
        where "u"."verified_at" is not null) inviter
      where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and t.role = $2::text and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "invitation" t
  where t.organization_id = $5::uuid and t.expires_at > now() and exists (select
    from (select "m".*
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null) inviter
    where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and t.role = $6::text and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- invitations, count: owner, manager
-- primary
select count(*)::int as count
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and exists (select
  from (select "m".*
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) inviter
  where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and true;

-- invitations, count by {"role":"manager"}: owner, manager
-- primary
select count(*)::int as count
from "invitation" t
where t.organization_id = $1::uuid and t.expires_at > now() and exists (select
  from (select "m".*
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) inviter
  where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and t.role = $2::text;

-- invitations, count up to 100: owner, manager
-- primary
select count(*)::int as count
from (select
  from "invitation" t
  where t.organization_id = $1::uuid and t.expires_at > now() and exists (select
    from (select "m".*
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null) inviter
    where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- invitations, count up to 100 by {"role":"manager"}: owner, manager
-- primary
select count(*)::int as count
from (select
  from "invitation" t
  where t.organization_id = $1::uuid and t.expires_at > now() and exists (select
    from (select "m".*
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null) inviter
    where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner'))) and t.role = $2::text
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- invitations, by ids: owner, manager
-- primary, plan kept
select t.id, t.email, t.role, t.inviter_id, t.created_at, t.expires_at, t.mailed_at
from "invitation" t
where t.id = any($1::uuid[]) and t.organization_id = $2::uuid and t.expires_at > now() and exists (select
  from (select "m".*
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null) inviter
  where inviter.organization_id = t.organization_id and inviter.user_id = t.inviter_id and (inviter.role = 'owner' or (inviter.role = 'manager' and t.role <> 'owner')));

-- API keys, first page with every field: owner
-- primary, plan kept
select t.id, t.name, t.role, t.access, t.webhooks, t.prefix, t.created_by, t.created_at, t.updated_at, t.expires_at, t.last_used_at
from (select "k".*, "u"."name", "u"."updated_at"
  from "api_key" as "k"
  inner join "user" as "u" on "u"."id" = "k"."id") t
where t.organization_id = $1::uuid and t.ended_at is null and true
order by t.created_at asc, t.id asc
limit 51;

-- API keys, first page: owner
-- primary, plan kept
select t.id, t.created_at
from (select "k".*, "u"."name", "u"."updated_at"
  from "api_key" as "k"
  inner join "user" as "u" on "u"."id" = "k"."id") t
where t.organization_id = $1::uuid and t.ended_at is null and true
order by t.created_at asc, t.id asc
limit 51;

-- API keys, page after a cursor: owner
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "k".*, "u"."name", "u"."updated_at"
      from "api_key" as "k"
      inner join "user" as "u" on "u"."id" = "k"."id") t
    where t.organization_id = $1::uuid and t.ended_at is null and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "k".*, "u"."name", "u"."updated_at"
    from "api_key" as "k"
    inner join "user" as "u" on "u"."id" = "k"."id") t
  where t.organization_id = $4::uuid and t.ended_at is null and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- API keys, page before a cursor: owner
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "k".*, "u"."name", "u"."updated_at"
      from "api_key" as "k"
      inner join "user" as "u" on "u"."id" = "k"."id") t
    where t.organization_id = $1::uuid and t.ended_at is null and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from (select "k".*, "u"."name", "u"."updated_at"
    from "api_key" as "k"
    inner join "user" as "u" on "u"."id" = "k"."id") t
  where t.organization_id = $4::uuid and t.ended_at is null and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- API keys, first page by {"name":"shop"}: owner
-- primary
select t.id, t.created_at
from (select "k".*, "u"."name", "u"."updated_at"
  from "api_key" as "k"
  inner join "user" as "u" on "u"."id" = "k"."id") t
where t.organization_id = $1::uuid and t.ended_at is null and lower(t.name) like lower($2)
order by t.created_at asc, t.id asc
limit 51;

-- API keys, first page by {"role":"member","access":{"$ne":"read"}}: owner
-- primary
select t.id, t.created_at
from (select "k".*, "u"."name", "u"."updated_at"
  from "api_key" as "k"
  inner join "user" as "u" on "u"."id" = "k"."id") t
where t.organization_id = $1::uuid and t.ended_at is null and (t.access <> $2::text and t.role = $3::text)
order by t.created_at asc, t.id asc
limit 51;

-- API keys, page after a cursor by {"access":"write"}: owner
-- primary
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "k".*, "u"."name", "u"."updated_at"
      from "api_key" as "k"
      inner join "user" as "u" on "u"."id" = "k"."id") t
    where t.organization_id = $1::uuid and t.ended_at is null and t.access = $2::text and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "k".*, "u"."name", "u"."updated_at"
    from "api_key" as "k"
    inner join "user" as "u" on "u"."id" = "k"."id") t
  where t.organization_id = $5::uuid and t.ended_at is null and t.access = $6::text and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- API keys, count: owner
-- primary
select count(*)::int as count
from (select "k".*, "u"."name", "u"."updated_at"
  from "api_key" as "k"
  inner join "user" as "u" on "u"."id" = "k"."id") t
where t.organization_id = $1::uuid and t.ended_at is null and true;

-- API keys, count by {"access":"write"}: owner
-- primary
select count(*)::int as count
from (select "k".*, "u"."name", "u"."updated_at"
  from "api_key" as "k"
  inner join "user" as "u" on "u"."id" = "k"."id") t
where t.organization_id = $1::uuid and t.ended_at is null and t.access = $2::text;

-- API keys, count up to 100: owner
-- primary
select count(*)::int as count
from (select
  from (select "k".*, "u"."name", "u"."updated_at"
    from "api_key" as "k"
    inner join "user" as "u" on "u"."id" = "k"."id") t
  where t.organization_id = $1::uuid and t.ended_at is null and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- API keys, count up to 100 by {"access":"write"}: owner
-- primary
select count(*)::int as count
from (select
  from (select "k".*, "u"."name", "u"."updated_at"
    from "api_key" as "k"
    inner join "user" as "u" on "u"."id" = "k"."id") t
  where t.organization_id = $1::uuid and t.ended_at is null and t.access = $2::text
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- API keys, by ids: owner
-- primary, plan kept
select t.id, t.name, t.role, t.access, t.webhooks, t.prefix, t.created_by, t.created_at, t.updated_at, t.expires_at, t.last_used_at
from (select "k".*, "u"."name", "u"."updated_at"
  from "api_key" as "k"
  inner join "user" as "u" on "u"."id" = "k"."id") t
where t.id = any($1::uuid[]) and t.organization_id = $2::uuid and t.ended_at is null;

-- webhooks, first page with every field: owner
-- primary, plan kept
select t.id, t.url, t.kinds, t.description, t.status, t.status_reason, t.pending, t.created_by, t.created_at, t.updated_at, t.last_success_at, t.last_failure_at
from (select w.*, least($1, (select count(*)
      from (select
        from job
        where lane = 'deliveries' and party = w.id
        limit $2) read) + (select count(*)
      from ((select
          from unnest(w.kinds) k (kind) cross
          join lateral (select
            from change c
            where c.organization_id = w.organization_id and c.op is not null and not exists (select
              from job
              where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $3)
            order by c.seq
            limit $4) above
          limit $5) union all
        select
        from (select *
          from change c
          where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
        where c.organization_id = w.organization_id and c.op is not null and not exists (select
          from job
          where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
        select
        from (select *
          from change c
          where c.x = any(array(select given.id::xid8
              from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
        where c.organization_id = w.organization_id and c.op is not null and not exists (select
          from job
          where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
  from webhook w) t
where t.organization_id = $6::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- webhooks, first page: owner
-- primary, plan kept
select t.id, t.created_at
from (select w.*, least($1, (select count(*)
      from (select
        from job
        where lane = 'deliveries' and party = w.id
        limit $2) read) + (select count(*)
      from ((select
          from unnest(w.kinds) k (kind) cross
          join lateral (select
            from change c
            where c.organization_id = w.organization_id and c.op is not null and not exists (select
              from job
              where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $3)
            order by c.seq
            limit $4) above
          limit $5) union all
        select
        from (select *
          from change c
          where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
        where c.organization_id = w.organization_id and c.op is not null and not exists (select
          from job
          where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
        select
        from (select *
          from change c
          where c.x = any(array(select given.id::xid8
              from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
        where c.organization_id = w.organization_id and c.op is not null and not exists (select
          from job
          where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
  from webhook w) t
where t.organization_id = $6::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- webhooks, page after a cursor: owner
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select w.*, least($1, (select count(*)
          from (select
            from job
            where lane = 'deliveries' and party = w.id
            limit $2) read) + (select count(*)
          from ((select
              from unnest(w.kinds) k (kind) cross
              join lateral (select
                from change c
                where c.organization_id = w.organization_id and c.op is not null and not exists (select
                  from job
                  where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $3)
                order by c.seq
                limit $4) above
              limit $5) union all
            select
            from (select *
              from change c
              where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
            where c.organization_id = w.organization_id and c.op is not null and not exists (select
              from job
              where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
            select
            from (select *
              from change c
              where c.x = any(array(select given.id::xid8
                  from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
            where c.organization_id = w.organization_id and c.op is not null and not exists (select
              from job
              where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
      from webhook w) t
    where t.organization_id = $6::uuid and true and (t.created_at, t.id) <= ($7::timestamptz, $8::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select w.*, least($9, (select count(*)
        from (select
          from job
          where lane = 'deliveries' and party = w.id
          limit $10) read) + (select count(*)
        from ((select
            from unnest(w.kinds) k (kind) cross
            join lateral (select
              from change c
              where c.organization_id = w.organization_id and c.op is not null and not exists (select
                from job
                where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $11)
              order by c.seq
              limit $12) above
            limit $13) union all
          select
          from (select *
            from change c
            where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
          where c.organization_id = w.organization_id and c.op is not null and not exists (select
            from job
            where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
          select
          from (select *
            from change c
            where c.x = any(array(select given.id::xid8
                from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
          where c.organization_id = w.organization_id and c.op is not null and not exists (select
            from job
            where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
    from webhook w) t
  where t.organization_id = $14::uuid and true and (t.created_at, t.id) > ($15::timestamptz, $16::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- webhooks, page before a cursor: owner
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select w.*, least($1, (select count(*)
          from (select
            from job
            where lane = 'deliveries' and party = w.id
            limit $2) read) + (select count(*)
          from ((select
              from unnest(w.kinds) k (kind) cross
              join lateral (select
                from change c
                where c.organization_id = w.organization_id and c.op is not null and not exists (select
                  from job
                  where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $3)
                order by c.seq
                limit $4) above
              limit $5) union all
            select
            from (select *
              from change c
              where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
            where c.organization_id = w.organization_id and c.op is not null and not exists (select
              from job
              where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
            select
            from (select *
              from change c
              where c.x = any(array(select given.id::xid8
                  from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
            where c.organization_id = w.organization_id and c.op is not null and not exists (select
              from job
              where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
      from webhook w) t
    where t.organization_id = $6::uuid and true and (t.created_at, t.id) >= ($7::timestamptz, $8::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from (select w.*, least($9, (select count(*)
        from (select
          from job
          where lane = 'deliveries' and party = w.id
          limit $10) read) + (select count(*)
        from ((select
            from unnest(w.kinds) k (kind) cross
            join lateral (select
              from change c
              where c.organization_id = w.organization_id and c.op is not null and not exists (select
                from job
                where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $11)
              order by c.seq
              limit $12) above
            limit $13) union all
          select
          from (select *
            from change c
            where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
          where c.organization_id = w.organization_id and c.op is not null and not exists (select
            from job
            where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
          select
          from (select *
            from change c
            where c.x = any(array(select given.id::xid8
                from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
          where c.organization_id = w.organization_id and c.op is not null and not exists (select
            from job
            where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
    from webhook w) t
  where t.organization_id = $14::uuid and true and (t.created_at, t.id) < ($15::timestamptz, $16::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- webhooks, first page by {"created_at":{"$lt":"2026-01-01T00:00:00.000Z"}}: owner
-- primary
select t.id, t.created_at
from (select w.*, least($1, (select count(*)
      from (select
        from job
        where lane = 'deliveries' and party = w.id
        limit $2) read) + (select count(*)
      from ((select
          from unnest(w.kinds) k (kind) cross
          join lateral (select
            from change c
            where c.organization_id = w.organization_id and c.op is not null and not exists (select
              from job
              where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $3)
            order by c.seq
            limit $4) above
          limit $5) union all
        select
        from (select *
          from change c
          where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
        where c.organization_id = w.organization_id and c.op is not null and not exists (select
          from job
          where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
        select
        from (select *
          from change c
          where c.x = any(array(select given.id::xid8
              from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
        where c.organization_id = w.organization_id and c.op is not null and not exists (select
          from job
          where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
  from webhook w) t
where t.organization_id = $6::uuid and t.created_at < $7::timestamptz
order by t.created_at asc, t.id asc
limit 51;

-- webhooks, page after a cursor by {"status":"active"}: owner
-- primary
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select w.*, least($1, (select count(*)
          from (select
            from job
            where lane = 'deliveries' and party = w.id
            limit $2) read) + (select count(*)
          from ((select
              from unnest(w.kinds) k (kind) cross
              join lateral (select
                from change c
                where c.organization_id = w.organization_id and c.op is not null and not exists (select
                  from job
                  where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $3)
                order by c.seq
                limit $4) above
              limit $5) union all
            select
            from (select *
              from change c
              where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
            where c.organization_id = w.organization_id and c.op is not null and not exists (select
              from job
              where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
            select
            from (select *
              from change c
              where c.x = any(array(select given.id::xid8
                  from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
            where c.organization_id = w.organization_id and c.op is not null and not exists (select
              from job
              where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
      from webhook w) t
    where t.organization_id = $6::uuid and t.status = $7::text and (t.created_at, t.id) <= ($8::timestamptz, $9::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select w.*, least($10, (select count(*)
        from (select
          from job
          where lane = 'deliveries' and party = w.id
          limit $11) read) + (select count(*)
        from ((select
            from unnest(w.kinds) k (kind) cross
            join lateral (select
              from change c
              where c.organization_id = w.organization_id and c.op is not null and not exists (select
                from job
                where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $12)
              order by c.seq
              limit $13) above
            limit $14) union all
          select
          from (select *
            from change c
            where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
          where c.organization_id = w.organization_id and c.op is not null and not exists (select
            from job
            where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
          select
          from (select *
            from change c
            where c.x = any(array(select given.id::xid8
                from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
          where c.organization_id = w.organization_id and c.op is not null and not exists (select
            from job
            where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
    from webhook w) t
  where t.organization_id = $15::uuid and t.status = $16::text and (t.created_at, t.id) > ($17::timestamptz, $18::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- webhooks, count: owner
-- primary
select count(*)::int as count
from (select w.*, least($1, (select count(*)
      from (select
        from job
        where lane = 'deliveries' and party = w.id
        limit $2) read) + (select count(*)
      from ((select
          from unnest(w.kinds) k (kind) cross
          join lateral (select
            from change c
            where c.organization_id = w.organization_id and c.op is not null and not exists (select
              from job
              where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $3)
            order by c.seq
            limit $4) above
          limit $5) union all
        select
        from (select *
          from change c
          where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
        where c.organization_id = w.organization_id and c.op is not null and not exists (select
          from job
          where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
        select
        from (select *
          from change c
          where c.x = any(array(select given.id::xid8
              from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
        where c.organization_id = w.organization_id and c.op is not null and not exists (select
          from job
          where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
  from webhook w) t
where t.organization_id = $6::uuid and true;

-- webhooks, count by {"status":"active"}: owner
-- primary
select count(*)::int as count
from (select w.*, least($1, (select count(*)
      from (select
        from job
        where lane = 'deliveries' and party = w.id
        limit $2) read) + (select count(*)
      from ((select
          from unnest(w.kinds) k (kind) cross
          join lateral (select
            from change c
            where c.organization_id = w.organization_id and c.op is not null and not exists (select
              from job
              where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $3)
            order by c.seq
            limit $4) above
          limit $5) union all
        select
        from (select *
          from change c
          where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
        where c.organization_id = w.organization_id and c.op is not null and not exists (select
          from job
          where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
        select
        from (select *
          from change c
          where c.x = any(array(select given.id::xid8
              from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
        where c.organization_id = w.organization_id and c.op is not null and not exists (select
          from job
          where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
  from webhook w) t
where t.organization_id = $6::uuid and t.status = $7::text;

-- webhooks, count up to 100: owner
-- primary
select count(*)::int as count
from (select
  from (select w.*, least($1, (select count(*)
        from (select
          from job
          where lane = 'deliveries' and party = w.id
          limit $2) read) + (select count(*)
        from ((select
            from unnest(w.kinds) k (kind) cross
            join lateral (select
              from change c
              where c.organization_id = w.organization_id and c.op is not null and not exists (select
                from job
                where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $3)
              order by c.seq
              limit $4) above
            limit $5) union all
          select
          from (select *
            from change c
            where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
          where c.organization_id = w.organization_id and c.op is not null and not exists (select
            from job
            where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
          select
          from (select *
            from change c
            where c.x = any(array(select given.id::xid8
                from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
          where c.organization_id = w.organization_id and c.op is not null and not exists (select
            from job
            where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
    from webhook w) t
  where t.organization_id = $6::uuid and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- webhooks, count up to 100 by {"status":"active"}: owner
-- primary
select count(*)::int as count
from (select
  from (select w.*, least($1, (select count(*)
        from (select
          from job
          where lane = 'deliveries' and party = w.id
          limit $2) read) + (select count(*)
        from ((select
            from unnest(w.kinds) k (kind) cross
            join lateral (select
              from change c
              where c.organization_id = w.organization_id and c.op is not null and not exists (select
                from job
                where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $3)
              order by c.seq
              limit $4) above
            limit $5) union all
          select
          from (select *
            from change c
            where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
          where c.organization_id = w.organization_id and c.op is not null and not exists (select
            from job
            where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
          select
          from (select *
            from change c
            where c.x = any(array(select given.id::xid8
                from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
          where c.organization_id = w.organization_id and c.op is not null and not exists (select
            from job
            where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
    from webhook w) t
  where t.organization_id = $6::uuid and t.status = $7::text
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- webhooks, by ids: owner
-- primary, plan kept
select t.id, t.url, t.kinds, t.description, t.status, t.status_reason, t.pending, t.created_by, t.created_at, t.updated_at, t.last_success_at, t.last_failure_at
from (select w.*, least($1, (select count(*)
      from (select
        from job
        where lane = 'deliveries' and party = w.id
        limit $2) read) + (select count(*)
      from ((select
          from unnest(w.kinds) k (kind) cross
          join lateral (select
            from change c
            where c.organization_id = w.organization_id and c.op is not null and not exists (select
              from job
              where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = k.kind and c.seq > coalesce((w.place->>'height')::bigint, $3)
            order by c.seq
            limit $4) above
          limit $5) union all
        select
        from (select *
          from change c
          where c.x >= (w.place->'moment'->>'from')::xid8 and c.x < (w.place->'moment'->>'to')::xid8 offset 0) c
        where c.organization_id = w.organization_id and c.op is not null and not exists (select
          from job
          where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint union all
        select
        from (select *
          from change c
          where c.x = any(array(select given.id::xid8
              from jsonb_array_elements_text(w.place->'moment'->'open') as given (id))) offset 0) c
        where c.organization_id = w.organization_id and c.op is not null and not exists (select
          from job
          where lane = 'deliveries' and party = w.id and about = c.id) and c.kind = any(w.kinds) and c.seq <= (w.place->>'height')::bigint) unread))::int as pending
  from webhook w) t
where t.id = any($6::uuid[]) and t.organization_id = $7::uuid;

-- deliveries of a webhook, first page with every field: owner
-- primary, plan kept
select page.id, page.change_id, page.type, page.attempt, page.status, page.http_status, page.error, page.response, page.duration_ms, page.created_at, page.next_attempt_at, p.id as _parent
from "webhook" p
left join lateral (select t.id, t.change_id, t.type, t.attempt, t.status, t.http_status, t.error, t.response, t.duration_ms, t.created_at, t.next_attempt_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid
order by page.created_at asc, page.id asc;

-- deliveries of a webhook, first page with every field: manager, member
-- primary, plan kept
select page.id, page.change_id, page.type, page.attempt, page.status, page.http_status, page.error, page.response, page.duration_ms, page.created_at, page.next_attempt_at, p.id as _parent
from "webhook" p
left join lateral (select t.id, t.change_id, t.type, t.attempt, t.status, t.http_status, t.error, t.response, t.duration_ms, t.created_at, t.next_attempt_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and false
order by page.created_at asc, page.id asc;

-- deliveries of a webhook, first page: owner
-- primary, plan kept
select page.id, page.created_at, p.id as _parent
from "webhook" p
left join lateral (select t.id, t.created_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid
order by page.created_at asc, page.id asc;

-- deliveries of a webhook, first page: manager, member
-- primary, plan kept
select page.id, page.created_at, p.id as _parent
from "webhook" p
left join lateral (select t.id, t.created_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and true
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($1::uuid[]) and false
order by page.created_at asc, page.id asc;

-- deliveries of a webhook, page after a cursor: owner
-- primary, plan kept
select page.id, page.created_at, p.id as _parent, flags.*
from "webhook" p
left join lateral (select (select true
    from "webhook_delivery" t
    where t.webhook_id = p.id and true and (t.created_at, t.id) <= ($1::timestamptz, $2::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and true and (t.created_at, t.id) > ($3::timestamptz, $4::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($5::uuid[]) and p.organization_id = $6::uuid
order by page.created_at asc, page.id asc;

-- deliveries of a webhook, page after a cursor: manager, member
-- primary, plan kept
select page.id, page.created_at, p.id as _parent, flags.*
from "webhook" p
left join lateral (select (select true
    from "webhook_delivery" t
    where t.webhook_id = p.id and true and (t.created_at, t.id) <= ($1::timestamptz, $2::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and true and (t.created_at, t.id) > ($3::timestamptz, $4::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($5::uuid[]) and false
order by page.created_at asc, page.id asc;

-- deliveries of a webhook, page before a cursor: owner
-- primary, plan kept
select page.id, page.created_at, p.id as _parent, flags.*
from "webhook" p
left join lateral (select (select true
    from "webhook_delivery" t
    where t.webhook_id = p.id and true and (t.created_at, t.id) >= ($1::timestamptz, $2::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and true and (t.created_at, t.id) < ($3::timestamptz, $4::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
where p.id = any($5::uuid[]) and p.organization_id = $6::uuid
order by page.created_at desc, page.id desc;

-- deliveries of a webhook, page before a cursor: manager, member
-- primary, plan kept
select page.id, page.created_at, p.id as _parent, flags.*
from "webhook" p
left join lateral (select (select true
    from "webhook_delivery" t
    where t.webhook_id = p.id and true and (t.created_at, t.id) >= ($1::timestamptz, $2::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and true and (t.created_at, t.id) < ($3::timestamptz, $4::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
where p.id = any($5::uuid[]) and false
order by page.created_at desc, page.id desc;

-- deliveries of a webhook, first page by {"change_id":"…"}: owner
-- primary
select page.id, page.created_at, p.id as _parent
from "webhook" p
left join lateral (select t.id, t.created_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and t.change_id = $1::uuid
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid
order by page.created_at asc, page.id asc;

-- deliveries of a webhook, first page by {"change_id":"…"}: manager, member
-- primary
select page.id, page.created_at, p.id as _parent
from "webhook" p
left join lateral (select t.id, t.created_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and t.change_id = $1::uuid
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and false
order by page.created_at asc, page.id asc;

-- deliveries of a webhook, first page by {"created_at":{"$lt":"2026-01-01T00:00:00.000Z"}}: owner
-- primary
select page.id, page.created_at, p.id as _parent
from "webhook" p
left join lateral (select t.id, t.created_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and t.created_at < $1::timestamptz
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid
order by page.created_at asc, page.id asc;

-- deliveries of a webhook, first page by {"created_at":{"$lt":"2026-01-01T00:00:00.000Z"}}: manager, member
-- primary
select page.id, page.created_at, p.id as _parent
from "webhook" p
left join lateral (select t.id, t.created_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and t.created_at < $1::timestamptz
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($2::uuid[]) and false
order by page.created_at asc, page.id asc;

-- deliveries of a webhook, page after a cursor by {"status":"failed"}: owner
-- primary
select page.id, page.created_at, p.id as _parent, flags.*
from "webhook" p
left join lateral (select (select true
    from "webhook_delivery" t
    where t.webhook_id = p.id and t.status = $1::text and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and t.status = $4::text and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($7::uuid[]) and p.organization_id = $8::uuid
order by page.created_at asc, page.id asc;

-- deliveries of a webhook, page after a cursor by {"status":"failed"}: manager, member
-- primary
select page.id, page.created_at, p.id as _parent, flags.*
from "webhook" p
left join lateral (select (select true
    from "webhook_delivery" t
    where t.webhook_id = p.id and t.status = $1::text and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from "webhook_delivery" t
  where t.webhook_id = p.id and t.status = $4::text and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
where p.id = any($7::uuid[]) and false
order by page.created_at asc, page.id asc;

-- deliveries of a webhook, count: owner
-- primary
select p.id as _parent, (select count(*)::int
  from "webhook_delivery" t
  where t.webhook_id = p.id and true) as count
from "webhook" p
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid;

-- deliveries of a webhook, count: manager, member
-- primary
select p.id as _parent, (select count(*)::int
  from "webhook_delivery" t
  where t.webhook_id = p.id and true) as count
from "webhook" p
where p.id = any($1::uuid[]) and false;

-- deliveries of a webhook, count by {"status":"failed"}: owner
-- primary
select p.id as _parent, (select count(*)::int
  from "webhook_delivery" t
  where t.webhook_id = p.id and t.status = $1::text) as count
from "webhook" p
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid;

-- deliveries of a webhook, count by {"status":"failed"}: manager, member
-- primary
select p.id as _parent, (select count(*)::int
  from "webhook_delivery" t
  where t.webhook_id = p.id and t.status = $1::text) as count
from "webhook" p
where p.id = any($2::uuid[]) and false;

-- deliveries of a webhook, count up to 100: owner
-- primary
select p.id as _parent, (select count(*)::int
  from (select
    from "webhook_delivery" t
    where t.webhook_id = p.id and true
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "webhook" p
where p.id = any($1::uuid[]) and p.organization_id = $2::uuid;

-- deliveries of a webhook, count up to 100: manager, member
-- primary
select p.id as _parent, (select count(*)::int
  from (select
    from "webhook_delivery" t
    where t.webhook_id = p.id and true
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "webhook" p
where p.id = any($1::uuid[]) and false;

-- deliveries of a webhook, count up to 100 by {"status":"failed"}: owner
-- primary
select p.id as _parent, (select count(*)::int
  from (select
    from "webhook_delivery" t
    where t.webhook_id = p.id and t.status = $1::text
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "webhook" p
where p.id = any($2::uuid[]) and p.organization_id = $3::uuid;

-- deliveries of a webhook, count up to 100 by {"status":"failed"}: manager, member
-- primary
select p.id as _parent, (select count(*)::int
  from (select
    from "webhook_delivery" t
    where t.webhook_id = p.id and t.status = $1::text
    order by t.created_at asc, t.id asc
    limit 101) capped) as count
from "webhook" p
where p.id = any($2::uuid[]) and false;

-- deliveries of a webhook, by ids: owner
-- primary, plan kept
select t.id, t.change_id, t.type, t.attempt, t.status, t.http_status, t.error, t.response, t.duration_ms, t.created_at, t.next_attempt_at
from "webhook_delivery" t
where t.id = any($1::uuid[]) and exists (select
  from webhook p
  where p.id = t.webhook_id and p.organization_id = $2::uuid);

-- deliveries of a webhook, by ids: manager, member
-- primary, plan kept
select t.id, t.change_id, t.type, t.attempt, t.status, t.http_status, t.error, t.response, t.duration_ms, t.created_at, t.next_attempt_at
from "webhook_delivery" t
where t.id = any($1::uuid[]) and exists (select
  from webhook p
  where p.id = t.webhook_id and false);

-- audit entries, first page with every field: owner
-- replica, plan kept
select t.id, t.action, t.actor_id, t.subject_id, t.detail, t.ip, t.user_agent, t.request_id, t.created_at
from ((select t.id, t.action, t.actor_id, t.subject_id, t.detail, t.ip, t.user_agent, t.request_id, t.created_at
    from "audit_entry" t
    where t.organization_id = $1::uuid and true
    order by t.created_at asc, t.id asc
    limit 51) union all (select t.id, t.action, t.actor_id, t.subject_id, t.detail, t.ip, t.user_agent, t.request_id, t.created_at
    from (select s.*
      from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
        from (select "m".*
          from "membership" as "m"
          inner join "user" as "u" on "u"."id" = "m"."user_id"
          where "u"."verified_at" is not null) m
        where m.organization_id = $2::uuid and m.shares_trail union all
        select f.user_id, f.began_at, f.ended_at
        from former_membership f
        where f.organization_id = $3::uuid) s cross
      join lateral (select t.created_at, t.id
        from "audit_entry" t
        where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and true
        order by t.created_at asc, t.id asc
        limit 1) start
      order by start.created_at asc, start.id asc
      limit 51) s cross
    join lateral (select t.id, t.action, t.actor_id, t.subject_id, t.detail, t.ip, t.user_agent, t.request_id, t.created_at
      from "audit_entry" t
      where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and true
      order by t.created_at asc, t.id asc
      limit 51) t)) t
order by t.created_at asc, t.id asc
limit 51;

-- audit entries, first page: owner
-- replica, plan kept
select t.id, t.created_at
from ((select t.id, t.created_at
    from "audit_entry" t
    where t.organization_id = $1::uuid and true
    order by t.created_at asc, t.id asc
    limit 51) union all (select t.id, t.created_at
    from (select s.*
      from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
        from (select "m".*
          from "membership" as "m"
          inner join "user" as "u" on "u"."id" = "m"."user_id"
          where "u"."verified_at" is not null) m
        where m.organization_id = $2::uuid and m.shares_trail union all
        select f.user_id, f.began_at, f.ended_at
        from former_membership f
        where f.organization_id = $3::uuid) s cross
      join lateral (select t.created_at, t.id
        from "audit_entry" t
        where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and true
        order by t.created_at asc, t.id asc
        limit 1) start
      order by start.created_at asc, start.id asc
      limit 51) s cross
    join lateral (select t.id, t.created_at
      from "audit_entry" t
      where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and true
      order by t.created_at asc, t.id asc
      limit 51) t)) t
order by t.created_at asc, t.id asc
limit 51;

-- audit entries, page after a cursor: owner
-- replica, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from ((select
        from "audit_entry" t
        where t.organization_id = $1::uuid and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
        order by t.created_at desc, t.id desc
        limit 1) union all (select
        from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
          from (select "m".*
            from "membership" as "m"
            inner join "user" as "u" on "u"."id" = "m"."user_id"
            where "u"."verified_at" is not null) m
          where m.organization_id = $4::uuid and m.shares_trail union all
          select f.user_id, f.began_at, f.ended_at
          from former_membership f
          where f.organization_id = $5::uuid) s cross
        join lateral (select
          from "audit_entry" t
          where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and true and (t.created_at, t.id) <= ($6::timestamptz, $7::uuid)
          order by t.created_at desc, t.id desc
          limit 1) t)) t
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from ((select t.id, t.created_at
      from "audit_entry" t
      where t.organization_id = $8::uuid and true and (t.created_at, t.id) > ($9::timestamptz, $10::uuid)
      order by t.created_at asc, t.id asc
      limit 51) union all (select t.id, t.created_at
      from (select s.*
        from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
          from (select "m".*
            from "membership" as "m"
            inner join "user" as "u" on "u"."id" = "m"."user_id"
            where "u"."verified_at" is not null) m
          where m.organization_id = $11::uuid and m.shares_trail union all
          select f.user_id, f.began_at, f.ended_at
          from former_membership f
          where f.organization_id = $12::uuid) s cross
        join lateral (select t.created_at, t.id
          from "audit_entry" t
          where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and true and (t.created_at, t.id) > ($13::timestamptz, $14::uuid)
          order by t.created_at asc, t.id asc
          limit 1) start
        order by start.created_at asc, start.id asc
        limit 51) s cross
      join lateral (select t.id, t.created_at
        from "audit_entry" t
        where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and true and (t.created_at, t.id) > ($15::timestamptz, $16::uuid)
        order by t.created_at asc, t.id asc
        limit 51) t)) t
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- audit entries, page before a cursor: owner
-- replica, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from ((select
        from "audit_entry" t
        where t.organization_id = $1::uuid and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
        order by t.created_at asc, t.id asc
        limit 1) union all (select
        from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
          from (select "m".*
            from "membership" as "m"
            inner join "user" as "u" on "u"."id" = "m"."user_id"
            where "u"."verified_at" is not null) m
          where m.organization_id = $4::uuid and m.shares_trail union all
          select f.user_id, f.began_at, f.ended_at
          from former_membership f
          where f.organization_id = $5::uuid) s cross
        join lateral (select
          from "audit_entry" t
          where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and true and (t.created_at, t.id) >= ($6::timestamptz, $7::uuid)
          order by t.created_at asc, t.id asc
          limit 1) t)) t
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from ((select t.id, t.created_at
      from "audit_entry" t
      where t.organization_id = $8::uuid and true and (t.created_at, t.id) < ($9::timestamptz, $10::uuid)
      order by t.created_at desc, t.id desc
      limit 51) union all (select t.id, t.created_at
      from (select s.*
        from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
          from (select "m".*
            from "membership" as "m"
            inner join "user" as "u" on "u"."id" = "m"."user_id"
            where "u"."verified_at" is not null) m
          where m.organization_id = $11::uuid and m.shares_trail union all
          select f.user_id, f.began_at, f.ended_at
          from former_membership f
          where f.organization_id = $12::uuid) s cross
        join lateral (select t.created_at, t.id
          from "audit_entry" t
          where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and true and (t.created_at, t.id) < ($13::timestamptz, $14::uuid)
          order by t.created_at desc, t.id desc
          limit 1) start
        order by start.created_at desc, start.id desc
        limit 51) s cross
      join lateral (select t.id, t.created_at
        from "audit_entry" t
        where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and true and (t.created_at, t.id) < ($15::timestamptz, $16::uuid)
        order by t.created_at desc, t.id desc
        limit 51) t)) t
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- audit entries, first page by {"action":{"$in":["member.left","member.removed"]}}: owner
-- replica
select t.id, t.created_at
from ((select t.id, t.created_at
    from "audit_entry" t
    where t.organization_id = $1::uuid and t.action = any($2::text[])
    order by t.created_at asc, t.id asc
    limit 51) union all (select t.id, t.created_at
    from (select s.*
      from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
        from (select "m".*
          from "membership" as "m"
          inner join "user" as "u" on "u"."id" = "m"."user_id"
          where "u"."verified_at" is not null) m
        where m.organization_id = $3::uuid and m.shares_trail union all
        select f.user_id, f.began_at, f.ended_at
        from former_membership f
        where f.organization_id = $4::uuid) s cross
      join lateral (select t.created_at, t.id
        from "audit_entry" t
        where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and t.action = any($5::text[])
        order by t.created_at asc, t.id asc
        limit 1) start
      order by start.created_at asc, start.id asc
      limit 51) s cross
    join lateral (select t.id, t.created_at
      from "audit_entry" t
      where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and t.action = any($6::text[])
      order by t.created_at asc, t.id asc
      limit 51) t)) t
order by t.created_at asc, t.id asc
limit 51;

-- audit entries, first page by {"actor_id":null}: owner
-- replica
select t.id, t.created_at
from ((select t.id, t.created_at
    from "audit_entry" t
    where t.organization_id = $1::uuid and t.actor_id is null
    order by t.created_at asc, t.id asc
    limit 51) union all (select t.id, t.created_at
    from (select s.*
      from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
        from (select "m".*
          from "membership" as "m"
          inner join "user" as "u" on "u"."id" = "m"."user_id"
          where "u"."verified_at" is not null) m
        where m.organization_id = $2::uuid and m.shares_trail union all
        select f.user_id, f.began_at, f.ended_at
        from former_membership f
        where f.organization_id = $3::uuid) s cross
      join lateral (select t.created_at, t.id
        from "audit_entry" t
        where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and t.actor_id is null
        order by t.created_at asc, t.id asc
        limit 1) start
      order by start.created_at asc, start.id asc
      limit 51) s cross
    join lateral (select t.id, t.created_at
      from "audit_entry" t
      where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and t.actor_id is null
      order by t.created_at asc, t.id asc
      limit 51) t)) t
order by t.created_at asc, t.id asc
limit 51;

-- audit entries, first page by {"$or":[{"actor_id":{"$ne":null}},{"created_at":{"$lt":"2026-01-01T00:00:00.000Z"}}]}: owner
-- replica
select t.id, t.created_at
from ((select t.id, t.created_at
    from "audit_entry" t
    where t.organization_id = $1::uuid and (t.actor_id is not null or t.created_at < $2::timestamptz)
    order by t.created_at asc, t.id asc
    limit 51) union all (select t.id, t.created_at
    from (select s.*
      from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
        from (select "m".*
          from "membership" as "m"
          inner join "user" as "u" on "u"."id" = "m"."user_id"
          where "u"."verified_at" is not null) m
        where m.organization_id = $3::uuid and m.shares_trail union all
        select f.user_id, f.began_at, f.ended_at
        from former_membership f
        where f.organization_id = $4::uuid) s cross
      join lateral (select t.created_at, t.id
        from "audit_entry" t
        where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and (t.actor_id is not null or t.created_at < $5::timestamptz)
        order by t.created_at asc, t.id asc
        limit 1) start
      order by start.created_at asc, start.id asc
      limit 51) s cross
    join lateral (select t.id, t.created_at
      from "audit_entry" t
      where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and (t.actor_id is not null or t.created_at < $6::timestamptz)
      order by t.created_at asc, t.id asc
      limit 51) t)) t
order by t.created_at asc, t.id asc
limit 51;

-- audit entries, page after a cursor by {"actor_id":"…"}: owner
-- replica
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from ((select
        from "audit_entry" t
        where t.organization_id = $1::uuid and t.actor_id = $2::uuid and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
        order by t.created_at desc, t.id desc
        limit 1) union all (select
        from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
          from (select "m".*
            from "membership" as "m"
            inner join "user" as "u" on "u"."id" = "m"."user_id"
            where "u"."verified_at" is not null) m
          where m.organization_id = $5::uuid and m.shares_trail union all
          select f.user_id, f.began_at, f.ended_at
          from former_membership f
          where f.organization_id = $6::uuid) s cross
        join lateral (select
          from "audit_entry" t
          where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and t.actor_id = $7::uuid and (t.created_at, t.id) <= ($8::timestamptz, $9::uuid)
          order by t.created_at desc, t.id desc
          limit 1) t)) t
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from ((select t.id, t.created_at
      from "audit_entry" t
      where t.organization_id = $10::uuid and t.actor_id = $11::uuid and (t.created_at, t.id) > ($12::timestamptz, $13::uuid)
      order by t.created_at asc, t.id asc
      limit 51) union all (select t.id, t.created_at
      from (select s.*
        from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
          from (select "m".*
            from "membership" as "m"
            inner join "user" as "u" on "u"."id" = "m"."user_id"
            where "u"."verified_at" is not null) m
          where m.organization_id = $14::uuid and m.shares_trail union all
          select f.user_id, f.began_at, f.ended_at
          from former_membership f
          where f.organization_id = $15::uuid) s cross
        join lateral (select t.created_at, t.id
          from "audit_entry" t
          where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and t.actor_id = $16::uuid and (t.created_at, t.id) > ($17::timestamptz, $18::uuid)
          order by t.created_at asc, t.id asc
          limit 1) start
        order by start.created_at asc, start.id asc
        limit 51) s cross
      join lateral (select t.id, t.created_at
        from "audit_entry" t
        where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and t.actor_id = $19::uuid and (t.created_at, t.id) > ($20::timestamptz, $21::uuid)
        order by t.created_at asc, t.id asc
        limit 51) t)) t
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- audit entries, count: owner
-- replica
select count(*)::int as count
from (select
  from ((select
      from "audit_entry" t
      where t.organization_id = $1::uuid and true) union all (select
      from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
        from (select "m".*
          from "membership" as "m"
          inner join "user" as "u" on "u"."id" = "m"."user_id"
          where "u"."verified_at" is not null) m
        where m.organization_id = $2::uuid and m.shares_trail union all
        select f.user_id, f.began_at, f.ended_at
        from former_membership f
        where f.organization_id = $3::uuid) s cross
      join lateral (select
        from "audit_entry" t
        where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and true) t)) t) capped;

-- audit entries, count by {"actor_id":"…"}: owner
-- replica
select count(*)::int as count
from (select
  from ((select
      from "audit_entry" t
      where t.organization_id = $1::uuid and t.actor_id = $2::uuid) union all (select
      from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
        from (select "m".*
          from "membership" as "m"
          inner join "user" as "u" on "u"."id" = "m"."user_id"
          where "u"."verified_at" is not null) m
        where m.organization_id = $3::uuid and m.shares_trail union all
        select f.user_id, f.began_at, f.ended_at
        from former_membership f
        where f.organization_id = $4::uuid) s cross
      join lateral (select
        from "audit_entry" t
        where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and t.actor_id = $5::uuid) t)) t) capped;

-- audit entries, count up to 100: owner
-- replica
select count(*)::int as count
from (select
  from ((select
      from "audit_entry" t
      where t.organization_id = $1::uuid and true
      order by t.created_at asc, t.id asc
      limit 101) union all (select
      from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
        from (select "m".*
          from "membership" as "m"
          inner join "user" as "u" on "u"."id" = "m"."user_id"
          where "u"."verified_at" is not null) m
        where m.organization_id = $2::uuid and m.shares_trail union all
        select f.user_id, f.began_at, f.ended_at
        from former_membership f
        where f.organization_id = $3::uuid) s cross
      join lateral (select
        from "audit_entry" t
        where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and true
        order by t.created_at asc, t.id asc
        limit 101) t)) t
  limit 101) capped;

-- audit entries, count up to 100 by {"actor_id":"…"}: owner
-- replica
select count(*)::int as count
from (select
  from ((select
      from "audit_entry" t
      where t.organization_id = $1::uuid and t.actor_id = $2::uuid
      order by t.created_at asc, t.id asc
      limit 101) union all (select
      from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
        from (select "m".*
          from "membership" as "m"
          inner join "user" as "u" on "u"."id" = "m"."user_id"
          where "u"."verified_at" is not null) m
        where m.organization_id = $3::uuid and m.shares_trail union all
        select f.user_id, f.began_at, f.ended_at
        from former_membership f
        where f.organization_id = $4::uuid) s cross
      join lateral (select
        from "audit_entry" t
        where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at and t.actor_id = $5::uuid
        order by t.created_at asc, t.id asc
        limit 101) t)) t
  limit 101) capped;

-- audit entries, by ids: owner
-- primary, plan kept
select t.id, t.action, t.actor_id, t.subject_id, t.detail, t.ip, t.user_agent, t.request_id, t.created_at
from "audit_entry" t
where t.id = any($1::uuid[]) and (t.organization_id = $2::uuid or exists (select
    from (select m.user_id, m.created_at as began_at, 'infinity'::timestamptz as ended_at
      from (select "m".*
        from "membership" as "m"
        inner join "user" as "u" on "u"."id" = "m"."user_id"
        where "u"."verified_at" is not null) m
      where m.organization_id = $3::uuid and m.shares_trail union all
      select f.user_id, f.began_at, f.ended_at
      from former_membership f
      where f.organization_id = $4::uuid) s
    where t.person_id = s.user_id and t.subject_id = s.user_id and t.created_at >= s.began_at and t.created_at < s.ended_at));

-- sessions, first page with every field: every role
-- primary, plan kept
select t.id, t.created_at, t.last_used_at, t.expires_at, t.ip, t.user_agent, t.current
from (select s.*, s.id = $1::uuid as current
  from session s) t
where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30) and true
order by t.created_at asc, t.id asc
limit 51;

-- sessions, first page: every role
-- primary, plan kept
select t.id, t.created_at
from (select s.*, s.id = $1::uuid as current
  from session s) t
where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30) and true
order by t.created_at asc, t.id asc
limit 51;

-- sessions, page after a cursor: every role
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select s.*, s.id = $1::uuid as current
      from session s) t
    where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30) and true and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select s.*, s.id = $5::uuid as current
    from session s) t
  where t.user_id = $6::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30) and true and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
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
    where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30) and true and (t.created_at, t.id) >= ($3::timestamptz, $4::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from (select s.*, s.id = $5::uuid as current
    from session s) t
  where t.user_id = $6::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30) and true and (t.created_at, t.id) < ($7::timestamptz, $8::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- sessions, first page by {"id":"…"}: every role
-- primary
select t.id, t.created_at
from (select s.*, s.id = $1::uuid as current
  from session s) t
where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30) and t.id = $3::uuid
order by t.created_at asc, t.id asc
limit 51;

-- sessions, page after a cursor by {"created_at":{"$gte":"2026-01-01T00:00:00.000Z"}}: every role
-- primary
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select s.*, s.id = $1::uuid as current
      from session s) t
    where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30) and t.created_at >= $3::timestamptz and (t.created_at, t.id) <= ($4::timestamptz, $5::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select s.*, s.id = $6::uuid as current
    from session s) t
  where t.user_id = $7::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30) and t.created_at >= $8::timestamptz and (t.created_at, t.id) > ($9::timestamptz, $10::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- sessions, count: every role
-- primary
select count(*)::int as count
from (select s.*, s.id = $1::uuid as current
  from session s) t
where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30) and true;

-- sessions, count by {"created_at":{"$gte":"2026-01-01T00:00:00.000Z"}}: every role
-- primary
select count(*)::int as count
from (select s.*, s.id = $1::uuid as current
  from session s) t
where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30) and t.created_at >= $3::timestamptz;

-- sessions, count up to 100: every role
-- primary
select count(*)::int as count
from (select
  from (select s.*, s.id = $1::uuid as current
    from session s) t
  where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30) and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- sessions, count up to 100 by {"created_at":{"$gte":"2026-01-01T00:00:00.000Z"}}: every role
-- primary
select count(*)::int as count
from (select
  from (select s.*, s.id = $1::uuid as current
    from session s) t
  where t.user_id = $2::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30) and t.created_at >= $3::timestamptz
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- sessions, by ids: every role
-- primary, plan kept
select t.id, t.created_at, t.last_used_at, t.expires_at, t.ip, t.user_agent, t.current
from (select s.*, s.id = $1::uuid as current
  from session s) t
where t.id = any($2::uuid[]) and t.user_id = $3::uuid and t.ended_at is null and t.expires_at > now() and t.last_used_at > now() - make_interval(days => 30);

-- organizations, first page with every field: every role
-- primary, plan kept
select t.id, t.name, t.slug, t.signup, t.description, t.website, t.contact_email, t.accent, t.version, t.role, t.created_at
from (select "o".*, "m"."role", "m"."user_id"
  from "organization" as "o"
  inner join (select "m"."organization_id", "m"."user_id", "m"."role"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null union all
    select "k"."organization_id", "k"."id" as "user_id", "k"."role"
    from "api_key" as "k"
    where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
where t.user_id = $1::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- organizations, first page: every role
-- primary, plan kept
select t.id, t.created_at
from (select "o".*, "m"."role", "m"."user_id"
  from "organization" as "o"
  inner join (select "m"."organization_id", "m"."user_id", "m"."role"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null union all
    select "k"."organization_id", "k"."id" as "user_id", "k"."role"
    from "api_key" as "k"
    where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
where t.user_id = $1::uuid and true
order by t.created_at asc, t.id asc
limit 51;

-- organizations, page after a cursor: every role
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "o".*, "m"."role", "m"."user_id"
      from "organization" as "o"
      inner join (select "m"."organization_id", "m"."user_id", "m"."role"
        from "membership" as "m"
        inner join "user" as "u" on "u"."id" = "m"."user_id"
        where "u"."verified_at" is not null union all
        select "k"."organization_id", "k"."id" as "user_id", "k"."role"
        from "api_key" as "k"
        where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
    where t.user_id = $1::uuid and true and (t.created_at, t.id) <= ($2::timestamptz, $3::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "o".*, "m"."role", "m"."user_id"
    from "organization" as "o"
    inner join (select "m"."organization_id", "m"."user_id", "m"."role"
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null union all
      select "k"."organization_id", "k"."id" as "user_id", "k"."role"
      from "api_key" as "k"
      where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
  where t.user_id = $4::uuid and true and (t.created_at, t.id) > ($5::timestamptz, $6::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- organizations, page before a cursor: every role
-- primary, plan kept
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "o".*, "m"."role", "m"."user_id"
      from "organization" as "o"
      inner join (select "m"."organization_id", "m"."user_id", "m"."role"
        from "membership" as "m"
        inner join "user" as "u" on "u"."id" = "m"."user_id"
        where "u"."verified_at" is not null union all
        select "k"."organization_id", "k"."id" as "user_id", "k"."role"
        from "api_key" as "k"
        where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
    where t.user_id = $1::uuid and true and (t.created_at, t.id) >= ($2::timestamptz, $3::uuid)
    order by t.created_at asc, t.id asc
    limit 1) as _ahead) flags on true
left join lateral (select t.id, t.created_at
  from (select "o".*, "m"."role", "m"."user_id"
    from "organization" as "o"
    inner join (select "m"."organization_id", "m"."user_id", "m"."role"
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null union all
      select "k"."organization_id", "k"."id" as "user_id", "k"."role"
      from "api_key" as "k"
      where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
  where t.user_id = $4::uuid and true and (t.created_at, t.id) < ($5::timestamptz, $6::uuid)
  order by t.created_at desc, t.id desc
  limit 51) page on true
order by page.created_at desc, page.id desc;

-- organizations, first page by {"name":"j"}: every role
-- primary
select t.id, t.created_at
from (select "o".*, "m"."role", "m"."user_id"
  from "organization" as "o"
  inner join (select "m"."organization_id", "m"."user_id", "m"."role"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null union all
    select "k"."organization_id", "k"."id" as "user_id", "k"."role"
    from "api_key" as "k"
    where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
where t.user_id = $1::uuid and lower(t.name) like lower($2) and name_grams(t.name) @> array[lower($3)]
order by t.created_at asc, t.id asc
limit 51;

-- organizations, first page by {"name":"jaz"}: every role
-- primary
select t.id, t.created_at
from (select "o".*, "m"."role", "m"."user_id"
  from "organization" as "o"
  inner join (select "m"."organization_id", "m"."user_id", "m"."role"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null union all
    select "k"."organization_id", "k"."id" as "user_id", "k"."role"
    from "api_key" as "k"
    where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
where t.user_id = $1::uuid and lower(t.name) like lower($2)
order by t.created_at asc, t.id asc
limit 51;

-- organizations, first page by {"slug":"a"}: every role
-- primary
select t.id, t.created_at
from (select "o".*, "m"."role", "m"."user_id"
  from "organization" as "o"
  inner join (select "m"."organization_id", "m"."user_id", "m"."role"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null union all
    select "k"."organization_id", "k"."id" as "user_id", "k"."role"
    from "api_key" as "k"
    where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
where t.user_id = $1::uuid and t.slug = $2::text
order by t.created_at asc, t.id asc
limit 51;

-- organizations, first page by {"signup":{"$ne":"open"}}: every role
-- primary
select t.id, t.created_at
from (select "o".*, "m"."role", "m"."user_id"
  from "organization" as "o"
  inner join (select "m"."organization_id", "m"."user_id", "m"."role"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null union all
    select "k"."organization_id", "k"."id" as "user_id", "k"."role"
    from "api_key" as "k"
    where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
where t.user_id = $1::uuid and t.signup <> $2::text
order by t.created_at asc, t.id asc
limit 51;

-- organizations, page after a cursor by {"role":"owner"}: every role
-- primary
select page.id, page.created_at, flags.*
from (select 1) p
left join lateral (select (select true
    from (select "o".*, "m"."role", "m"."user_id"
      from "organization" as "o"
      inner join (select "m"."organization_id", "m"."user_id", "m"."role"
        from "membership" as "m"
        inner join "user" as "u" on "u"."id" = "m"."user_id"
        where "u"."verified_at" is not null union all
        select "k"."organization_id", "k"."id" as "user_id", "k"."role"
        from "api_key" as "k"
        where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
    where t.user_id = $1::uuid and t.role = $2::text and (t.created_at, t.id) <= ($3::timestamptz, $4::uuid)
    order by t.created_at desc, t.id desc
    limit 1) as _behind) flags on true
left join lateral (select t.id, t.created_at
  from (select "o".*, "m"."role", "m"."user_id"
    from "organization" as "o"
    inner join (select "m"."organization_id", "m"."user_id", "m"."role"
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null union all
      select "k"."organization_id", "k"."id" as "user_id", "k"."role"
      from "api_key" as "k"
      where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
  where t.user_id = $5::uuid and t.role = $6::text and (t.created_at, t.id) > ($7::timestamptz, $8::uuid)
  order by t.created_at asc, t.id asc
  limit 51) page on true
order by page.created_at asc, page.id asc;

-- organizations, count: every role
-- primary
select count(*)::int as count
from (select "o".*, "m"."role", "m"."user_id"
  from "organization" as "o"
  inner join (select "m"."organization_id", "m"."user_id", "m"."role"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null union all
    select "k"."organization_id", "k"."id" as "user_id", "k"."role"
    from "api_key" as "k"
    where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
where t.user_id = $1::uuid and true;

-- organizations, count by {"role":"owner"}: every role
-- primary
select count(*)::int as count
from (select "o".*, "m"."role", "m"."user_id"
  from "organization" as "o"
  inner join (select "m"."organization_id", "m"."user_id", "m"."role"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null union all
    select "k"."organization_id", "k"."id" as "user_id", "k"."role"
    from "api_key" as "k"
    where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
where t.user_id = $1::uuid and t.role = $2::text;

-- organizations, count up to 100: every role
-- primary
select count(*)::int as count
from (select
  from (select "o".*, "m"."role", "m"."user_id"
    from "organization" as "o"
    inner join (select "m"."organization_id", "m"."user_id", "m"."role"
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null union all
      select "k"."organization_id", "k"."id" as "user_id", "k"."role"
      from "api_key" as "k"
      where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
  where t.user_id = $1::uuid and true
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- organizations, count up to 100 by {"role":"owner"}: every role
-- primary
select count(*)::int as count
from (select
  from (select "o".*, "m"."role", "m"."user_id"
    from "organization" as "o"
    inner join (select "m"."organization_id", "m"."user_id", "m"."role"
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null union all
      select "k"."organization_id", "k"."id" as "user_id", "k"."role"
      from "api_key" as "k"
      where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
  where t.user_id = $1::uuid and t.role = $2::text
  order by t.created_at asc, t.id asc
  limit 101) capped;

-- organizations, by ids: every role
-- primary, plan kept
select t.id, t.name, t.slug, t.signup, t.description, t.website, t.contact_email, t.accent, t.version, t.role, t.created_at
from (select "o".*, "m"."role", "m"."user_id"
  from "organization" as "o"
  inner join (select "m"."organization_id", "m"."user_id", "m"."role"
    from "membership" as "m"
    inner join "user" as "u" on "u"."id" = "m"."user_id"
    where "u"."verified_at" is not null union all
    select "k"."organization_id", "k"."id" as "user_id", "k"."role"
    from "api_key" as "k"
    where k.ended_at is null and (k.expires_at is null or k.expires_at > now())) as "m" on "m"."organization_id" = "o"."id") t
where t.id = any($1::uuid[]) and t.user_id = $2::uuid;

-- users, by ids: every role
-- primary
select t.id, case when is_known_user($1::uuid, t.id) then t.name end as name, t.avatar_url, t.email
from "user" t
where t.id = any($2::uuid[]) and (true);

-- users whom the viewer knows, by ids: owner, manager
-- primary
select t.id, case when is_known_user($1::uuid, t.id) then t.name end as name, t.avatar_url, t.email
from "user" t
where t.id = any($2::uuid[]) and (t.id = $3::uuid or exists (select
    from (select "m".*
      from "membership" as "m"
      inner join "user" as "u" on "u"."id" = "m"."user_id"
      where "u"."verified_at" is not null) m
    where m.user_id = t.id and m.organization_id = $4::uuid) or exists (select
    from subscription s
    where s.user_id = t.id and s.organization_id = $5::uuid) or exists (select
    from api_key k
    where k.id = t.id and k.organization_id = $6::uuid));

-- users whom the viewer knows, by ids: member
-- primary
select t.id, case when is_known_user($1::uuid, t.id) then t.name end as name, t.avatar_url, t.email
from "user" t
where t.id = any($2::uuid[]) and (t.id = $3::uuid);
