import { describe, expect, it } from 'vitest';
import { type Caller, globalId, graphql, query, send } from '../support/send.ts';
import { serveTeam } from '../support/server.ts';
import { formsOf } from '../support/subscribing.ts';
import { mutate } from '../support/write-faces.ts';

const { server, team } = await serveTeam();
const { event } = formsOf(server, team);

const badge = { key: 'badge', type: 'TEXT', label: 'Name on the badge', required: true };
const meal = { key: 'meal', type: 'CHOICES', label: 'Meals', options: [{ value: 'x', label: 'X' }] };
const fields = 'key type label help required min max options { value label }';
/** A question as GraphQL shows it. */
const shown = (question: object) => ({ help: null, required: false, min: null, max: null, options: [], ...question });

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
  run<SetForm>(caller, 'setEventForm', `form { version questions { ${fields} } } event { databaseId version }`, input);

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
      form: { version: 1, questions: [badge, meal].map(shown) },
      event: { databaseId: id, version: 1 },
    });
    const again = await setForm(team.manager, { eventId: id, questions: [badge] });
    expect(again.payload?.form).toEqual({ version: 2, questions: [shown(badge)] });
    const document = `{ event(id: "${id}") { form { version questions { ${fields} } } first: form(version: 1) { questions { ${fields} } }
      never: form(version: 3) { version } before: form(version: 0) { version questions { key } } } }`;
    expect(await query(server, team.member, document)).toEqual({
      event: {
        form: { version: 2, questions: [shown(badge)] },
        first: { questions: [badge, meal].map(shown) },
        never: null,
        before: { version: 0, questions: [] },
      },
    });
    const rest = await send(server, team.member, `GET /events/${id}/form`);
    expect(rest.body).toEqual({ version: 2, questions: [{ ...badge, type: 'text' }] });
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

  it('write numbers as JSON does, and keep dates', async () => {
    const { id } = await event();
    const bounds = [
      ['NUMBER', '-1.5e-7', '1e21'],
      ['NUMBER', '-0', '0.10'],
      ['DATE', '2027-01-01', '2027-12-31'],
      ['LONG_TEXT', '10', '200'],
      ['URL', null, null],
    ].map(([type, min, max], index) => ({ key: `q${index}`, type, label: 'Q', help: null, min, max }));
    const { payload, code } = await setForm(team.manager, { eventId: id, questions: bounds });
    expect(code).toBeNull();
    const texts = [
      { min: '-1.5e-7', max: '1e+21' },
      { min: '0', max: '0.1' },
    ];
    expect(payload?.form.questions).toEqual(bounds.map((each, index) => shown({ ...each, ...texts[index] })));
    const rest = await send<{ questions: object[] }>(server, team.manager, `GET /events/${id}/form`);
    const { questions } = rest.body;
    expect(questions).toEqual([
      { key: 'q0', type: 'number', label: 'Q', min: -1.5e-7, max: 1e21 },
      { key: 'q1', type: 'number', label: 'Q', min: 0, max: 0.1 },
      { key: 'q2', type: 'date', label: 'Q', min: '2027-01-01', max: '2027-12-31' },
      { key: 'q3', type: 'long_text', label: 'Q', min: 10, max: 200 },
      { key: 'q4', type: 'url', label: 'Q' },
    ]);
    // what one face shows, the other takes back as the same form
    await send(server, team.manager, `PUT /events/${id}/form`, { questions });
    const again = await setForm(team.manager, { eventId: id, questions: payload?.form.questions });
    expect(again.payload?.form.version).toBe(1);
  });

  it.each(['', ' 1', '1 ', '01', '+1', '.5', '1.', '0x1', 'Infinity', '1e999', '2027-01-01'])(
    'refuse %j as a number, at its field',
    async (min) => {
      const { id } = await event();
      const questions = [{ key: 'a', type: 'NUMBER', label: 'A', min }];
      const refused = await setForm(team.manager, { eventId: id, questions });
      expect(refused).toMatchObject({ code: 'VALIDATION_ERROR', pointers: ['/questions/0/min'] });
    },
  );
});

it('answers have the version that they are for, every fault at its pointer, and are cleared by null', async () => {
  const { id } = await event();
  await setForm(team.manager, { eventId: id, questions: [meal, badge] });
  const wrong = await subscribe(team.member, { eventId: id, answers: { some_key: 1, meal: ['x', 'x'] } });
  const pointers = ['/answers/badge', '/answers/meal', '/answers/some_key'];
  expect(wrong).toMatchObject({ code: 'VALIDATION_ERROR', pointers });
  await setForm(team.manager, { eventId: id, questions: [meal] });
  const made = await subscribe(team.member, { eventId: id, answers: { meal: ['x'] }, formVersion: 2 });
  expect(made.payload?.eventSubscription).toMatchObject({ answers: { meal: ['x'] }, formVersion: 2 });
  const cleared = await update(team.member, { id: made.payload?.eventSubscription.id, answers: null });
  expect(cleared.payload?.eventSubscription).toMatchObject({ answers: null, formVersion: null });
});

describe('requests with a form or answers', () => {
  const long = Array.from({ length: 20 }, (_, index) => ({ key: `q${index}`, type: 'LONG_TEXT', label: 'Q' }));
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
