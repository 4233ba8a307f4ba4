import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { transaction } from '../../engine/transaction.ts';
import type { ChangeKind } from '../change/change.table.ts';
import { settleRestoredChanges } from '../change/restored.ts';
import { queueDeliveries, refetchesOf } from '../webhook/delivery-jobs.ts';

interface Receiver {
  id: string;
  organization_id: string;
  kinds: ChangeKind[];
}

/**
 * Tells those who know more than a database that was restored to an earlier time. Caches of public pages: every revision rises
 * above all that can have been given out, since a number that came again would confirm a page that is lost. Receivers of
 * webhooks: each is told to read its lists again (interface/changes.md#refetch). Readers of the log find out by their next cursor.
 *
 * @returns how many webhooks tell their receivers, and how many changes had transactions of another cluster
 */
export async function settleRestore(ctx: Context): Promise<{ webhooks: number; changes: number }> {
  const { now } = ctx;
  const changes = await settleRestoredChanges(ctx.db, { now, told: true });
  const webhooks = await transaction(ctx, async ({ db }) => {
    await db.run(sql`insert into public_revision (organization_id, revision)
      select id, ${now.getTime()}::bigint from organization where deleted_at is null order by id
      on conflict (organization_id) do update set revision = greatest(public_revision.revision, excluded.revision)`);
    const receivers = await db.rows<Receiver>(sql`select w.id, w.organization_id, w.kinds
      from webhook w join organization o on o.id = w.organization_id where o.deleted_at is null order by w.id for update of w`);
    for (const receiver of receivers) await queueDeliveries(db, receiver, refetchesOf(receiver.kinds, 0, now));
    return receivers.length;
  });
  return { webhooks, changes };
}
