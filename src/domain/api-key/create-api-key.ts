import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { line, timestampInput } from '#input-values';
import { prepared } from '#postgres-access';
import { command, forOwners } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError, type Issue } from '../../kernel/errors.ts';
import { keyAccesses } from '../../kernel/request.ts';
import { isLiveKey } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockMembers } from '../organization/lock.ts';
import { tables } from '../tables/tables.ts';
import { User } from '../user/user.entity.ts';
import { ApiKey, keyRoles } from './api-key.entity.ts';
import type { ApiKeyRow } from './api-key.resource.ts';
import { hashKeySecret, makeKeySecret, prefixOf } from './api-key-secret.ts';

const maxKeys = 100;
/** Until a key expires. */
const maxYears = 10;

export const keyName = line(100).meta({ description: 'Name, 1 to 100 characters.' });

const expiry = timestampInput(isAllowed, `Must be in the future, and at most ${maxYears} years ahead.`);

const input = z.strictObject({
  name: keyName,
  role: z.enum(keyRoles).meta({ description: 'The role of the key in the organization.' }),
  access: z.enum(keyAccesses).meta({ description: 'Whether the key only reads, or also writes.' }).default('read'),
  webhooks: z
    .boolean()
    .meta({ description: 'Whether the key may read and run webhooks, whatever its role; needs `access` to write.' })
    .default(false),
  expires_at: expiry.nullable().meta({ description: 'When the key expires; null for never.' }).default(null),
});

const onlyReads: Issue = {
  pointer: '/webhooks',
  code: 'VALIDATION_ERROR',
  detail: 'A key that only reads cannot run webhooks: set `access` to `write`.',
};

export const createApiKey = command({
  name: 'createApiKey',
  description: 'Creates an API key; for owners.',
  ...forOwners,
  secret: true,
  input,
  check: async (_ctx, { access = 'read', webhooks }) => (webhooks === true && access === 'read' ? [onlyReads] : []),
  errors: ['CONFLICT'],
  run: async (tx, fields) => {
    await lockMembers(tx, 'owner');
    await requirePlace(tx);
    const { name, ...given } = fields;
    const { organizationId } = tx.membership;
    const actorId = tx.viewer.userId;
    const secret = makeKeySecret();
    const id = randomUUIDv7();
    const created_at = tx.now.toISOString();
    const nobody = { email: null, avatar_url: null, password_hash: null, verified_at: null };
    const user = tx.em.create(User, { id, name, ...nobody, created_at });
    const key = tx.em.create(ApiKey, {
      id,
      organization_id: organizationId,
      ...given,
      prefix: prefixOf(secret),
      hash: hashKeySecret(secret) as string,
      created_by: actorId,
      created_at,
      last_used_at: null,
      ended_at: null,
    });
    await tx.em.persist([user, key]).flush();
    const entry = { action: 'api_key.created' as const, organizationId, actorId, subjectId: id };
    await recordAudit(tx, { ...entry, detail: fields });
    return { ...rowOf(key, user), secret };
  },
});

export function rowOf(key: ApiKey, { name, updated_at }: User): ApiKeyRow {
  const { id, role, access, webhooks, prefix, created_by, created_at, expires_at, last_used_at } = key;
  return { id, name, role, access, webhooks, prefix, created_by, created_at, updated_at, expires_at, last_used_at };
}

const countLive = prepared((at: { organizationId: string }) =>
  tables
    .selectFrom('api_key as k')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('k.organization_id', '=', at.organizationId)
    .where(isLiveKey),
);

/** Call it with the members locked, so that parallel creations cannot exceed the maximum. */
async function requirePlace({ db, membership }: Transaction<MemberContext>): Promise<void> {
  const live = await db.row(countLive(membership));
  if (Number(live?.count) < maxKeys) return;
  throw new DomainError('CONFLICT', { detail: `An organization can have at most ${maxKeys} keys that are in use.` });
}

function isAllowed(time: Date): boolean {
  const latest = new Date();
  latest.setUTCFullYear(latest.getUTCFullYear() + maxYears);
  return time > new Date() && time <= latest;
}
