import type { OperatorPage } from '../../domain/operator/page.ts';
import type { Context } from '../../engine/context.ts';
import { parseUuid } from '../../kernel/scalars.ts';

/** A wrong command line; nothing was done. */
export class UsageError extends Error {}

/** `value` names the option's value, if it takes one. */
export interface VerbOption {
  value?: string;
  does: string;
}

export interface Given {
  /** As many as the verb takes; the rest are empty. */
  names: readonly [string, string];
  /** The options with their values, or `true` for those without. */
  options: Readonly<Record<string, string | boolean | undefined>>;
}

export type VerbRow = Record<string, unknown>;

/** `json` is what `--json` prints. */
export type VerbResult = { rows: VerbRow[] } | { row: VerbRow } | { done: string; json: VerbRow };

export interface Verb {
  /** Names in capitals, for example `ID`. */
  takes: readonly string[];
  does: string;
  options?: Readonly<Record<string, VerbOption>>;
  /** Finds the name that the operator has to type, unless `--yes` is given. */
  destroys?(ctx: Context, name: string): Promise<string>;
  run(ctx: Context, given: Given): Promise<VerbResult>;
}

const defaultLimit = 50;
const maxLimit = 1_000;

const pageOptions = {
  limit: { value: 'N', does: `how many, at most ${maxLimit}; ${defaultLimit} if absent` },
  after: { value: 'ID', does: 'continues after this id, the last one of the previous page' },
} as const;

export const ofOrganization = { organization: { value: 'ID', does: 'only those of this organization' } } as const;

export const searchIn = (fields: string) => ({
  search: { value: 'TEXT', does: `only those with this in their ${fields}` },
});

export const verb = (takes: readonly string[], does: string, run: Verb['run']): Verb => ({ takes, does, run });

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

export const done = (text: string, json: VerbRow): VerbResult => ({ done: text, json });

function readPageOptions(given: Given): OperatorPage {
  const text = given.options.limit ?? String(defaultLimit);
  const limit = /^[1-9]\d{0,3}$/.test(String(text)) ? Number(text) : 0;
  if (limit < 1 || limit > maxLimit) throw new UsageError(`--limit must be a number from 1 to ${maxLimit}.`);
  return { limit, after: readId(given, 'after') };
}

/** Null if absent. @throws UsageError */
export function readId({ options }: Given, name: string): string | null {
  if (options[name] === undefined) return null;
  const id = parseUuid(options[name]);
  if (id === null) throw new UsageError(`--${name} must be an id.`);
  return id;
}

export function readText({ options }: Given, name: string): string | null {
  const value = options[name];
  return typeof value === 'string' ? value : null;
}
