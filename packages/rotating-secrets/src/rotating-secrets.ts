import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { rotate } from './rotation.ts';
import { type KeptSecret, newSecret, type SecretRules } from './secret.ts';

/** In each list the first secret signs or encrypts, and all of them verify or decrypt. */
type Kept<Kind extends string> = Record<Kind, KeptSecret[]>;

/** @param lead milliseconds that a new secret verifies before it signs */
export function rotatingSecrets<Kind extends string>(rules: Record<Kind, SecretRules>, lead: number) {
  const kinds = Object.keys(rules) as Kind[];
  const list = (kind: Kind) => {
    const value = z.string().refine(rules[kind].isValid);
    return z
      .array(z.strictObject({ value, added_at: z.iso.datetime(), replaced_at: z.iso.datetime().nullable() }))
      .min(1);
  };
  const lists = z.strictObject(Object.fromEntries(kinds.map((kind) => [kind, list(kind)])));
  /** Null if the file does not exist. @throws Error if it is not a secrets file */
  const openSecretsFile = async (file: string) => {
    const text = await readFile(file, 'utf8').catch(unless('ENOENT'));
    if (text === undefined) return null;
    try {
      return lists.parse(JSON.parse(text)) as Kept<Kind>;
    } catch {
      throw new Error(`${file} is not a valid secrets file. If you remove it, the service creates new secrets.`);
    }
  };
  const make = (kind: Kind, now: Date) => newSecret(rules[kind], now);
  return {
    newSecret: make,
    /** Takes the next step of a rotation. @param immediately for a service of a single process: a new secret signs at once */
    rotate: (kind: Kind, secrets: readonly KeptSecret[], now: Date, immediately = false) =>
      rotate(rules[kind], secrets, now, immediately ? null : lead),
    openSecretsFile,
    /** Creates the file with new secrets. Concurrent processes agree on one file. */
    makeSecretsFile: async (file: string) => {
      const now = new Date();
      const made = Object.fromEntries(kinds.map((kind) => [kind, [make(kind, now)]]));
      await mkdir(path.dirname(file), { recursive: true });
      // a link is atomic and, unlike a rename, never replaces an existing file
      await withDraft(file, made, (draft) => link(draft, file).catch(unless('EEXIST')));
      const kept = await openSecretsFile(file);
      if (!kept) throw new Error(`${file} was removed while it was being created.`);
      return kept;
    },
    /** Replaces the file atomically. */
    writeSecretsFile: (file: string, secrets: Kept<Kind>) => withDraft(file, secrets, (draft) => rename(draft, file)),
  };
}

/** Writes a temporary file, readable only by the owner and synced to disk, and passes it to `place`. */
async function withDraft(file: string, content: unknown, place: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await handle.sync();
    await handle.close();
    await place(draft);
  } finally {
    await handle.close().catch(() => undefined);
    await unlink(draft).catch(() => undefined);
  }
}

/** Ignores an error with this code. */
function unless(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
