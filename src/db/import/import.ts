import { randomUUIDv7 } from 'node:crypto';
import pLimit from 'p-limit';
import type { PoolClient } from 'pg';
import type { Progress } from '#command-line';
import { endedInvitations } from '../../domain/invitation/invitation.policy.ts';
import { hashPassword } from '../../domain/session/password.ts';
import { acceptWaiting } from '../../domain/subscription/places.ts';
import { rowsOn } from '../access/statement.ts';
import { inClientTransaction } from '../client.ts';
import { keepFormer, writeChanges } from './changes.ts';
import { type Document, type ImportRow, readDocument } from './document.ts';
import { lockDocument } from './locks.ts';
import { checkRelations } from './relations.ts';
import { endSignIns, findReplaced } from './sign-ins.ts';
import { completeSlugs, eventSlugs, keepEventSlugs, keepFormerSlugs, organizationSlugs } from './slugs.ts';
import { upsert } from './statements.ts';
import { type ImportSection, sections } from './tables.ts';
import { vacate } from './vacate.ts';

/** Two concurrent imports would not see each other's writes. */
const lock = 7_105_118_104;
const chunkSize = 5_000;
/** How many passwords are hashed concurrently. */
const hashesAtOnce = 4;

/** All faults of a document, one line each, with their paths (RFC 6901). Nothing was written. */
export class ImportFaults extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(faults.join('\n'));
    this.name = 'ImportFaults';
    this.faults = faults;
  }
}

/** How many rows of each section were written. */
export type ImportSummary = Record<ImportSection, number>;

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
  const faults: string[] = [];
  const report = (path: string, fault: string) => faults.push(`${printable(path) || '/'}: ${fault}`);
  const document = readDocument(parse(bytes), report);
  await keepEventSlugs(client, document.events);
  await checkRelations(client, document, report);
  refuse(faults);
  // before the transaction: others would wait for its locks, for minutes if the list is long
  await hashPasswords(document.users, progress);
  return await inClientTransaction(client, async () => {
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    const events = await lockDocument(client, document);
    await checkRelations(client, document, report);
    refuse(faults);
    await keepFormer(client, document, events);
    await completeSlugs(client, document.organizations, organizationSlugs);
    await completeSlugs(client, document.events, eventSlugs);
    await keepFormerSlugs(client, document.events);
    // new ones of the same time are listed in the order of the document
    const ids = document.memberships.map(() => randomUUIDv7()).sort();
    for (const [index, membership] of document.memberships.entries()) membership.id = ids[index];
    const replaced = await findReplaced(client, document.users);
    await vacate(client, document);
    for (const section of sections) await write(client, document, section, progress);
    const places = { notify: true, now: new Date(), bounded: true };
    await acceptWaiting((statement) => rowsOn(client, statement), events, places);
    await writeChanges(client);
    await endSignIns(client, replaced);
    await rowsOn(client, endedInvitations(document.memberships.map((row) => String(row.organization_id))));
    return Object.fromEntries(sections.map((section) => [section, document[section].length])) as ImportSummary;
  });
}

/** Escapes control characters: a key of the document may contain terminal sequences. */
function printable(path: string): string {
  return path.replace(/\p{Cc}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function parse(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ImportFaults(['The file is not UTF-8.']);
  }
  try {
    // `npm run` writes these lines before the output of an export
    return JSON.parse(text.replace(/^(?:\s*\n|> [^\n]*\n)+/, ''));
  } catch (error) {
    throw new ImportFaults([`The file is not JSON: ${error instanceof Error ? error.message : error}`]);
  }
}

function refuse(faults: string[]): void {
  if (faults.length > 0) throw new ImportFaults(faults);
}

async function hashPasswords(users: ImportRow[], progress: Progress): Promise<void> {
  const waiting = users.filter((user) => user.password !== undefined);
  progress.begin('passwords', waiting.length);
  await pLimit(hashesAtOnce).map(waiting, async (user) => {
    user.password_hash = await hashPassword(String(user.password));
    delete user.password;
    progress.advance(1);
  });
  progress.end();
}

async function write(
  client: PoolClient,
  document: Document,
  section: ImportSection,
  progress: Progress,
): Promise<void> {
  const rows = document[section];
  const statement = upsert(section);
  progress.begin(section, rows.length);
  for (let start = 0; start < rows.length; start += chunkSize) {
    const chunk = rows.slice(start, start + chunkSize);
    await client.query(statement, [JSON.stringify(chunk)]);
    progress.advance(chunk.length);
  }
  progress.end();
}
