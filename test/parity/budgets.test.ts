import { describe, expect, it } from 'vitest';
import { insertUser, password } from '../support/fixtures.ts';
import { callerHeaders } from '../support/graphql.ts';
import { expectCode, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { post } from '../support/sign-in.ts';
import { countStatements } from '../support/statements.ts';
import { createTeam, type Person } from '../support/team.ts';
import { createWebhook } from '../support/webhooks.ts';

// What is left of the limits of operations that are counted (reference/limits.md#budgets).

const server = await serve({ env: { RATE_LIMIT: 'on', TRUST_PROXY: 'on' } });
const unlimited = await serve({ env: { RATE_LIMIT: 'off' } });

/** Both fields, with the seconds that are left as `<t>` if there may be so many. */
function budgetsOf({ headers }: { headers: Headers }): [policy: string | null, left: string | null] {
  const policy = headers.get('ratelimit-policy');
  const windows = [...(policy ?? '').matchAll(/;w=(\d+)/g)].map(([, seconds]) => Number(seconds));
  let index = 0;
  const left = headers.get('ratelimit')?.replace(/;t=(\d+)/g, (_, seconds) => {
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(windows[index++] ?? 0);
    return ';t=<t>';
  });
  return [policy, left ?? null];
}

const mutate = (person: Person, mutations: number) =>
  fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...callerHeaders(person) },
    body: JSON.stringify({
      query: `mutation { ${Array.from({ length: mutations }, (_, index) => `m${index}: updateOrganization(input: {}) { organization { name } }`).join(' ')} }`,
    }),
  });

describe('a write', () => {
  it('says by both faces what is left of the writes of its user', async () => {
    const { owner } = await createTeam(server);
    const policy = '"write";q=300;w=60';
    expect(budgetsOf(await send(server, owner, 'PATCH /organization', {}))).toEqual([policy, '"write";r=299;t=<t>']);
    expect(budgetsOf(await mutate(owner, 3))).toEqual([policy, '"write";r=296;t=<t>']);
    // refused ones count, too
    const refused = await send(server, owner, 'PATCH /organization', { accent: 'red' });
    expectCode(refused, 400, 'VALIDATION_ERROR');
    expect(budgetsOf(refused)).toEqual([policy, '"write";r=295;t=<t>']);
    const { member } = await createTeam(server);
    expect(budgetsOf(await send(server, member, 'PATCH /organization', {}))).toEqual([policy, '"write";r=299;t=<t>']);
  });

  it('says that nothing is left when it is refused for that', async () => {
    const { owner } = await createTeam(server);
    const key = { rule: 'write' as const, key: owner.userId };
    await Promise.all(Array.from({ length: 300 }, () => server.services.limits.take(key)));
    const refused = await send(server, owner, 'PATCH /organization', {});
    expectCode(refused, 429, 'RATE_LIMITED');
    expect(refused.headers.get('ratelimit')).toContain(`t=${refused.headers.get('retry-after')}`);
    const failed = await mutate(owner, 1);
    expect(await failed.text()).toContain('"code":"RATE_LIMITED"');
    for (const answer of [refused, failed]) {
      expect(budgetsOf(answer)).toEqual(['"write";q=300;w=60', '"write";r=0;t=<t>']);
    }
  });

  it('names every limit that it is counted under', async () => {
    const { owner } = await createTeam(server);
    const invited = await send(server, owner, 'POST /invitations', { email: 'a@example.org', role: 'member' });
    expect(budgetsOf(invited)).toEqual([
      '"write";q=300;w=60, "invitations-inviter";q=20;w=3600, "invitations-organization";q=100;w=3600',
      '"write";r=299;t=<t>, "invitations-inviter";r=19;t=<t>, "invitations-organization";r=99;t=<t>',
    ]);
  });

  it('names only what is used up when it is refused for one of them', async () => {
    const { owner, organizationId } = await createTeam(server);
    const webhook = await createWebhook(server, owner, { url: 'https://receiver.example/' });
    const key = { rule: 'webhook_tests' as const, key: organizationId };
    await Promise.all(Array.from({ length: 10 }, () => server.services.limits.take(key)));
    const refused = await send(server, owner, `POST /webhooks/${webhook.id}/test`);
    expectCode(refused, 429, 'RATE_LIMITED');
    expect(budgetsOf(refused)).toEqual(['"webhook-tests";q=10;w=60', '"webhook-tests";r=0;t=<t>']);
  });

  it('needs no further statement for that', async () => {
    const [one, other] = [await createTeam(server), await createTeam(unlimited)];
    const { statements } = await countStatements(server.orm, () => send(server, one.owner, 'PATCH /organization', {}));
    const { statements: without } = await countStatements(unlimited.orm, () =>
      send(unlimited, other.owner, 'PATCH /organization', {}),
    );
    expect(statements.filter((each) => !each.includes('rate_limit')).length).toBe(without.length);
    expect(statements.filter((each) => each.includes('rate_limit')).length).toBeLessThanOrEqual(1);
  });
});

describe('other operations', () => {
  it('say what is left of exports, sign-ins and failed ones', async () => {
    const { owner } = await createTeam(server);
    const exported = await fetch(`${server.url}/events/export?format=ndjson`, { headers: callerHeaders(owner) });
    await exported.text();
    expect(budgetsOf(exported)).toEqual(['"export";q=60;w=60', '"export";r=59;t=<t>']);
    const { email } = await insertUser(server.orm);
    const login = (secret: string) =>
      post(`${server.url}/auth/login`, { email, password: secret }, { 'x-forwarded-for': '203.0.113.7' });
    const failed = (count: number) => [
      '"login-account";q=10;w=900, "login-network";q=100;w=900',
      `"login-account";r=${10 - count};t=<t>, "login-network";r=${100 - count};t=<t>`,
    ];
    expect(budgetsOf(await login('wrong'))).toEqual(failed(1));
    expect(budgetsOf(await login('wrong'))).toEqual(failed(2));
    expect(budgetsOf(await login(password))).toEqual(['"sign-in";q=300;w=60', '"sign-in";r=299;t=<t>']);
    expect(budgetsOf(await login('wrong'))[1]).toContain('"login-account";r=9;');
  });

  it('say nothing where nothing is counted', async () => {
    const { owner } = await createTeam(server);
    for (const request of ['GET /events', 'GET /organization']) {
      expect(budgetsOf(await send(server, owner, request))).toEqual([null, null]);
    }
    const { owner: free } = await createTeam(unlimited);
    expect(budgetsOf(await send(unlimited, free, 'PATCH /organization', {}))).toEqual([null, null]);
  });

  it('can be read by pages of other origins', async () => {
    const { owner } = await createTeam(server);
    const answer = await send(server, owner, 'PATCH /organization', {}, { origin: 'http://localhost:5173' });
    const exposed = answer.headers.get('access-control-expose-headers')?.split(',');
    expect(exposed).toEqual(expect.arrayContaining(['ratelimit', 'ratelimit-policy']));
  });
});
