import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Claim, Turn } from '#fair-turns';
import type { Work } from '#postgres-access';
import { Turns } from '../../src/kernel/turns/turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Turns whose claims are named `organization/user/work/network…`, or `public/user/…`, and are ended by hand. */
function watched(connections: number, options: { userShare?: number; organizationShare?: number } = {}) {
  const turns = new Turns({ connections, userShare: 25, organizationShare: 50, patience: 5_000, ...options });
  const running: { name: string; turn: Turn }[] = [];
  const refused: { name: string; code: string }[] = [];
  const ask = (name: string) => {
    const [organizationId, userId, work, ...networks] = name.split('/') as [string, string, Work, ...string[]];
    const refuse = (error: Error & { code?: string }) => void refused.push({ name, code: error.code ?? '' });
    const isPublic = organizationId === 'public';
    const ofOrganization = isPublic ? null : organizationId || null;
    const claim: Claim = { organizationId: ofOrganization, userId: userId || null, isPublic, networks, work };
    try {
      turns.enter(claim, (turn) => running.push({ name, turn }), refuse);
    } catch (error) {
      refuse(error as Error);
    }
  };
  return {
    refused,
    ask: (...names: string[]) => names.forEach(ask),
    names: () => running.map(({ name }) => name),
    async end(name: string): Promise<void> {
      const place = running.findIndex((each) => each.name === name);
      running.splice(place, 1)[0]?.turn.end();
      await settle();
    },
  };
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const times = (count: number, name: string) => Array.from({ length: count }, () => name);

it('where nobody is signed in, networks take turns, with each other and with those who are signed in', async () => {
  const { ask, names, end, refused } = watched(2);
  ask(...times(202, '//quick/n/wide'), 'a/w/quick', '/u/quick', '/v/quick', '//quick/m/other');
  // one network never holds the last connection; of its statements 200 wait, of which there are no more
  expect(refused).toEqual([{ name: '//quick/n/wide', code: 'RATE_LIMITED' }]);
  expect(names()).toEqual(['//quick/n/wide', 'a/w/quick']);
  for (const next of ['/u/quick', '/v/quick', '//quick/m/other']) {
    await end(names().at(-1) as string);
    expect(names()).toEqual(['//quick/n/wide', next]);
  }
  ask(...times(201, '//quick/o/wide'));
  expect(refused).toHaveLength(2);
});

describe('an organization that asks alone', () => {
  it('holds all connections but one, of which half for what is heavy', () => {
    const { ask, names } = watched(8);
    ask(...times(10, 'a/u/heavy'), ...times(10, 'a/u/quick'));
    expect(names()).toEqual([...times(4, 'a/u/heavy'), ...times(3, 'a/u/quick')]);
  });

  it('holds the only connection there is', () => {
    const { ask, names } = watched(1);
    ask('a/u/heavy', 'a/u/quick');
    expect(names()).toEqual(['a/u/heavy']);
  });
});

describe('while others ask', () => {
  it('an organization is held to its share with what is not quick, and leaves others a place among what is heavy', async () => {
    const { ask, names, end } = watched(8);
    ask('b/v/quick', 'a/u/quick');
    await end('b/v/quick');
    await end('a/u/quick');
    ask(...times(9, 'a/u/heavy'), ...times(9, 'a/w/heavy'), ...times(9, 'a/x/write'), ...times(9, 'a/y/write'));
    expect(names()).toEqual(['a/u/heavy', 'a/u/heavy', 'a/x/write', 'a/x/write']);
    ask(...times(9, 'b/v/heavy'));
    expect(names().filter((name) => name === 'b/v/heavy')).toHaveLength(2);
  });

  it('a user is held to a share within the organization', () => {
    const { ask, names } = watched(8);
    ask('a/u/quick', 'a/w/quick');
    ask(...times(5, 'a/u/write'));
    expect(names()).toEqual(['a/u/quick', 'a/w/quick', 'a/u/write', 'a/u/write']);
  });

  it('quick statements run as long as there is a connection, and leave the last one to others', () => {
    const { ask, names } = watched(4);
    ask('b/v/quick', ...times(9, 'a/u/quick'));
    expect(names()).toEqual(['b/v/quick', ...times(3, 'a/u/quick')]);
  });

  it('nobody is held to a share any more once the others have not asked for a while', () => {
    const { ask, names } = watched(8);
    ask('b/v/quick', 'a/u/write', 'a/u/write', 'a/u/write');
    expect(names()).toEqual(['b/v/quick', 'a/u/write', 'a/u/write']);
    vi.advanceTimersByTime(11_000);
    ask('a/u/write', 'a/u/write');
    expect(names()).toHaveLength(5);
  });

  it('transactions of all organizations leave a connection to what they may need beside their own', async () => {
    const { ask, names, end } = watched(4, { userShare: 100, organizationShare: 100 });
    ask('a/u/write', 'b/v/write', 'c/w/write', 'd/x/write', 'e/y/quick');
    expect(names()).toEqual(['a/u/write', 'b/v/write', 'c/w/write', 'e/y/quick']);
    await end('e/y/quick');
    expect(names()).not.toContain('d/x/write');
    await end('a/u/write');
    expect(names()).toContain('d/x/write');
  });

  it('a share is one connection at the least', () => {
    const { ask, names } = watched(3, { userShare: 1, organizationShare: 1 });
    ask('b/v/heavy', 'a/u/write');
    expect(names()).toEqual(['b/v/heavy', 'a/u/write']);
  });

  it('requests of no organization share the place of one, and are no user’s', () => {
    const { ask, names } = watched(8);
    ask(...times(9, '//write'));
    expect(names()).toHaveLength(4);
  });
});

describe('strangers, for what organizations show to them', () => {
  it('take turns as networks, whatever the organizations', async () => {
    const { ask, names, end } = watched(1);
    ask('a/u/quick', ...times(3, 'public//quick/n/n'), 'a/u/quick', 'public//quick/m/m');
    const order: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await end(names()[0] as string);
      order.push(...names());
    }
    const [n, m] = ['public//quick/n/n', 'public//quick/m/m'];
    expect(order).toEqual([n, m, 'a/u/quick', n, n]);
  });

  it('have the place of one organization together, while others ask', () => {
    const { ask, names } = watched(8);
    ask('b/v/quick', 'public//quick/n/n');
    ask(...times(9, 'public//heavy/n/n'), ...times(9, 'public//heavy/m/m'), ...times(9, 'public//write/o/o'));
    expect(names().slice(2)).toEqual([...times(2, 'public//heavy/n/n'), ...times(2, 'public//write/o/o')]);
    ask(...times(9, 'b/v/heavy'));
    expect(names().slice(6)).toEqual(times(2, 'b/v/heavy'));
  });

  it('may use the machine when nobody else does', () => {
    const { ask, names } = watched(8);
    ask(...times(5, 'public//heavy/n/n'), ...times(5, 'public//heavy/m/m'));
    expect(names()).toHaveLength(4);
  });
});

describe('those who wait', () => {
  it('take turns: organizations, the users within each, and the statements of each user in their order', async () => {
    const { ask, names, end } = watched(1);
    ask('x/x/quick', ...times(3, 'a/u/quick'), 'a/w/quick', 'b/v/quick', 'c/z/quick');
    const order: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      await end(names()[0] as string);
      order.push(...names());
    }
    expect(order).toEqual(['a/u/quick', 'b/v/quick', 'c/z/quick', 'a/w/quick', 'a/u/quick', 'a/u/quick']);
  });

  it('are refused after a while', async () => {
    const { ask, names, refused } = watched(1);
    ask('a/u/quick', 'b/v/quick');
    await vi.advanceTimersByTimeAsync(4_999);
    expect(refused).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(refused).toEqual([{ name: 'b/v/quick', code: 'SERVICE_UNAVAILABLE' }]);
    expect(names()).toEqual(['a/u/quick']);
  });

  it('are a bounded number of each user and of each organization', async () => {
    const { ask, refused } = watched(1);
    ask('a/u/heavy', ...times(205, 'a/u/heavy'), ...times(300, 'a/w/heavy'), ...times(1, 'a/x/heavy'), 'b/v/heavy');
    await settle();
    const codes = new Set(refused.map(({ code }) => code));
    expect([...codes]).toEqual(['RATE_LIMITED']);
    expect(refused.filter(({ name }) => name === 'a/u/heavy')).toHaveLength(5);
    expect(refused.filter(({ name }) => name === 'a/w/heavy')).toHaveLength(100);
    expect(refused.filter(({ name }) => name === 'a/x/heavy')).toHaveLength(1);
    expect(refused.filter(({ name }) => name === 'b/v/heavy')).toHaveLength(0);
  });
});

it('whatever is asked and however it ends, no limit is passed, nobody waits for nothing, and all come to their turn', async () => {
  // few of them, so that the same ones meet
  const name = fc.constantFrom(
    'a/u/quick',
    'a/u/heavy',
    'a/w/quick',
    'b/v/quick',
    'b/v/write',
    '//quick',
    'public//heavy/n',
  );
  const step = fc.oneof(
    name.map((each) => ({ ask: each })),
    fc.nat(20).map((each) => ({ end: each })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.array(step, { maxLength: 60, size: 'max' }),
      async (connections, steps) => {
        const queue = watched(connections);
        let asked = 0;
        const check = () => {
          const names = queue.names();
          const of = (organization: string) => names.filter((each) => each.startsWith(`${organization}/`));
          expect(names.length).toBeLessThanOrEqual(connections);
          expect(names.filter((each) => each.endsWith('heavy')).length).toBeLessThanOrEqual(
            Math.max(1, connections / 2),
          );
          for (const each of ['a', 'b', '', 'public']) {
            expect(of(each).length).toBeLessThanOrEqual(Math.max(1, connections - 1));
          }
          // somebody runs as long as somebody waits
          if (names.length === 0) expect(asked).toBe(0);
        };
        for (const each of steps) {
          if ('ask' in each) {
            queue.ask(each.ask);
            asked += 1;
          } else if (queue.names().length > 0) {
            await queue.end(queue.names()[each.end % queue.names().length] as string);
            asked -= 1;
          }
          check();
        }
        while (queue.names().length > 0) {
          await queue.end(queue.names()[0] as string);
          asked -= 1;
          check();
        }
        expect(asked).toBe(0);
      },
    ),
    { numRuns: 500 },
  );
});
