import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { MailFolder, type StoredMail } from '#mail-folder';
import type { TestServer } from './server.ts';

/** Mails by the path of their file, which never changes: those who wait for one look every few milliseconds. */
const read = new Map<string, Promise<StoredMail | null>>();

/** All mails that a server kept, oldest first. */
async function mailsOf({ mailDir }: TestServer): Promise<StoredMail[]> {
  // the folder is made with the first mail
  const names = (await readdir(mailDir).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  const folder = new MailFolder(mailDir);
  const mails = names.map((name) => {
    const file = path.join(mailDir, name);
    const mail = read.get(file) ?? folder.find(name);
    read.set(file, mail);
    return mail;
  });
  return (await Promise.all(mails)).filter((mail) => mail !== null);
}

const isTo =
  (address: string) =>
  ({ to }: StoredMail) =>
    to.toLowerCase().includes(address.toLowerCase());

/** The mails to an address that a server kept, oldest first, once there are as many as expected. */
export async function mailsTo(server: TestServer, address: string, count = 1): Promise<StoredMail[]> {
  return await vi.waitFor(
    async () => {
      const mails = (await mailsOf(server)).filter(isTo(address));
      expect(mails).toHaveLength(count);
      return mails;
    },
    { timeout: 30_000, interval: 20 },
  );
}

/** How many mails to an address a server has kept by now. */
export async function countMails(server: TestServer, address: string): Promise<number> {
  return (await mailsOf(server)).filter(isTo(address)).length;
}

/** Waits until nothing is left to send. */
export async function settleMails(server: TestServer): Promise<void> {
  await vi.waitFor(
    async () => {
      const waiting = await server.execute(
        `select id from job where lane in ('account_mails', 'guest_mails', 'event_mails', 'notices') and due_at is not null`,
      );
      expect(waiting).toEqual([]);
    },
    { timeout: 30_000, interval: 20 },
  );
}

/** The token of the newest of so many mails to an address. */
export async function mailedToken(server: TestServer, address: string, count = 1): Promise<string> {
  return tokenOf((await mailsTo(server, address, count)).at(-1) as StoredMail);
}

/** The token of the link in a mail. */
export function tokenOf({ text }: { text: string }): string {
  const token = /\?token=([\w-]{43})(?![\w-])/.exec(text)?.[1];
  if (token === undefined) throw new Error(`There is no link in: ${text}`);
  return token;
}
