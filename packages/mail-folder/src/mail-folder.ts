import { mkdir, opendir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import PostalMime from 'postal-mime';

export interface StoredMail {
  name: string;
  to: string;
  subject: string;
  date: string;
  text: string;
  html: string;
}

/** What only reads the mails of a folder. */
export type Mailbox = Pick<MailFolder, 'list' | 'find'>;

const mailName = /^[0-9]{8}T[0-9]{9}Z-[0-9a-f-]{36}\.eml$/;
const draftName = /^\.[0-9a-f-]{36}\.draft$/;

/** A folder of mails as `.eml` files, whose names sort by time. */
export class MailFolder {
  readonly #dir: string;

  /** @param dir is made with the first mail */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Writes a file, atomically and readable only by the owner. @param id a UUID */
  async write(id: string, source: Buffer): Promise<void> {
    const draft = path.join(this.#dir, `.${id}.draft`);
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    await writeFile(draft, source, { mode: 0o600 });
    await rename(draft, path.join(this.#dir, `${timeName(new Date())}-${id}.eml`));
  }

  /** The newest hundred mails, newest first. */
  async list(): Promise<StoredMail[]> {
    const names = (await readdir(this.#dir).catch(() => [])).filter((name) => mailName.test(name));
    const newest = names.sort().reverse().slice(0, 100);
    const mails = await Promise.all(newest.map((name) => this.find(name)));
    return mails.filter((mail) => mail !== null);
  }

  /** The name may come from a URL, so it is not trusted. */
  async find(name: string): Promise<StoredMail | null> {
    if (!mailName.test(name)) return null;
    const source = await readFile(path.join(this.#dir, name)).catch(() => null);
    if (!source) return null;
    const { to = [], subject = '', date = '', text = '', html = '' } = await PostalMime.parse(source);
    const named = to.map(({ name: display, address }) => (display ? `${display} <${address}>` : `${address}`));
    return { name, to: named.join(', '), subject, date, text, html };
  }

  /** Deletes mails older than `days`, and incomplete files of dead processes. */
  async deleteOld(days: number): Promise<void> {
    const oldest = timeName(new Date(Date.now() - days * 86_400_000));
    // several processes may clean up at once, and the folder may not exist yet
    const ignoreMissing = (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    };
    const files = await opendir(this.#dir).catch(ignoreMissing);
    for await (const { name } of files ?? []) {
      const file = path.join(this.#dir, name);
      if (mailName.test(name) ? name < oldest : await isAbandoned(file)) await unlink(file).catch(ignoreMissing);
    }
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  if (!draftName.test(path.basename(file))) return false;
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return mtimeMs < Date.now() - 86_400_000;
}

function timeName(time: Date): string {
  return time.toISOString().replace(/[-:.]/g, '');
}
