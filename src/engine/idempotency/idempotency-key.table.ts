import { defineEntity, p } from '@mikro-orm/core';
import { timestamp } from '../columns.ts';

/** The stored response to a write, for retries (reference/writes.md#idempotency-keys). */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    /** SHA-256 of the user, the organization and the key. */
    id: p.blob().primary(),
    /** SHA-256 of the method, path and body that it was used with. */
    request: p.blob(),
    status: p.smallint(),
    headers: p.json<Record<string, string>>(),
    /** Sealed if it shows a secret. */
    body: p.text(),
    /** The viewer, and the holders and the subscriptions that the body may show (note 0061). */
    concerns: p.uuid().array().columnType('uuid[]').defaultRaw(`'{}'`),
    created_at: timestamp().defaultRaw('now()'),
  },
  indexes: [
    { name: 'idempotency_key_created_at_index', properties: ['created_at'] },
    { name: 'idempotency_key_concerns_index', properties: ['concerns'], type: 'gin' },
  ],
});
