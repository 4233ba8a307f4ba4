import sql from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import { answers, type Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { requireCurrentRole } from '../access/memberships.ts';
import { Webhook } from './webhook.entity.ts';

/**
 * Locks a webhook of the organization until the end of the transaction, against other changes and against what is
 * recorded of its deliveries.
 *
 * @param id as the client sent it
 * @throws DomainError NOT_FOUND; FORBIDDEN, ORGANIZATION_FORBIDDEN if the viewer is no longer an owner
 */
export async function lockWebhook(tx: Transaction<MemberContext>, id: string): Promise<Webhook> {
  const [webhook] = await answers(findLocked(tx, id, tx.membership.organizationId), requireCurrentRole(tx, 'owner'));
  return webhook;
}

/** Likewise, without asking who does it. @throws DomainError NOT_FOUND */
export async function findLocked(tx: Transaction, id: string, organizationId: string): Promise<Webhook> {
  const uuid = parseUuid(id);
  if (uuid === null) throw new DomainError('NOT_FOUND');
  const row =
    await tx.db.row<Webhook>(sql`select *, place_open::text[] as place_open, place_from::text as place_from, place_to::text as place_to from webhook
      where id = ${uuid}::uuid and organization_id = ${organizationId}::uuid for update`);
  if (!row) throw new DomainError('NOT_FOUND');
  return tx.em.map(Webhook, row);
}
