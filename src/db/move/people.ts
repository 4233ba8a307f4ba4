import type { ClientBase } from 'pg';
import { copyRows } from './copy-rows.ts';

/**
 * The people of an organization, and its keys: members and former ones, holders, those whom its history names. Erased accounts
 * go along as they are.
 */
function idsOf(organizationId: string): string {
  const of = `organization_id = '${organizationId}'::uuid`;
  const actors = [
    `select user_id from membership where ${of}`,
    `select user_id from former_membership where ${of}`,
    `select user_id from subscription where ${of}`,
    `select inviter_id from invitation where ${of}`,
    `select id from api_key where ${of}`,
    `select created_by from api_key where ${of}`,
    `select created_by from webhook where ${of}`,
    `select actor_id from audit_entry where ${of}`,
    `select person_id from audit_entry where ${of}`,
    `select subject_id from audit_entry where ${of}`,
    `select c.actor_id from subscription_change c join subscription s on s.id = c.subscription_id where s.${of}`,
    `select recipient from mail_job where ${of}`,
  ];
  return actors.join(' union ');
}

/** Those rows of `user`. */
export function peopleOf(organizationId: string): string {
  return `select t.* from "user" t where t.id in (${idsOf(organizationId)})`;
}

/**
 * Their answers to writes that are kept for retries. Which organization a kept answer is of can only be told with its key, so all that
 * concern one of these people go along: a retry finds that of its own organization alone.
 */
export function answersFor(organizationId: string): string {
  return `select t.* from idempotency_key t where t.concerns && array(${idsOf(organizationId)})`;
}

/** Accounts of the target that have the address of one who would come, but are another account. */
export interface AddressConflicts {
  count: number;
  /** Some of the addresses. */
  addresses: string[];
}

/** Looks for them, in a transaction of the target whose temporary tables go with it. */
export async function findConflicts(source: ClientBase, target: ClientBase, id: string): Promise<AddressConflicts> {
  await target.query('create temporary table coming (id uuid, mailbox text) on commit drop');
  const select = `select id, mailbox from (${peopleOf(id)}) p where mailbox is not null`;
  await copyRows(source, target, { select, into: 'coming (id, mailbox)' });
  const { rows } = await target.query<AddressConflicts>(`select count(*)::int as count,
      coalesce((array_agg(u.email order by u.email))[:20], '{}') as addresses
    from coming c join "user" u on u.mailbox = c.mailbox and u.id <> c.id
    where not exists (select from "user" same where same.id = c.id)`);
  return rows[0] as AddressConflicts;
}
