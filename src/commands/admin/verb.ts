import type { OperatorPage } from '../../domain/operator/page.ts';
import type { Context } from '../../engine/context.ts';
import { parseUuid } from '../../kernel/scalars.ts';

/** The command line is wrong: its message says how, and nothing was done. */
export class UsageError extends Error {}

/** An option of a verb: what its value is called, if it takes one, and what it does. */
export interface VerbOption {
  value?: string;
  does: string;
}

/** What the operator typed after the verb. */
export interface Given {
  /** As many as the verb takes; the others are empty. */
  names: readonly [string, string];
  /** The options with their values, or `true` for those without. */
  options: Readonly<Record<string, string | boolean | undefined>>;
}

export type VerbRow = Record<string, unknown>;

/** What a verb found or did; `json` is what `--json` prints of something done. */
export type VerbResult = { rows: VerbRow[] } | { row: VerbRow } | { done: string; json: VerbRow };

/** One thing that operators can do with a noun. */
export interface Verb {
  /** What it takes, in capitals, for example `ID`. */
  takes: readonly string[];
  does: string;
  options?: Readonly<Record<string, VerbOption>>;
  /** The name of what it destroys, which the operator types or confirms by `--yes`. */
  destroys?(ctx: Context, name: string): Promise<string>;
  run(ctx: Context, given: Given): Promise<VerbResult>;
}

const defaultLimit = 50;
const maxLimit = 1_000;

/** The options of every list. */
const pageOptions = {
  limit: { value: 'N', does: `how many, at most ${maxLimit}; ${defaultLimit} if absent` },
  after: { value: 'ID', does: 'continues after this id, the last one of the previous page' },
} as const;

export const ofOrganization = { organization: { value: 'ID', does: 'only those of this organization' } } as const;

/** The option that searches in some fields. */
export const searchIn = (fields: string) => ({
  search: { value: 'TEXT', does: `only those with this in their ${fields}` },
});

export const verb = (takes: readonly string[], does: string, run: Verb['run']): Verb => ({ takes, does, run });

/** Shows what one name stands for, perhaps after a change. */
export function rowVerb(
  takes: readonly string[],
  does: string,
  find: (ctx: Context, name: string) => Promise<VerbRow>,
) {
  return verb(takes, does, async (ctx, { names: [name] }) => ({ row: await find(ctx, name) }));
}

export function listVerb(
  does: string,
  options: Verb['options'],
  list: (ctx: Context, given: Given, page: OperatorPage) => Promise<VerbRow[]>,
): Verb {
  const run: Verb['run'] = async (ctx, given) => ({ rows: await list(ctx, given, readPageOptions(given)) });
  return { ...verb([], does, run), options: { ...options, ...pageOptions } };
}

/** What is printed of something done: a text, or JSON. */
export const done = (text: string, json: VerbRow): VerbResult => ({ done: text, json });

function readPageOptions(given: Given): OperatorPage {
  const text = given.options.limit ?? String(defaultLimit);
  const limit = /^[1-9]\d{0,3}$/.test(String(text)) ? Number(text) : 0;
  if (limit < 1 || limit > maxLimit) throw new UsageError(`--limit must be a number from 1 to ${maxLimit}.`);
  return { limit, after: readId(given, 'after') };
}

/** The id in an option; null if it is absent. */
export function readId({ options }: Given, name: string): string | null {
  if (options[name] === undefined) return null;
  const id = parseUuid(options[name]);
  if (id === null) throw new UsageError(`--${name} must be an id.`);
  return id;
}

/** The text of an option; null if it is absent. */
export function readText({ options }: Given, name: string): string | null {
  const value = options[name];
  return typeof value === 'string' ? value : null;
}
