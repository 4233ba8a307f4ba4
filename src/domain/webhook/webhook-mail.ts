import { type Expression, type NotNull, type RawBuilder, sql } from 'kysely';
import { built, empty, prepared } from '#postgres-access';
import type { Database } from '../../engine/database.ts';
import { dueNow } from '../../engine/jobs/job.table.ts';
import { proven, provenMemberships } from '../access/memberships.ts';
import type { Mail, Recipient } from '../mail/mail.ts';
import { tables } from '../tables/tables.ts';

/** It has delivered nothing for an hour, or a day, or was disabled. */
type WebhookWarning = 'hour' | 'day' | 'disabled';

export interface WebhookLetter {
  kind: 'webhook';
  warning: WebhookWarning;
  webhookId: string;
  organization: string;
  reason: string | null;
  to: Recipient;
}

const ownerOf = prepared((at: { webhookId: string; userId: string }) =>
  proven
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .innerJoin('webhook as w', 'w.organization_id', 'o.id')
    .select(['u.email', 'u.name', 'o.name as organization', 'w.status', 'w.status_reason as reason', 'w.failing_since'])
    .where('w.id', '=', at.webhookId)
    .where('m.user_id', '=', at.userId)
    .where('m.role', '=', 'owner')
    .where('u.email', 'is not', null)
    .$narrowType<{ email: NotNull }>(),
);

/** A warning to one owner; nothing if the problem is over by now. */
export const webhookMail: Mail<{ webhookId: string; userId: string; warning: WebhookWarning }, WebhookLetter> = {
  kind: 'webhook',
  async compose({ db }, { webhookId, userId, warning }) {
    const owner = await db.row(ownerOf({ webhookId, userId }));
    if (!owner) return null;
    const { email, name, organization, reason, status, failing_since } = owner;
    const isOver = warning === 'disabled' ? status !== 'disabled' : !failing_since || status !== 'active';
    if (isOver) return null;
    return { kind: 'webhook', warning, webhookId, organization, reason, to: { address: email, name } };
  },
};

/** Queues warnings to owners; `about`: a select of `id`, `organization_id` and `warning`; `before`: a `with` clause for it. */
function warningsSql(about: Expression<unknown>, before: RawBuilder<unknown> = empty): RawBuilder<unknown> {
  return sql`${before} insert into job (id, lane, kind, data, due_at, created_at)
    select gen_random_uuid(), 'account_mails', ${webhookMail.kind},
      jsonb_build_object('webhookId', w.id, 'userId', m.user_id, 'warning', w.warning),
      ${dueNow}, now()
    from (${about}) w join ${provenMemberships} m on m.organization_id = w.organization_id and m.role = 'owner'
    returning id`;
}

/** Queues the warnings that a webhook was disabled. */
export const warnDisabled = prepared((at: { webhookId: string }) =>
  warningsSql(
    tables
      .selectFrom('webhook')
      .select(['id', 'organization_id', sql.lit('disabled').as('warning')])
      .where('id', '=', at.webhookId),
  ),
);

/** Queues warnings about webhooks whose attempts have all failed for an hour, or a day; returns whether there were any. */
export async function warnOfFailures(db: Database): Promise<boolean> {
  const due = sql`select id from webhook where failing_since is not null and status = 'active'
    and ((warnings < 1 and failing_since <= now() - interval '1 hour')
      or (warnings < 2 and failing_since <= now() - interval '1 day'))`;
  if (!(await db.row(built(sql`${due} limit 1`)))) return false;
  const failing = sql`with failing as (
      update webhook set warnings = case when failing_since <= now() - interval '1 day' then 2 else 1 end
      where id in (${due} for update skip locked)
      returning id, organization_id, case warnings when 2 then 'day' else 'hour' end as warning
    )`;
  return (await db.rows(built(warningsSql(sql`select * from failing`, failing)))).length > 0;
}
