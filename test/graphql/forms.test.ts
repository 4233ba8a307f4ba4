import { describe, expect, it } from 'vitest';
import { insertEvent } from '../support/fixtures.ts';
import { type Caller, globalId, graphql, query } from '../support/graphql.ts';
import { send } from '../support/send.ts';
import { startTestServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { createTeam } from '../support/team.ts';
import { mutate } from '../support/write-faces.ts';

const server = await shared(startTestServer());
const team = await createTeam(server);

const inTenDays = () => new Date(Date.now() + 10 * 86_400_000);
const event = () => insertEvent(server.orm, { organizationId: team.organizationId, dateStart: inTenDays() });

const badge = { key: 'badge', type: 'text', label: 'Name on the badge', required: true };
const meal = { key: 'meal', type: 'choices', label: 'Meals', options: [{ value: 'x', label: 'X' }] };

async function run<Payload>(caller: Caller, field: string, selection: string, input: Record<string, unknown>) {
  const { data, errors, status } = await mutate(server, caller, field, selection, input);
  const extensions = errors?.[0]?.extensions;
  const pointers = (extensions?.errors ?? []).map(({ pointer }) => pointer).sort();
  return { payload: data?.[field] as Payload | null, code: extensions?.code ?? null, pointers, status };
}

interface SetForm {
  form: { version: number; questions: unknown[] };
  event: { databaseId: string; version: number };
}
const setForm = (caller: Caller, input: Record<string, unknown>) =>
  run<SetForm>(caller, 'setEventForm', 'form { version questions } event { databaseId version }', input);

interface Subscribed {
  eventSubscription: { id: string; answers: unknown; formVersion: number | null };
}
const subscription = 'eventSubscription { id answers formVersion }';
const subscribe = (caller: Caller, input: Record<string, unknown>) =>
  run<Subscribed>(caller, 'subscribeToEvent', subscription, input);
const update = (caller: Caller, input: Record<string, unknown>) =>
  run<Subscribed>(caller, 'updateEventSubscription', subscription, input);

describe('setEventForm and Event.form', () => {
  it('set and show the form that REST shows, by either id', async () => {
    const { id } = await event();
    const set = await setForm(team.manager, { eventId: globalId('Event', id), questions: [badge, meal] });
    expect(set.payload).toEqual({
      form: { version: 1, questions: [badge, meal] },
      event: { databaseId: id, version: 1 },
    });
    const again = await setForm(team.manager, { eventId: id, questions: [badge] });
    expect(again.payload?.form).toEqual({ version: 2, questions: [badge] });
    const document = `{ event(id: "${id}") { form { version questions } first: form(version: 1) { questions }
      never: form(version: 3) { version } before: form(version: 0) { version questions } } }`;
    expect(await query(server, team.member, document)).toEqual({
      event: {
        form: { version: 2, questions: [badge] },
        first: { questions: [badge, meal] },
        never: null,
        before: { version: 0, questions: [] },
      },
    });
    expect((await send(server, team.member, `GET /events/${id}/form`)).body).toEqual(again.payload?.form);
    const negative = await graphql(server, team.member, `{ event(id: "${id}") { form(version: -1) { version } } }`);
    expect(negative.errors?.[0]?.extensions).toMatchObject({
      code: 'INVALID_QUERY',
      errors: [{ pointer: '/version' }],
    });
  });

  it('take the version that is to be changed', async () => {
    const { id } = await event();
    expect(await setForm(team.manager, { eventId: id, questions: [badge], ifVersion: 1 })).toMatchObject({
      code: 'PRECONDITION_FAILED',
    });
    const set = await setForm(team.manager, { eventId: id, questions: [badge], ifVersion: 0 });
    expect(set.payload?.form.version).toBe(1);
  });

  it('are for managers, and name the faults of the questions', async () => {
    const { id } = await event();
    expect(await setForm(team.member, { eventId: id, questions: [1] })).toMatchObject({ code: 'FORBIDDEN' });
    const questions = [{ ...badge, key: 'A', min: 3, max: 2 }, { type: 'choice' }];
    expect(await setForm(team.manager, { eventId: id, questions })).toMatchObject({
      code: 'VALIDATION_ERROR',
      pointers: ['0/key', '0/min', '1/key', '1/label', '1/options'].map((each) => `/questions/${each}`),
    });
    expect(await setForm(team.manager, { eventId: 'nonsense', questions: [] })).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('answers', () => {
  it('are stored with their version, and cleared by null', async () => {
    const { id } = await event();
    await setForm(team.manager, { eventId: id, questions: [meal] });
    const made = await subscribe(team.member, { eventId: id, answers: { meal: ['x'] }, formVersion: 1 });
    expect(made.payload?.eventSubscription).toMatchObject({ answers: { meal: ['x'] }, formVersion: 1 });
    const input = { id: made.payload?.eventSubscription.id };
    expect((await update(team.member, input)).payload?.eventSubscription.answers).toEqual({ meal: ['x'] });
    const cleared = await update(team.member, { ...input, answers: null });
    expect(cleared.payload?.eventSubscription).toMatchObject({ answers: null, formVersion: null });
  });

  it('have every fault at its pointer, and a conflict of the version at formVersion', async () => {
    const { id } = await event();
    await setForm(team.manager, { eventId: id, questions: [badge, meal] });
    const conflict = await subscribe(team.member, { eventId: id, answers: { some_key: 1 }, formVersion: 2 });
    expect(conflict).toMatchObject({ code: 'CONFLICT', pointers: ['/formVersion'] });
    const wrong = await subscribe(team.member, { eventId: id, answers: { some_key: 1, meal: ['x', 'x'] } });
    const pointers = ['/answers/badge', '/answers/meal', '/answers/some_key'];
    expect(wrong).toMatchObject({ code: 'VALIDATION_ERROR', pointers });
    const made = await subscribe(team.member, { eventId: id, answers: { badge: 'Ada' } });
    const input = { id: made.payload?.eventSubscription.id, answers: { meal: 'x' } };
    expect(await update(team.member, input)).toMatchObject({ pointers: ['/answers/badge', '/answers/meal'] });
  });
});

describe('requests with a form or answers', () => {
  const long = Array.from({ length: 20 }, (_, index) => ({ key: `q${index}`, type: 'long_text', label: 'Q' }));
  const answers = Object.fromEntries(long.map(({ key }) => [key, 'ü'.repeat(10_000)]));

  it('may have 1 MiB, if only variables are large', async () => {
    const { id } = await event();
    await setForm(team.manager, { eventId: id, questions: long });
    const made = await subscribe(team.member, { eventId: id, answers });
    expect(made.payload?.eventSubscription.answers).toEqual(answers);
    const written = `mutation { subscribeToEvent(input: {eventId: "${id}", answers: {q0: "${'x'.repeat(110_000)}"}}) { ${subscription} } }`;
    const refused = await graphql(server, team.member, written);
    expect([refused.status, refused.errors?.[0]?.extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const tooMuch = await subscribe(team.member, { eventId: id, answers: { q0: 'x'.repeat(1024 * 1024) } });
    expect(tooMuch).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 });
  });

  it('are the only ones, and only for who is signed in', async () => {
    const { id } = await event();
    const others = await graphql(server, team.member, '{ viewer { id } }', { answers });
    expect([others.status, others.errors?.[0]?.extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const mutation = await mutate(server, team.manager, 'updateEvent', 'event { id }', { id, answers });
    expect([mutation.status, mutation.errors?.[0]?.extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await subscribe({}, { eventId: id, answers })).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 });
  });
});
