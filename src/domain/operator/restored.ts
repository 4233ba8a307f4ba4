import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { transaction } from '../../engine/transaction.ts';
import { settleRestoredChanges } from '../change/restored.ts';
import { tables } from '../tables/tables.ts';
import { queueDeliveries, refetchesOf } from '../webhook/delivery-jobs.ts';

const receivers = prepared(() =>
  tables
    .selectFrom('webhook as w')
    .innerJoin('organization as o', 'o.id', 'w.organization_id')
    .select(['w.id', 'w.organization_id', 'w.kinds'])
    .where('o.deleted_at', 'is', null)
    .orderBy('w.id')
    .forUpdate('w'),
);

const raiseRevisions = prepared((at: { to: number }) =>
  tables
    .insertInto('public_revision')
    .columns(['organization_id', 'revision'])
    .expression(({ selectFrom }) =>
      selectFrom('organization')
        .select(['id', sql<number>`${at.to}::bigint`.as('revision')])
        .where('deleted_at', 'is', null)
        .orderBy('id'),
    )
    .onConflict((given) =>
      given
        .column('organization_id')
        .doUpdateSet({ revision: sql`greatest(public_revision.revision, excluded.revision)` }),
    ),
);

/**
 * Informs those who know more than a database that was restored to an earlier time. Caches of public pages: every revision
 * rises above all that were ever used, since a repeated one would confirm a lost page. Webhooks: each tells its receiver to
 * read the lists again (reference/changes.md#refetch). Readers of the log notice by their next cursor.
 * @returns the number of webhooks, and of changes whose transactions were of another cluster
 */
export async function settleRestore(ctx: Context): Promise<{ webhooks: number; changes: number }> {
  const { now } = ctx;
  const changes = await settleRestoredChanges(ctx.db, { now, told: true });
  const webhooks = await transaction(ctx, async ({ db }) => {
    await db.run(raiseRevisions({ to: now.getTime() }));
    const told = await db.rows(receivers({}));
    for (const receiver of told) await queueDeliveries(db, receiver, refetchesOf(receiver.kinds, 0, now));
    return told.length;
  });
  return { webhooks, changes };
}
