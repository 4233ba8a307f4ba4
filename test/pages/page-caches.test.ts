import { describe, expect, it } from 'vitest';
import { guestAddress, guestOf } from '../support/guests.ts';
import { fetchPage, organizer, submitForm } from '../support/organizer.ts';
import { serve } from '../support/server.ts';
import { countStatements } from '../support/statements.ts';

const server = await serve();
const show = (path: string, init: RequestInit = {}) => fetchPage(server, path, init);

describe('caches', () => {
  it('may keep pages for 30 seconds, and confirm them without a query for lists or forms', async () => {
    const { event, list, pathOf } = await organizer(server);
    const made = await event({ capacity: 5 });
    for (const path of [list, pathOf(made)]) {
      const { headers } = await show(path);
      const tag = headers.get('etag') as string;
      expect(tag).toMatch(/^W\/"[\w-]+"$/);
      expect(headers.get('cache-control')).toBe('public, max-age=30');
      for (const method of ['GET', 'HEAD']) {
        const { result, statements } = await countStatements(server.orm, () =>
          show(path, { method, headers: { 'if-none-match': tag } }),
        );
        expect([result.status, result.text, result.headers.get('etag')]).toEqual([304, '', tag]);
        expect(result.headers.get('cache-control')).toBe('public, max-age=30');
        expect(statements.length).toBe(path === list ? 1 : 2);
        expect(statements.join()).not.toContain('form_version');
      }
      expect((await show(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    }
  });

  it('confirm pages and calendars for any tag, once they were found', async () => {
    const { event, list, pathOf } = await organizer(server);
    const made = await event();
    const any = (path: string) => show(path, { headers: { 'if-none-match': '*' } });
    for (const path of [list, pathOf(made), `${pathOf(made)}.ics`, `${list}/events.ics`]) {
      const tag = (await show(path)).headers.get('etag');
      const { status, text, headers } = await any(path);
      expect([path, status, text, headers.get('etag')]).toEqual([path, 304, '', tag]);
    }
    for (const path of [`${list}-nowhere`, `${list}/nowhere`, `${list}/nowhere.ics`, `${list}-nowhere/events.ics`]) {
      expect([path, (await any(path)).status]).toEqual([path, 404]);
    }
  });

  it('hear of every change that a page shows', async () => {
    const { event, ask, patch, pathOf, organizationId } = await organizer(server);
    const made = await event({ capacity: 5 });
    const tagOf = async () => (await show(pathOf(made))).headers.get('etag');
    const guest = guestOf(server, organizationId);
    const changes: [string, () => Promise<unknown>][] = [
      ['the name', () => patch(made, { name: 'Another' })],
      ['the form', () => ask(made, [{ key: 'a', type: 'text', label: 'A' }])],
      ['a place that is taken', () => guest.subscribe(made.slug, { email: guestAddress() })],
      [
        'the name of the organization',
        () => server.execute(`update organization set name = 'X' where id = ?`, [organizationId]),
      ],
    ];
    const seen = [await tagOf()];
    for (const [what, change] of changes) {
      await change();
      const tag = await tagOf();
      expect(seen, what).not.toContain(tag);
      seen.push(tag);
    }
    await patch(made, { status: 2 });
    const gone = await show(pathOf(made), { headers: { 'if-none-match': seen.join(', ') } });
    expect(gone.status).toBe(200);
  });

  it('keep no refusal and nothing that answers a form', async () => {
    const { event, pathOf } = await organizer(server);
    const path = pathOf(await event());
    const answers = [
      await show(`${path}?sent`),
      await show(`${path}x`),
      await submitForm(server, path, {}),
      await submitForm(server, path, { name: 'G', email: guestAddress() }),
    ];
    for (const { headers, status } of answers) {
      expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([status, 'no-store', null]);
    }
  });
});
