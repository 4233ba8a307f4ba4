import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import { send } from '../support/send.ts';
import { countStatements } from '../support/statements.ts';
import { serveTeam } from '../support/team.ts';

const { server, team } = await serveTeam();

const dates = { date_start: '2027-05-01T10:00:00Z', date_end: '2027-05-01T12:00:00.000Z' };

async function create(fields: Record<string, unknown> = {}): Promise<EventRow> {
  const made = await send<never>(server, team.manager, 'POST /events', { name: 'Open Day', ...dates, ...fields });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

describe('POST /events', () => {
  it('reads the slugs that it could give, and not all that begin alike', async () => {
    await server.execute(`insert into event (id, organization_id, name, slug, status, date_start, date_end, visibility, registration)
        select gen_random_uuid(), '${team.organizationId}', 'Serie', 'serie-' || i, 0, now(), now(), 'organization', 'open'
        from generate_series(1000, 6000) i`);
    const { result, statements } = await countStatements(server.orm, async () => [
      (await create({ name: 'Serie' })).slug,
      (await create({ name: 'Serie' })).slug,
    ]);
    expect(result).toEqual(['serie', 'serie-2']);
    expect(statements.filter((text) => / like /i.test(text))).toEqual([]);
  });
});

describe('PATCH /events/{event}', () => {
  it('changes nothing under an If-Match that does not hold', async () => {
    const event = await create();
    const guarded = (tag: string, name: string) =>
      send(server, team.manager, `PATCH /events/${event.id}`, { name }, { 'if-match': tag });
    const malformed = ['w/"1"', 'W/ "1"', 'x"1"', '"1"x', '"7" "1"', '"1", x', '*, "1"', '"1'];
    for (const tag of ['"2"', 'W/"1"', '1', '""', ...malformed]) {
      expect([tag, (await guarded(tag, 'x')).status]).toEqual([tag, 412]);
    }
    for (const list of ['"7", "1"', ' ,"7,8" ,, "2",']) {
      expect([list, (await guarded(list, list)).status]).toEqual([list, 200]);
    }
    const any = await guarded('*', 'any');
    expect([any.status, any.headers.get('etag')]).toEqual([200, '"4"']);
  });
});
