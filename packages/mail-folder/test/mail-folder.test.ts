import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MailFolder } from '../src/index.ts';

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'mail-folder-'));
});
afterAll(() => rm(parent, { recursive: true }));

const newDir = () => path.join(parent, randomUUID());

const source = (subject: string) =>
  Buffer.from(
    `To: Ada <ada@mill.example>, bob@mill.example\r\nSubject: ${subject}\r\nDate: Mon, 05 Jan 2026 10:00:00 +0000\r\n\r\nBread\r\n`,
  );

it('gives back the mails that it wrote, newest first', async () => {
  const folder = new MailFolder(newDir());
  expect(await folder.list()).toEqual([]);
  for (const subject of ['First', 'Second']) {
    await folder.write(randomUUID(), source(subject));
    // the times in their names have milliseconds
    const at = Date.now();
    await expect.poll(() => Date.now()).toBeGreaterThan(at);
  }
  const mails = await folder.list();
  expect(mails.map(({ subject }) => subject)).toEqual(['Second', 'First']);
  const [newest] = mails;
  expect(newest).toMatchObject({ to: 'Ada <ada@mill.example>, bob@mill.example', text: 'Bread\n', html: '' });
  expect(new Date(String(newest?.date))).toEqual(new Date('2026-01-05T10:00:00Z'));
  expect(await folder.find(String(newest?.name))).toEqual(newest);
});

it('lets only the owner read them, and leaves no draft', async () => {
  const dir = newDir();
  await new MailFolder(dir).write(randomUUID(), source('Private'));
  const names = await readdir(dir);
  expect(names).toHaveLength(1);
  const modes = await Promise.all([dir, path.join(dir, String(names[0]))].map(async (file) => (await stat(file)).mode));
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600]);
});

it('finds nothing by a name that it does not give', async () => {
  const dir = newDir();
  const folder = new MailFolder(dir);
  await folder.write(randomUUID(), source('Kept'));
  await writeFile(path.join(dir, 'notes.eml'), source('Notes'));
  const [mail] = await folder.list();
  const other = `${String(mail?.name).slice(0, 20)}${randomUUID()}.eml`;
  const nested = `../${path.basename(dir)}/${mail?.name}`;
  for (const name of ['notes.eml', '', nested, other]) expect(await folder.find(name)).toBeNull();
});

it('deletes mails by the time in their names, and half written ones, whoever else does so at the same moment', async () => {
  const dir = newDir();
  const folder = new MailFolder(dir);
  // which is not there yet
  await folder.deleteOld(9);
  await folder.write(randomUUID(), source('New'));
  const [written = ''] = await readdir(dir);
  const named = (days: number) =>
    `${new Date(Date.now() - days * 86_400_000).toISOString().replace(/[-:.]/g, '')}-${randomUUID()}.eml`;
  const kept = [named(1), named(8.9), 'notes.txt', `.${randomUUID()}.draft`];
  const over = [...Array.from({ length: 50 }, () => named(9.1)), named(400)];
  for (const name of [...kept, ...over]) await writeFile(path.join(dir, name), '');
  const abandoned = path.join(dir, `.${randomUUID()}.draft`);
  await writeFile(abandoned, '');
  await utimes(abandoned, 0, Date.now() / 1000 - 2 * 86_400);
  await Promise.all([folder.deleteOld(9), folder.deleteOld(9)]);
  expect((await readdir(dir)).sort()).toEqual([...kept, written].sort());
});
