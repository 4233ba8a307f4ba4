import sql, { raw, type Sql } from 'sql-template-tag';
import { changedNow } from '../../engine/columns.ts';
import type { Database } from '../../engine/database.ts';
import { piece, prepared } from '../../engine/statement.ts';
import { everyMembership } from '../access/memberships.ts';
import { eventStatuses } from '../event/event.entity.ts';
import { fanOutNotice } from '../event/fan-out-notice.ts';
import { Organization } from '../organization/organization.entity.ts';
import { tables } from '../tables/tables.ts';

/** Minutes that the mails about the cancelled events have before they are discarded with the rest. */
const mailMinutes = 45;
const late = piece<boolean>(sql`deleted_at < now() - make_interval(mins => ${mailMinutes})`);
/** Rows that a step deletes: it holds their locks for a few milliseconds. */
const batch = 500;

/** What a step did with the organization whose turn it was; `waiting` if its mails are still being sent. */
export interface Step {
  organizationId: string;
  outcome: 'continued' | 'waiting' | 'gone';
}

const nextDeleted = prepared((at: { skip: readonly string[]; only: string | null }) =>
  tables
    .selectFrom('organization')
    .select(['id', late.as('late')])
    .where('deleted_at', 'is not', null)
    .where(piece<boolean>(sql`id <> all(${at.skip}::uuid[]) and (${at.only}::uuid is null or id = ${at.only}::uuid)`))
    .orderBy('deleted_at')
    .limit((eb) => eb.lit(1))
    .forNoKeyUpdate()
    .skipLocked(),
);

/**
 * Does one step of the deletion of an organization, in a transaction of its own; several processes do not do the same one
 * (interface/leaving.md#deleting-an-organization). First its coming events are cancelled, with their mails; then the rows go.
 *
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
    for (const statement of statements(sql`${organizationId}::uuid`)) {
      if ((await tx.rows(statement)).length > 0) return { organizationId, outcome: 'continued' };
    }
    await tx.em.nativeDelete(Organization, { id: organizationId });
    return { organizationId, outcome: 'gone' };
  });
}

type Tx = Pick<Database, 'row' | 'rows' | 'run'>;

/** Cancels some of the active events that are not over, with a notice to each holder; returns whether there were any. */
async function cancelEvents({ db, bounded }: { db: Tx; bounded: boolean }, organizationId: string): Promise<boolean> {
  const events = await db.rows<{ id: string }>(sql`with chosen as (
      select id from event where organization_id = ${organizationId}::uuid and status = ${eventStatuses.ACTIVE}
        and date_end >= now() order by id limit 50 for update
    )
    update event set status = ${eventStatuses.CANCELLED}, version = version + 1, updated_at = ${changedNow('event')}
    from chosen where event.id = chosen.id returning event.id`);
  for (const { id } of events) await fanOutNotice({ db, bounded }, id, 'cancelled', { cancelled: false });
  return events.length > 0;
}

/** Whether mails about its events are still to be sent: they are composed from the rows. */
async function hasMails(db: Tx, organizationId: string): Promise<boolean> {
  const found =
    await db.row(sql`select from job where organization_id = ${organizationId}::uuid and lane <> 'deliveries'
    and due_at is not null limit 1`);
  return found !== undefined;
}

/** The statements that delete a batch of rows each, in the order in which rows refer to each other. */
function statements(organization: Sql): Sql[] {
  const of = sql`organization_id = ${organization}`;
  const ofEvents = sql`event_id in (select id from event where ${of})`;
  const ofWebhooks = sql`webhook_id in (select id from webhook where ${of})`;
  return [
    chosen('job', of),
    chosen('webhook_delivery', ofWebhooks),
    chosen('webhook', of),
    chosen('guest_request', ofEvents),
    // guests who have no other subscription go, too
    sql`with gone as (
        delete from subscription where id in (
          select id from subscription where ${of} limit ${batch}
        ) returning id, user_id
      ), guests as (
        delete from "user" u where u.id in (select user_id from gone) and u.password_hash is null
          and not exists (select from ${everyMembership} m where m.user_id = u.id)
          and not exists (select from pending_sign_up p where p.user_id = u.id)
          and not exists (select from subscription s where s.user_id = u.id and s.id not in (select id from gone))
      ) select id from gone`,
    chosen('form_version', of),
    chosen('form_content', of),
    chosen('event', of),
    chosen('audit_entry', of),
    chosen('former_membership', of),
    chosen('change', of),
    chosen('change_floor', of),
    // whoever signed up to join it keeps the account
    sql`update one_time_token set organization_id = null where ${of} returning id`,
    sql`with gone as (delete from api_key where id in (select id from api_key where ${of} limit ${batch}) returning id)
      delete from "user" where id in (select id from gone) returning id`,
  ];
}

/** By `ctid`, which the planner cannot miss. */
function chosen(table: string, condition: Sql): Sql {
  const name = raw(table);
  return sql`delete from ${name} where ctid = any(array(select ctid from ${name} where ${condition} limit ${batch}))
    returning 1 as gone`;
}
