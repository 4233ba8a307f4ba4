import { describe, expect, it } from 'vitest';
import { insertMembership } from '../support/fixtures.ts';
import { type Signed, startPair } from '../support/pair.ts';
import { send } from '../support/send.ts';
import { createKey } from '../support/server.ts';

// Keys that are used, ended and created at the same moment, with two processes on one database.

const at = (index: number) => ({ url: pair.url(index) });

const pair = await startPair();
const [owner] = (await pair.people(1, 'owner')) as [Signed];

describe('API keys', { timeout: 60_000 }, () => {
  it('50 parallel creations at the limit, by both processes, make as many keys as there is room for', async () => {
    await pair.execute(
      `with filler as (insert into "user" (id, name) select gen_random_uuid(), 'filler' from generate_series(1, 90) returning id)
        insert into api_key (id, organization_id, role, access, prefix, hash, created_by)
        select id, ?, 'member', 'read', 'evk_', id::text, ? from filler`,
      [pair.organizationId, owner.userId],
    );
    const create = (index: number) =>
      send(at(index), owner, 'POST /api-keys', { name: `Key ${index}`, role: 'member' });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => create(index)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(201), ...Array(40).fill(409)]);
    expect((await send(at(0), owner, 'GET /api-keys/count')).body).toBe(100);
    await pair.execute(`update api_key set ended_at = now() where organization_id = ?`, [pair.organizationId]);
  });

  it('a key in heavy use answers nothing any more once its end is answered, and soon not elsewhere', async () => {
    const key = await createKey(at(0), owner);
    const stopped = new AbortController();
    const used: { index: number; status: number; begun: number }[] = [];
    const use = async (index: number) => {
      while (!stopped.signal.aborted) {
        const begun = performance.now();
        const { status } = await send(at(index), key, 'GET /events');
        used.push({ index, status, begun });
      }
    };
    const users = Array.from({ length: 8 }, (_, index) => use(index));
    await expect.poll(() => used.length).toBeGreaterThan(20);
    await send(at(0), owner, `DELETE /api-keys/${key.id}`);
    const ended = performance.now();
    const late = () => used.filter(({ begun }) => begun > ended + 5_000);
    await expect.poll(() => late().length).toBeGreaterThan(8);
    stopped.abort();
    await Promise.all(users);
    expect(new Set(used.map(({ status }) => status))).toEqual(new Set([200, 401]));
    const here = used.filter(({ index, begun }) => index % 2 === 0 && begun > ended);
    expect(new Set(here.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set(late().map(({ status }) => status))).toEqual(new Set([401]));
  });

  it('a key stays out of lists of members even if an import gives its user a membership', async () => {
    const key = await createKey(at(0), owner);
    const members = async () => (await send(at(0), owner, 'GET /members/count')).body;
    const before = await members();
    await insertMembership(pair.orm, { organizationId: pair.organizationId, userId: key.id });
    expect(await members()).toBe(before);
    expect((await send(at(0), key, 'GET /organization')).body).toMatchObject({ role: 'manager' });
  });
});
