import { expect, vi } from 'vitest';
import { type KeptMail, listMails } from '../../src/mail/mail-folder.ts';
import type { TestServer } from './server.ts';

/** The mails to an address that a server kept, oldest first, once there are as many as expected. */
export async function mailsTo(server: TestServer, address: string, count = 1): Promise<KeptMail[]> {
  return await vi.waitFor(
    async () => {
      const mails = (await listMails(server.mailDir, 1000)).filter(({ to }) => to.includes(address)).reverse();
      expect(mails).toHaveLength(count);
      return mails;
    },
    { timeout: 5_000, interval: 20 },
  );
}

/** How many mails to an address a server has kept by now. */
export async function countMails(server: TestServer, address: string): Promise<number> {
  return (await listMails(server.mailDir, 1000)).filter(({ to }) => to.includes(address)).length;
}

/** Waits until nothing is left to send. */
export async function settleMails(server: TestServer): Promise<void> {
  await vi.waitFor(
    async () => {
      const waiting = await server.orm.em.fork().execute('select id from mail_job where due_at is not null');
      expect(waiting).toEqual([]);
    },
    { timeout: 5_000, interval: 20 },
  );
}

/** The token of the link in a mail. */
export function tokenOf({ text }: { text: string }): string {
  const token = /\?token=([\w-]{43})(?![\w-])/.exec(text)?.[1];
  if (token === undefined) throw new Error(`There is no link in: ${text}`);
  return token;
}
