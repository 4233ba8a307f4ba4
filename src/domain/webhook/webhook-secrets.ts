import { createSecretKey, type KeyObject, randomBytes, randomUUIDv7 } from 'node:crypto';
import { raw } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import type { Database } from '../../engine/database.ts';
import { lowestId } from '../../engine/position.ts';
import type { Transaction } from '../../engine/transaction.ts';
import type { TextSealer } from '../../kernel/sealed-text.ts';
import { tables } from '../tables/tables.ts';
import { WebhookSecret } from './webhook.entity.ts';

/** The maximum number of secrets that sign, and for how many hours a replaced one still does (reference/webhooks.md#secrets). */
const signing = { secrets: 3, hours: 24 };

const prefix = 'whsec_';

/** `whsec_` and base64 of 32 random bytes. */
export function makeSigningSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`;
}

export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(prefix.length), 'base64');
}

const sealFor = (webhookId: string) => ({ purpose: 'webhook secret', binding: webhookId });

/** Gives a webhook a new secret, which is returned only once; deletes those that no longer sign. */
export async function addSecret({ db, em, services }: Transaction<Context>, webhookId: string): Promise<string> {
  const secret = makeSigningSecret();
  const sealed = services.sealer.seal(secret, sealFor(webhookId));
  const now = raw('clock_timestamp()');
  await em.nativeUpdate(WebhookSecret, { webhook_id: webhookId, replaced_at: null }, { replaced_at: now });
  await em.insert(WebhookSecret, { id: randomUUIDv7(), webhook_id: webhookId, sealed, created_at: now });
  await db.run(dropSecrets({ webhookId }));
  return secret;
}

const dropSecrets = prepared((at: { webhookId: string }) =>
  tables
    .deleteFrom('webhook_secret')
    .where('webhook_id', '=', at.webhookId)
    .where('id', 'not in', sql<string>`(${signingSecrets(sql`${at.webhookId}::uuid`, sql`id`)})`),
);

/** Newest first. */
function signingSecrets(webhookId: RawBuilder<unknown>, column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${column} from webhook_secret s where s.webhook_id = ${webhookId}
    and (s.replaced_at is null or s.replaced_at > now() - make_interval(hours => ${sql.lit(signing.hours)}))
    order by s.created_at desc, s.id desc limit ${sql.lit(signing.secrets)}`;
}

export function sealedSecrets(webhookId: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql`array(${signingSecrets(webhookId, sql`s.sealed`)})`;
}

/** The keys of sealed secrets, without those that cannot be opened any more. */
export function openKeys(sealer: TextSealer, webhookId: string, sealed: readonly string[]): KeyObject[] {
  return sealed.flatMap((each) => sealer.open(each, sealFor(webhookId)) ?? []).map(signingKey);
}

const batch = 100;

const secretsAfter = prepared((at: { id: string }) =>
  tables
    .selectFrom('webhook_secret')
    .select(['id', 'webhook_id', 'sealed'])
    .where('id', '>', at.id)
    .orderBy('id')
    .limit((eb) => eb.lit(batch)),
);

/** Encrypts secrets again that were not encrypted with the newest key; `former` opens those whose key the sealer no longer knows. */
export async function resealSecrets(db: Database, sealer: TextSealer, former: TextSealer = sealer): Promise<void> {
  let after = lowestId;
  for (;;) {
    const rows = await db.rows(secretsAfter({ id: after }));
    const changed = rows.flatMap(({ id, webhook_id, sealed }) => {
      const use = sealFor(webhook_id);
      const secret = sealer.isCurrent(sealed) ? null : (sealer.open(sealed, use) ?? former.open(sealed, use));
      return secret === null ? [] : [{ id, before: sealed, sealed: sealer.seal(secret, use) }];
    });
    if (changed.length > 0) await db.rows(reseal({ changed: JSON.stringify(changed) }));
    if (rows.length < batch) return;
    after = rows.at(-1)?.id as string;
  }
}

const reseal = prepared(
  (at: { changed: string }) => sql<never>`update webhook_secret s set sealed = n.sealed
    from json_to_recordset(${at.changed}::json) as n (id uuid, before text, sealed text)
    where s.id = n.id and s.sealed = n.before`,
);
