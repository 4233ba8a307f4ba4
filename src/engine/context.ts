import DataLoader from 'dataloader';
import { DomainError } from '../kernel/errors.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import type { Membership, Requester, Viewer } from '../kernel/request.ts';
import type { TextSealer } from '../kernel/sealed-text.ts';
import type { CursorCodec } from './cursor.ts';
import type { Database } from './database.ts';
import type { Snapshots } from './snapshot.ts';

/** What all requests share; the domain adds what its nouns need (`domain/services.ts`). */
export interface Services {
  cursors: CursorCodec;
  /** Encrypts stored secrets. */
  sealer: TextSealer;
  limits: Limits;
  snapshots: Snapshots;
}

/** Everything that the domain needs to know about a request. */
export interface Context extends Requester {
  db: Database;
  services: Services;
  loaders: Loaders;
  /** The fixed time of the request, so that everything derived from it is consistent. */
  now: Date;
  /** Ids of people and subscriptions whose data the response may contain: a stored response is erased with them. */
  concerns?: Set<string>;
  /** What commands have read before their transaction, by the function that read it. */
  ahead?: Map<unknown, unknown>;
  /** For {@link inStep}. */
  openDatabase(): StepDatabase;
}

/** Notes the people or subscriptions whose data the response may contain, in case it is stored. */
export function noteConcerns({ concerns }: Context, rows: Iterable<{ id: string }>): void {
  if (!concerns) return;
  for (const { id } of rows) concerns.add(id);
}

export interface StepDatabase {
  db: Database;
  /** Releases the memory of the rows that it loaded. */
  end(): void;
}

/** Runs one step of a long request, with its own database, loaders and time. */
export async function inStep<C extends Context, Result>(ctx: C, work: (step: C) => Promise<Result>): Promise<Result> {
  const { db, end } = ctx.openDatabase();
  try {
    return await work({ ...ctx, db, loaders: new Loaders(), now: new Date() });
  } finally {
    end();
  }
}

/** Signed in. */
export interface ViewerContext extends Context {
  viewer: Viewer;
}

/** Signed in by a person with a session. */
export interface PersonContext extends ViewerContext {
  viewer: Viewer & { sessionId: string; key: null };
}

/** Signed in and scoped to one of the viewer's organizations. */
export interface MemberContext extends ViewerContext {
  membership: Membership;
}

export function withViewer(ctx: Context): ViewerContext {
  if (!ctx.viewer) throw new Error('this needs a viewer');
  return ctx as ViewerContext;
}

/** @throws DomainError FORBIDDEN for an API key (reference/api-keys.md#limits-of-a-key) */
export function withPerson(ctx: Context): PersonContext {
  if (withViewer(ctx).viewer.key) throw forbiddenToKeys();
  return ctx as PersonContext;
}

export function forbiddenToKeys(): DomainError {
  return new DomainError('FORBIDDEN', { detail: 'API keys may not do this.' });
}

export function withMembership(ctx: Context): MemberContext {
  if (!ctx.viewer || !ctx.membership) throw new Error('this needs an organization');
  return ctx as MemberContext;
}

/** Loads the value of a key; all keys requested at once are read in one statement. */
export type Loader<Value> = DataLoader<string, Value>;

/** The loaders of one request or transaction; each noun has one for each selection of columns. */
export class Loaders {
  private readonly made = new Map<string, { clearAll(): unknown }>();

  /** The loader under a key; created by `make` the first time. */
  once<Made extends { clearAll(): unknown }>(key: string, make: () => Made): Made {
    const known = this.made.get(key) as Made | undefined;
    if (known) return known;
    const made = make();
    this.made.set(key, made);
    return made;
  }

  /** Clears every loader: after a write, rows must be read again. */
  clear(): void {
    for (const loader of this.made.values()) loader.clearAll();
  }
}

/** Null for a row that `find` does not return. @param key includes everything that `find` depends on */
export function rowLoader<Row extends { id: string }>(
  ctx: Pick<Context, 'loaders'>,
  key: string,
  find: (ids: readonly string[]) => Promise<readonly Row[]>,
): Loader<Row | null> {
  return batchLoader<Row | null>(ctx, key, (ids) => inOrder(ids, find(ids)));
}

/** Like {@link rowLoader}, for any kind of value; `batch` returns the values in the order of the keys. */
export function batchLoader<Value>(
  { loaders }: Pick<Context, 'loaders'>,
  key: string,
  batch: (keys: readonly string[]) => Promise<(Value | Error)[]>,
): Loader<Value> {
  return loaders.once(key, () => new DataLoader<string, Value>(batch));
}

/** Rows in the order of their ids. */
export async function inOrder<Row extends { id: string }>(
  ids: readonly string[],
  unordered: Promise<readonly Row[]>,
): Promise<(Row | null)[]> {
  const rows = new Map((await unordered).map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id) ?? null);
}
