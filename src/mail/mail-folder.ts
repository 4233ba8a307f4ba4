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

const fileName = /^[0-9]{8}T[0-9]{9}Z-[0-9a-f-]{36}\.eml$/;

/** Writes an `.eml` file, atomically and readable only by the owner. */
export async function writeMail(dir: string, id: string, source: Buffer): Promise<void> {
  const file = path.join(dir, `${timeName(new Date())}-${id}.eml`);
  const draft = path.join(dir, `.${id}.draft`);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFile(draft, source, { mode: 0o600 });
  await rename(draft, file);
}

/** Deletes mails older than `days`, and incomplete files of dead processes. */
export async function deleteOldMails(dir: string, days: number): Promise<void> {
  const oldest = timeName(new Date(Date.now() - days * 86_400_000));
  // several processes may clean up at once, and the folder may not exist yet
  const ignoreMissing = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  };
  const files = await opendir(dir).catch(ignoreMissing);
  for await (const { name } of files ?? []) {
    const file = path.join(dir, name);
    if (fileName.test(name) ? name < oldest : await isAbandoned(file)) await unlink(file).catch(ignoreMissing);
  }
}

const draftName = /^\.[0-9a-f-]{36}\.draft$/;

async function isAbandoned(file: string): Promise<boolean> {
  if (!draftName.test(path.basename(file))) return false;
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return mtimeMs < Date.now() - 86_400_000;
}

/** The prefix of file names, so that they sort by time. */
function timeName(time: Date): string {
  return time.toISOString().replace(/[-:.]/g, '');
}

/** The mails of a folder; the list contains the newest hundred. */
export const mailboxIn = (dir: string) => ({
  list: () => listMails(dir),
  find: (name: string) => findMail(dir, name),
});

async function listMails(dir: string): Promise<StoredMail[]> {
  const names = (await readdir(dir).catch(() => [])).filter((name) => fileName.test(name));
  const newest = names.sort().reverse().slice(0, 100);
  const mails = await Promise.all(newest.map((name) => findMail(dir, name)));
  return mails.filter((mail) => mail !== null);
}

/** The name comes from a URL, so it is not trusted. */
async function findMail(dir: string, name: string): Promise<StoredMail | null> {
  if (!fileName.test(name)) return null;
  const source = await readFile(path.join(dir, name)).catch(() => null);
  if (!source) return null;
  const mail = await PostalMime.parse(source);
  const to = (mail.to ?? []).map(({ name: display, address }) => (display ? `${display} <${address}>` : `${address}`));
  return {
    name,
    to: to.join(', '),
    subject: mail.subject ?? '',
    date: mail.date ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
  };
}
