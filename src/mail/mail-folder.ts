import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import PostalMime from 'postal-mime';

/** A mail that was kept as a file. */
export interface KeptMail {
  name: string;
  to: string;
  subject: string;
  date: string;
  text: string;
  html: string;
}

const fileName = /^[0-9]{8}T[0-9]{9}Z-[0-9a-f-]{36}\.eml$/;

/** Writes a mail as an `.eml` file that the owner alone can read; it is there whole or not at all. */
export async function writeMail(dir: string, id: string, source: Buffer): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replace(/[-:.]/g, '');
  const file = path.join(dir, `${time}-${id}.eml`);
  const draft = path.join(dir, `.${id}.draft`);
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(source);
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

/** The mails of a folder, the newest hundred of them in the list. */
export function mailboxOf(dir: string): { list(): Promise<KeptMail[]>; find(name: string): Promise<KeptMail | null> } {
  return { list: () => listMails(dir, 100), find: (name) => findMail(dir, name) };
}

/** The newest mails of a folder, newest first. */
export async function listMails(dir: string, limit: number): Promise<KeptMail[]> {
  const names = (await readdir(dir).catch(() => [])).filter((name) => fileName.test(name)).sort();
  const mails = await Promise.all(
    names
      .reverse()
      .slice(0, limit)
      .map((name) => findMail(dir, name)),
  );
  return mails.filter((mail) => mail !== null);
}

/** One mail by the name of its file, or null; the name comes from a URL. */
async function findMail(dir: string, name: string): Promise<KeptMail | null> {
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
