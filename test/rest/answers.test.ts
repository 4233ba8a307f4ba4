import { describe, expect, it } from 'vitest';
import type { SubscriptionRow } from '../../src/domain/subscription/subscription.resource.ts';
import { bodyLimits } from '../../src/http/incoming.ts';
import { bodyLimit } from '../../src/main/app.ts';
import { restRoutes } from '../../src/rest/routes.ts';
import { runOut } from '../support/public-world.ts';
import { type Answer, expectCode, pointersOf } from '../support/send.ts';
import { createTeam, join, serveTeam } from '../support/server.ts';
import { badge, formsOf, meal } from '../support/subscribing.ts';

const { server, team } = await serveTeam();
const other = await createTeam(server);

const { put, subscribe, patch, asking } = formsOf(server, team);

describe('the answers of a subscription', () => {
  it('are stored with the version that they are for', async () => {
    const to = await asking(meal, badge);
    const made = await subscribe(team.member, to, { answers: { badge: ' Ada ', meal: 'none' } });
    expect(made.body).toMatchObject({ answers: { badge: ' Ada ', meal: 'none' }, form_version: 1 });
    await put(team.manager, to, [badge]);
    expect((await patch(team.member, made.body, { status: 'accepted' })).body).toMatchObject({
      answers: { badge: ' Ada ', meal: 'none' },
      form_version: 1,
    });
  });

  it('leave out null, white space and the empty list; where none is left, they and the version are null', async () => {
    const to = await asking(meal, { ...badge, required: false }, { ...meal, key: 'more', type: 'choices', min: 1 });
    const nothing = { meal: null, badge: ' \t\n ', more: [] };
    const made = await subscribe(team.member, to, { answers: nothing, form_version: 1 });
    expect([made.status, made.body]).toMatchObject([201, { answers: null, form_version: null }]);
    const some = await subscribe(team.owner, to, { answers: { ...nothing, meal: 'meat' } });
    expect(some.body.answers).toEqual({ meal: 'meat' });
  });

  it('may have the key that every object has', async () => {
    const odd = { ...badge, key: 'constructor', required: false };
    const to = await asking(odd, meal);
    expect((await subscribe(team.member, to, { answers: { meal: 'meat' } })).body.answers).toEqual({ meal: 'meat' });
    const asked = await asking({ ...odd, required: true });
    expect(pointersOf(await subscribe(team.member, asked, {}))).toEqual(['/answers/constructor']);
    const made = await subscribe(team.member, asked, { answers: { constructor: 'A' } });
    expect([made.status, made.body.answers]).toEqual([201, { constructor: 'A' }]);
    const unknown = JSON.parse('{"answers":{"__proto__":1,"constructor":"A"}}');
    expect(pointersOf(await subscribe(team.owner, asked, unknown))).toEqual(['/answers/__proto__']);
  });

  it('are replaced as a whole by the holder while the subscription is live, and by managers', async () => {
    const to = await asking(meal, badge);
    const made = await subscribe(team.member, to, { answers: { badge: 'Ada', meal: 'none' } });
    const changed = await patch(team.member, made.body, { answers: { badge: 'Bob' } });
    expect([changed.status, changed.body.answers]).toEqual([200, { badge: 'Bob' }]);
    expect(pointersOf(await patch(team.member, made.body, { answers: null }))).toEqual(['/answers/badge']);
    await put(team.manager, to, [meal]);
    const again = await patch(team.member, made.body, { answers: { meal: 'meat' } });
    expect(again.body).toMatchObject({ answers: { meal: 'meat' }, form_version: 2 });
    const none = await patch(team.member, made.body, { answers: null });
    expect(none.body).toMatchObject({ answers: null, form_version: null });
    await patch(team.member, made.body, { status: 'cancelled' });
    const late = await patch(team.member, made.body, { answers: { meal: 'meat' } });
    expectCode(late, 409, 'INVALID_TRANSITION');
    const managed = await patch(team.manager, made.body, { answers: { meal: 'none' } });
    expect(managed.body.answers).toEqual({ meal: 'none' });
  });

  it('cannot change once the event has run out', async () => {
    const to = await asking(meal);
    const made = await subscribe(team.member, to, {});
    await runOut(server, to.id);
    expectCode(await patch(team.member, made.body, { answers: { meal: 'meat' } }), 409, 'INVALID_TRANSITION');
    expect((await patch(team.manager, made.body, { answers: { meal: 'meat' } })).status).toBe(200);
  });

  it('are not checked against a version that they are not for, where something else is at fault', async () => {
    const to = await asking(badge);
    const answers = { nonsense: 1 };
    const old = await subscribe(team.manager, to, { answers, form_version: 2, notify: 'x' });
    expectCode(old, 400, 'VALIDATION_ERROR', ['/notify']);
    const current = await subscribe(team.manager, to, { answers, form_version: 1, notify: 'x' });
    expect(pointersOf(current).toSorted()).toEqual(['/answers/badge', '/answers/nonsense', '/notify']);
    const made = await subscribe(team.manager, to, { answers: { badge: 'Ada' } });
    const changed = await patch(team.manager, made.body, { answers, form_version: 2, notify: 'x' });
    expect(pointersOf(changed)).toEqual(['/notify']);
  });

  it('look at form_version first: one that is not the current is a conflict', async () => {
    const to = await asking(badge);
    for (const form_version of [0, 2]) {
      const answer = await subscribe(team.member, to, { answers: { nonsense: 1 }, form_version });
      expectCode(answer, 409, 'CONFLICT', ['/form_version']);
    }
    const made = await subscribe(team.member, to, { answers: { badge: 'Ada' }, form_version: 1 });
    expect(made.status).toBe(201);
    expect((await patch(team.member, made.body, { form_version: 1 })).body.answers).toEqual({ badge: 'Ada' });
  });

  it('can be omitted by a manager who subscribes somebody, but must not be invalid', async () => {
    const to = await asking(badge, { key: 'rules', type: 'consent', label: 'Rules', required: true });
    const { userId } = team.member;
    expect(pointersOf(await subscribe(team.manager, to, {}))).toEqual(['/answers/badge', '/answers/rules']);
    const wrong = await subscribe(team.manager, to, { user_id: userId, answers: { badge: 1, rules: false } });
    expect(pointersOf(wrong)).toEqual(['/answers/badge', '/answers/rules']);
    const made = await subscribe(team.manager, to, { user_id: userId, answers: { badge: 'Ada' } });
    expect([made.status, made.body.answers]).toEqual([201, { badge: 'Ada' }]);
    expect(pointersOf(await patch(team.member, made.body, { answers: { badge: 'Bob' } }))).toEqual(['/answers/rules']);
    expect((await patch(team.manager, made.body, { answers: {} })).body.answers).toBeNull();
  });

  it('are at fault together with everything else in the body', async () => {
    const to = await asking(badge);
    const body = { nonsense: 1, answers: { badge: 5, meal: 'x' } };
    const pointers = ['/nonsense', '/answers/badge', '/answers/meal'];
    expect(pointersOf(await subscribe(team.member, to, body)).sort()).toEqual(pointers.sort());
    const made = await subscribe(team.member, to, { answers: { badge: 'Ada' } });
    expect(pointersOf(await patch(team.member, made.body, body)).sort()).toEqual(pointers.sort());
    // a form that one does not see stays unseen
    expect(pointersOf(await subscribe(other.owner, to, body))).toEqual(['/nonsense']);
  });

  it.each(['x', 5, [], true])('are an object: %j is none', async (answers) => {
    const to = await asking(meal);
    expect(pointersOf(await subscribe(team.member, to, { answers }))).toEqual(['/answers']);
  });

  it('are checked against the form that is there when they are written', async () => {
    const to = await asking(badge);
    const people = await Promise.all(Array.from({ length: 6 }, () => join(server, team.organizationId, 'member')));
    const answers = await Promise.all([
      ...people.map((person) => subscribe(person, to, { answers: { badge: 'Ada' }, form_version: 1 })),
      put(team.manager, to, [meal]),
    ]);
    const rows = answers.slice(0, -1) as Answer<SubscriptionRow>[];
    for (const { status, body } of rows) {
      if (status === 201) expect(body.form_version).toBe(1);
      else expect([status, (body as unknown as { code: string }).code]).toEqual([409, 'CONFLICT']);
    }
  });
});

it('bodies with questions or answers may have 1 MiB, and no others', () => {
  const options = { publicUrl: 'http://events.test', trustsOrigin: () => false, cookieSecrets: () => [] };
  const routes = restRoutes(options);
  expect(routes.filter(({ largeBody }) => largeBody).map(({ operationId }) => operationId)).toEqual([
    ...['setEventForm', 'subscribeUsers', 'subscribe', 'updateSubscription'],
    ...['requestGuestSubscription', 'confirmGuestSubscription', 'changeOwnAnswers'],
  ]);
  for (const { method, path, largeBody = false } of routes) {
    const limit = bodyLimit({ method: method.toUpperCase(), headers: {} }, path.replaceAll(/\{\w+\}/g, 'x'));
    expect(limit, path).toBe(largeBody ? bodyLimits.large : bodyLimits.usual);
  }
});
