import type { FilterQuery, InferEntity, MikroORM } from '@mikro-orm/postgresql';
import { expect } from 'vitest';
import { AuditEntry } from '../../src/domain/audit/audit-entry.table.ts';
import { type Caller, send } from './send.ts';

/** What the audit trail shows an owner of what a filter finds, oldest first. */
export async function trailOf<Entry = Record<string, unknown>>(
  server: { url: string },
  owner: Caller,
  where: object,
): Promise<Entry[]> {
  const answer = await send<{ items: Entry[] }>(server, owner, 'POST /audit/query', { where });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.items;
}

/** What the audit trail has of what a condition finds, oldest first. */
export const entriesOf = ({ orm }: { orm: MikroORM }, where: FilterQuery<InferEntity<typeof AuditEntry>>) =>
  orm.em.fork().find(AuditEntry, where, { orderBy: { created_at: 'asc', id: 'asc' } });
