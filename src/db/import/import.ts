import { randomUUIDv7 } from 'node:crypto';
import pLimit from 'p-limit';
import type { PoolClient } from 'pg';
import type { Progress } from '#command-line';
import { hashPassword } from '#passwords';
import { rowsOn } from '#postgres-access';
import { type Row, TableImport } from '#table-import';
import { endedInvitations } from '../../domain/invitation/invitation.policy.ts';
import { acceptWaiting } from '../../domain/subscription/places.ts';
import { checkInput } from '../../kernel/input/parse-input.ts';
import { inClientTransaction } from '../client.ts';
import { keepFormer, writeChanges } from './changes.ts';
import { lockDocument } from './locks.ts';
import { checkFormerSlugs, checkNotDeleted } from './relations.ts';
import { endSignIns, findReplaced } from './sign-ins.ts';
import { completeSlugs, eventSlugs, keepEventSlugs, keepFormerSlugs, organizationSlugs } from './slugs.ts';
import { type Document, tables } from './tables.ts';

/** Two concurrent imports would not see each other's writes. */
const lock = 7_105_118_104;
/** How many passwords are hashed concurrently. */
const hashesAtOnce = 4;

/** How many rows of each section were written. */
export type ImportSummary = Record<keyof Document, number>;

/**
 * Imports a document (guides/import-and-export.md#imports) in one transaction.
 *
 * @param client without statement timeout
 * @throws ImportFaults with all faults; Error of the driver
 */
export async function importDocument(
  client: PoolClient,
  bytes: Uint8Array,
  progress: Progress,
): Promise<ImportSummary> {
  const given = new TableImport(tables, bytes, checkInput);
  const document = given.rows;
  const check = async () => {
    await given.checkRelations(client);
    await checkFormerSlugs(client, document, given.report);
    await checkNotDeleted(client, document, given.report);
    given.refuseFaults();
  };
  await keepEventSlugs(client, document.events);
  await check();
  // before the transaction: others would wait for its locks, for minutes if the list is long
  await hashPasswords(document.users, progress);
  return await inClientTransaction(client, async () => {
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    const events = await lockDocument(client, document);
    await check();
    await keepFormer(client, document, events);
    await completeSlugs(client, document.organizations, organizationSlugs);
    await completeSlugs(client, document.events, eventSlugs);
    await keepFormerSlugs(client, document.events);
    // new ones of the same time are listed in the order of the document
    const ids = document.memberships.map(() => randomUUIDv7()).sort();
    for (const [index, membership] of document.memberships.entries()) membership.id = ids[index];
    const replaced = await findReplaced(client, document.users);
    const summary = await given.write(client, progress);
    const places = { notify: true, now: new Date(), bounded: true };
    await acceptWaiting((statement) => rowsOn(client, statement), events, places);
    await writeChanges(client);
    await endSignIns(client, replaced);
    await rowsOn(client, endedInvitations(document.memberships.map((row) => String(row.organization_id))));
    return summary;
  });
}

async function hashPasswords(users: Row[], progress: Progress): Promise<void> {
  const waiting = users.filter((user) => user.password !== undefined);
  progress.begin('passwords', waiting.length);
  await pLimit(hashesAtOnce).map(waiting, async (user) => {
    user.password_hash = await hashPassword(String(user.password));
    delete user.password;
    progress.advance(1);
  });
  progress.end();
}
