import { prepared } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { clientNetwork } from '../../kernel/limits/client-network.ts';
import { hashKeySecret } from '../api-key/api-key-secret.ts';
import { tables } from '../tables/tables.ts';
import type { ActiveKey } from './active-key.read.ts';

/**
 * Signs in with the secret of an API key (reference/api-keys.md#use). Only attempts with unknown keys are limited, after the
 * lookup, so that they block nobody else in the network.
 * @throws DomainError INVALID_TOKEN for an unknown, ended or expired key; RATE_LIMITED after too many of those
 */
export async function findSignedInKey(ctx: Context, secret: string): Promise<ActiveKey> {
  const hash = hashKeySecret(secret);
  if (hash === null) throw new DomainError('INVALID_TOKEN');
  const key = await ctx.services.access.findKey(ctx.db, hash);
  if (!key || key.expiresAt <= Date.now()) {
    await ctx.services.limits.take({ rule: 'key_network', key: clientNetwork(ctx.client.ip) });
    throw new DomainError('INVALID_TOKEN');
  }
  await recordUse(ctx, key);
  return key;
}

const noteUse = prepared((at: { id: string; used: string }) =>
  tables
    .updateTable('api_key')
    .set({ last_used_at: at.used })
    .where('id', '=', at.id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at.used)])),
);

/** Once a minute; a failure must not fail the request. */
async function recordUse({ db, log, client }: Context, key: ActiveKey): Promise<void> {
  const minute = Math.floor(Date.now() / 60_000);
  if (key.usedMinute >= minute) return;
  // in the cached entry, so that other requests of this minute do not write
  key.usedMinute = minute;
  const used = new Date(minute * 60_000).toISOString();
  await db.run(noteUse({ id: key.userId, used })).catch((error: unknown) => {
    log.warn({ requestId: client.requestId, err: error }, 'the use of an API key could not be recorded');
  });
}
