import { z } from 'zod';
import { parseUuid } from '#input-values';
import { command, forOwners, noFields } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockMembers } from '../organization/lock.ts';
import { User } from '../user/user.entity.ts';
import { ApiKey } from './api-key.entity.ts';
import { keyName, rowOf } from './create-api-key.ts';

export const updateApiKey = command({
  name: 'updateApiKey',
  description: 'Renames an API key; for owners.',
  object: 'api_key',
  ...forOwners,
  input: z.strictObject({ name: keyName.optional() }),
  errors: ['NOT_FOUND'],
  run: async (tx, { name }, { id }) => {
    const { key, user } = await lockKey(tx, id);
    if (name !== undefined && name !== user.name) {
      const detail = { fields: ['name'], from: user.name, to: name };
      user.name = name;
      await tx.em.flush();
      await record(tx, key, 'api_key.changed', detail);
    }
    return rowOf(key, user);
  },
});

/** It stops working within 5 seconds. */
export const deleteApiKey = command({
  name: 'deleteApiKey',
  description: 'Ends an API key for good; for owners.',
  object: 'api_key',
  ...forOwners,
  small: true,
  input: noFields,
  errors: ['NOT_FOUND'],
  run: async (tx, _input, { id }) => {
    await endKey(tx, await lockKey(tx, id));
  },
});

interface LockedKey {
  key: ApiKey;
  user: User;
}

/** The organization must be locked. */
export async function endKey(tx: Transaction, { key, user }: LockedKey): Promise<void> {
  key.ended_at = tx.now.toISOString();
  await tx.em.flush();
  await record(tx, key, 'api_key.ended', { name: user.name });
  // the database notifies other processes
  tx.afterCommit(() => tx.services.access.forgetUser(key.id));
}

/** The lock of all members is enough: owners rarely change keys. */
async function lockKey(tx: Transaction<MemberContext>, id: string): Promise<LockedKey> {
  await lockMembers(tx, 'owner');
  return await requireKey(tx, tx.membership.organizationId, id);
}

/** The organization must be locked. @throws DomainError NOT_FOUND */
export async function requireKey(tx: Transaction, organizationId: string, given: string): Promise<LockedKey> {
  const id = parseUuid(given);
  const key = id && (await tx.em.findOne(ApiKey, { id, organization_id: organizationId, ended_at: null }));
  if (!key) throw new DomainError('NOT_FOUND');
  return { key, user: await tx.em.findOneOrFail(User, { id: key.id }) };
}

async function record(
  tx: Transaction,
  { id: subjectId, organization_id: organizationId }: ApiKey,
  action: 'api_key.changed' | 'api_key.ended',
  detail: Record<string, unknown>,
): Promise<void> {
  await recordAudit(tx, { action, organizationId, actorId: tx.viewer?.userId ?? null, subjectId, detail });
}
