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

/** @template Context what a program gives to its verbs, such as an open database */
export interface Verb<Context> {
  /** Names in capitals, for example `ID`. */
  takes: readonly string[];
  does: string;
  options?: Readonly<Record<string, VerbOption>>;
  /** Finds the name that has to be typed, unless `--yes` is given. */
  destroys?(context: Context, name: string): Promise<string>;
  run(context: Context, given: Given): Promise<VerbResult>;
}

export type Nouns<Context> = Readonly<Record<string, Readonly<Record<string, Verb<Context>>>>>;

export interface Page {
  limit: number;
  after: string | null;
}

const defaultLimit = 50;
const maxLimit = 1_000;

const pageOptions = {
  limit: { value: 'N', does: `how many, at most ${maxLimit}; ${defaultLimit} if absent` },
  after: { value: 'ID', does: 'continues after this id, the last one of the previous page' },
} as const;

export function verb<Context>(
  takes: readonly string[],
  does: string,
  run: Verb<Context>['run'],
): Pick<Verb<Context>, 'takes' | 'does' | 'run'> {
  return { takes, does, run };
}

export function rowVerb<Context>(
  takes: readonly string[],
  does: string,
  find: (context: Context, name: string) => Promise<VerbRow>,
): Verb<Context> {
  return verb(takes, does, async (context, { names: [name] }) => ({ row: await find(context, name) }));
}

export function listVerb<Context>(
  does: string,
  options: Verb<Context>['options'],
  list: (context: Context, given: Given, page: Page) => Promise<VerbRow[]>,
): Verb<Context> {
  const run: Verb<Context>['run'] = async (context, given) => ({
    rows: await list(context, given, readPageOptions(given)),
  });
  return { ...verb([], does, run), options: { ...options, ...pageOptions } };
}

export const done = (text: string, json: VerbRow): VerbResult => ({ done: text, json });

function readPageOptions(given: Given): Page {
  const text = given.options.limit ?? String(defaultLimit);
  const limit = /^[1-9]\d{0,3}$/.test(String(text)) ? Number(text) : 0;
  if (limit < 1 || limit > maxLimit) throw new UsageError(`--limit must be a number from 1 to ${maxLimit}.`);
  return { limit, after: readId(given, 'after') };
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** A UUID; null if absent. @throws UsageError */
export function readId(given: Given, name: string): string | null {
  const id = readText(given, name)?.toLowerCase() ?? null;
  if (id !== null && !uuid.test(id)) throw new UsageError(`--${name} must be an id.`);
  return id;
}

export function readText({ options }: Given, name: string): string | null {
  const value = options[name];
  return typeof value === 'string' ? value : null;
}
