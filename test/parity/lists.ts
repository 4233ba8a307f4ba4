import { listsOf } from '../support/lists.ts';
import { send } from '../support/send.ts';
import type { ParityData } from './data.ts';

const times = (n: string) => `'2026-01-01T00:00:00Z'::timestamptz + ${n} / 3 * interval '1 second'`;

/** Every list that has a filter, with more rows than a page, many of them at equal moments. */
export async function fillLists(data: ParityData) {
  const { organizationId, userId: ownerId } = data.askers.owner;
  const memberId = data.askers.member.userId;
  const { execute } = data.server;
  await execute(
    `insert into session (id, user_id, created_at, last_used_at, expires_at)
      select gen_random_uuid(), ?, ${times('n')}, now(), now() + interval '1 day' from generate_series(1, 70) n`,
    [ownerId],
  );
  await execute(
    `with people as (insert into "user" (id, email, mailbox, name, verified_at)
        select gen_random_uuid(), 'p' || n || '@example.org', 'p' || n || '@example.org', 'Person ' || n, now() from generate_series(1, 70) n returning id, name)
      insert into membership (id, organization_id, user_id, role, created_at)
        select gen_random_uuid(), ?, id, case when n % 3 = 0 then 'manager' else 'member' end, ${times('n')}
        from (select id, row_number() over () as n from people) numbered`,
    [organizationId],
  );
  await execute(
    `insert into audit_entry (id, organization_id, action, actor_id, subject_id, created_at)
      select gen_random_uuid(), ?, case when n % 4 = 0 then 'member.removed' else 'session.started' end,
        case when n % 5 = 0 then null else ?::uuid end, ?, ${times('n')} from generate_series(1, 130) n`,
    [organizationId, ownerId, memberId],
  );
  await execute(
    `insert into invitation (id, organization_id, email, mailbox, role, inviter_id, created_at, expires_at)
      select gen_random_uuid(), ?, n || '@example.org', n || '@example.org', 'member', ?, ${times('n')}, now() + interval '1 day'
      from generate_series(1, 40) n`,
    [organizationId, ownerId],
  );
  await execute(
    `insert into subscription_change (id, subscription_id, kind, status_to, created_at)
      select gen_random_uuid(), ?, 'status', 'accepted', ${times('n')} from generate_series(1, 40) n`,
    [data.subscriptions[0]?.id],
  );
  await execute(
    `with machines as (insert into "user" (id, name) select gen_random_uuid(), 'Machine ' || n from generate_series(1, 30) n returning id)
      insert into api_key (id, organization_id, role, access, prefix, hash, created_by, created_at)
        select id, ?, 'member', 'read', 'evk_', id::text, ?, ${times('row_number() over ()')} from machines`,
    [organizationId, ownerId],
  );
  const { body: webhook } = await send<{ id: string }>(data.server, data.askers.owner, 'POST /webhooks', {
    url: 'https://example.org/',
  });
  await execute(
    `insert into webhook (id, organization_id, created_by, url, kinds, description, status, created_at, updated_at, place)
      select gen_random_uuid(), organization_id, created_by, url, kinds, '', 'paused', ${times('n')}, now(), place
      from webhook, generate_series(1, 24) n`,
  );
  await execute(
    `insert into webhook_delivery (id, webhook_id, change_id, type, attempt, status, http_status, duration_ms, change, seq, created_at)
      select gen_random_uuid(), ?, gen_random_uuid(), 'event.changed', n, case when n % 2 = 0 then 'failed' else 'succeeded' end,
        case when n % 3 = 0 then null else 200 end, n, '{}', n, ${times('n')} from generate_series(1, 40) n`,
    [webhook.id],
  );
  return listsOf({ event: data.eventId, subscription: data.subscriptions[0]?.id as string, webhook: webhook.id });
}
