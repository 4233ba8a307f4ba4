import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { built, prepared, type Statement } from '#postgres-access';
import { changedNow } from '../../engine/columns.ts';
import type { Database, UnitOfWork } from '../../engine/database.ts';
import { Job } from '../../engine/jobs/job.table.ts';
import { everyMember } from '../access/memberships.ts';
import { eventStatuses } from '../event/event.entity.ts';
import { fanOutNotice } from '../event/fan-out-notice.ts';
import { Organization } from '../organization/organization.entity.ts';
import { now, type TableName, tables } from '../tables/tables.ts';
import { deliveriesOf } from '../webhook/delivery-jobs.ts';

/** Minutes that the mails about cancelled events have before they are deleted with the rest. */
const mailMinutes = 45;
const late = sql<boolean>`deleted_at < now() - make_interval(mins => ${sql.lit(mailMinutes)})`;
/** Rows per step, which holds their locks for a few milliseconds. */
const batch = 500;

/** `waiting` while the organization's mails are being sent. */
export interface Step {
  organizationId: string;
  outcome: 'continued' | 'waiting' | 'gone';
}

const nextDeleted = prepared((at: { skip: readonly string[]; only: string | null }) =>
  tables
    .selectFrom('organization')
    .select(['id', late.as('late')])
    .where('deleted_at', 'is not', null)
    .where(sql<boolean>`id <> all(${at.skip}::uuid[]) and (${at.only}::uuid is null or id = ${at.only}::uuid)`)
    .orderBy('deleted_at')
    .limit(sql.lit(1))
    .forNoKeyUpdate()
    .skipLocked(),
);

/**
 * Does one step of the deletion of an organization, in its own transaction; no two processes do the same one. First its
 * upcoming events are cancelled, with their mails; then the rows go (reference/leaving.md#deleting-an-organization).
 * @param skip organizations that are waiting
 * @param only the only one to look at, if any
 * @returns null if there is nothing to do
 */
export async function deleteStep(
  { db, bounded }: { db: Database; bounded: boolean },
  skip: readonly string[],
  only: string | null = null,
): Promise<Step | null> {
  return await db.transaction(async (tx) => {
    const organization = await tx.row(nextDeleted({ skip, only }));
    if (!organization) return null;
    const { id: organizationId, late } = organization;
    if (await cancelEvents({ db: tx, bounded }, organizationId)) return { organizationId, outcome: 'continued' };
    if (!late && (await hasMails(tx, organizationId))) return { organizationId, outcome: 'waiting' };
    for (const statement of statements(organizationId)) {
      if ((await tx.rows(statement)).length > 0) return { organizationId, outcome: 'continued' };
    }
    await tx.em.nativeDelete(Organization, { id: organizationId });
    return { organizationId, outcome: 'gone' };
  });
}

const cancelSome = prepared((at: { organizationId: string }) => {
  const some = tables
    .selectFrom('event')
    .select('id')
    .where(({ and }) => and({ organization_id: at.organizationId, status: sql.lit(eventStatuses.ACTIVE) }))
    .where('date_end', '>=', now)
    .orderBy('id')
    .limit(sql.lit(50))
    .forUpdate();
  const status = sql.lit(eventStatuses.CANCELLED);
  return tables
    .updateTable('event')
    .set({ status, version: sql`version + 1`, updated_at: sql.raw(changedNow('event')) })
    .where('id', 'in', some)
    .returning('id');
});

/** Cancels some of the active events that are not over, with their notices; returns whether there were any. */
async function cancelEvents(
  { db, bounded }: { db: UnitOfWork; bounded: boolean },
  organizationId: string,
): Promise<boolean> {
  const events = await db.rows(cancelSome({ organizationId }));
  for (const { id } of events) await fanOutNotice({ db, bounded }, id, 'cancelled', { cancelled: false });
  return events.length > 0;
}

/** Mails about its events are composed from the rows. */
async function hasMails({ em }: UnitOfWork, organizationId: string): Promise<boolean> {
  const mails = { organization_id: organizationId, lane: { $ne: 'deliveries' as const }, due_at: { $ne: null } };
  return (await em.findOne(Job, mails, { fields: ['id'] })) !== null;
}

/** Each deletes a batch of rows; in the order of foreign keys. */
function statements(organizationId: string): Statement[] {
  const of = sql<SqlBool>`organization_id = ${organizationId}::uuid`;
  const ofEvents = sql<SqlBool>`event_id in ${tables.selectFrom('event').select('id').where(of)}`;
  const webhooks = tables.selectFrom('webhook').select('id').where(of);
  return [
    chosen('job', sql`${of} and lane <> 'deliveries'`),
    chosen('job', deliveriesOf(sql`any(array${webhooks})`)),
    chosen('webhook_delivery', sql`webhook_id in ${webhooks}`),
    chosen('webhook', of),
    chosen('guest_request', ofEvents),
    // also deletes guests who have no other subscription; a text, since it deletes from two tables
    built(sql`with gone as (
        delete from subscription where id in (
          select id from subscription where ${of} limit ${batch}
        ) returning id, user_id
      ), guests as (
        delete from "user" u where u.id in (select user_id from gone) and u.password_hash is null
          and not exists ${everyMember.where('m.user_id', '=', sql.ref<string>('u.id'))}
          and not exists (select from pending_sign_up p where p.user_id = u.id)
          and not exists (select from subscription s where s.user_id = u.id and s.id not in (select id from gone))
      ) select id from gone`),
    chosen('form_version', of),
    chosen('form_content', of),
    chosen('event', of),
    chosen('audit_entry', of),
    chosen('former_membership', of),
    chosen('change', of),
    chosen('change_floor', of),
    // a person who signed up to join it keeps the account
    built(tables.updateTable('one_time_token').set({ organization_id: null }).where(of).returning('id')),
    chosen('user', sql`id in ${tables.selectFrom('api_key').select('id').where(of)}`),
    chosen('api_key', of),
  ];
}

/** A text with `ctid`, so that the planner always finds the rows directly. */
function chosen(table: TableName, condition: RawBuilder<SqlBool>): Statement {
  const name = sql.table(table);
  return built(sql`delete from ${name} where ctid = any(array(select ctid from ${name} where ${condition} limit ${batch}))
    returning 1 as gone`);
}
