import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventModel, type ModelSubscription, type Status } from '../support/event-model.ts';
import { type Signed, startPair } from '../support/pair.ts';
import type { WriteFace } from '../support/write-faces.ts';

// An event with its subscriptions, driven by random commands through both faces of two processes, some of which are
// killed, against a model of a few lines.

const pair = await startPair();
const [manager] = (await pair.people(1, 'manager')) as [Signed];
const people = await pair.people(5);
const { face } = pair;

const statuses: Status[] = ['pending', 'accepted', 'declined', 'waitlisted', 'cancelled'];
const future = { date_start: '2126-05-01T10:00:00.000Z', date_end: '2126-05-01T12:00:00.000Z' };
const past = { date_start: '2020-05-01T10:00:00.000Z', date_end: '2020-05-01T12:00:00.000Z' };

type Real = { eventId: string };
type Command = fc.AsyncCommand<EventModel, Real>;
type Step = (model: EventModel, real: Real, at: WriteFace) => Promise<void>;

/** A command with its name and numbers, for the report of a failure. */
const named = (name: string, at: number, step: Step, check: Command['check'] = () => true): Command => ({
  check,
  run: async (model, real) => {
    await step(model, real, face(at));
    await compare(model, real);
  },
  toString: () => `${name} by ${face(at).name} ${at}`,
});

const hasSubscriptions = (model: Readonly<EventModel>) => model.subscriptions.length > 0;
const pickFrom = (model: EventModel, number: number) =>
  model.subscriptions[number % model.subscriptions.length] as ModelSubscription;

type StepOfOne = (one: ModelSubscription, model: EventModel, real: Real, at: WriteFace) => Promise<void>;

/** One about a subscription, where there are any. */
const namedOfOne = (name: string, at: number, number: number, step: StepOfOne): Command =>
  named(name, at, (model, real, by) => step(pickFrom(model, number), model, real, by), hasSubscriptions);

const at = fc.nat(3);
const user = fc.nat(4);
const pick = fc.nat(30);

/** What a subscribing must answer: the refusal, or the new subscription as it is once the list has moved. */
function expectSubscribed(
  outcome: { code: string | null; value: { id: string; status: string } },
  expected: string | ModelSubscription,
): void {
  if (typeof expected === 'string') expect(outcome.code).toBe(expected);
  else {
    expect(outcome).toMatchObject({ code: null, value: { status: expected.status } });
    expected.id = outcome.value.id;
  }
}

const subscribe = fc.tuple(at, user).map(([where, number]) =>
  named(`subscribe ${number}`, where, async (model, { eventId }, by) => {
    const outcome = await by.subscribe(people[number] as Signed, eventId);
    expectSubscribed(outcome, model.subscribe(number, null, null));
  }),
);

const given = fc.constantFrom<(Status | undefined)[]>(undefined, 'pending', 'accepted', 'waitlisted');
const invite = fc.tuple(at, user, given).map(([where, number, status]) =>
  named(`a manager subscribes ${number} as ${status}`, where, async (model, { eventId }, by) => {
    const chosen = status === undefined ? {} : { status };
    const outcome = await by.subscribe(manager, eventId, { user_id: people[number]?.userId, ...chosen });
    expectSubscribed(outcome, model.subscribe(number, null, chosen));
  }),
);

const move = fc.tuple(at, pick, fc.constantFrom(...statuses)).map(([where, number, to]) =>
  namedOfOne(`a manager moves ${number} to ${to}`, where, number, async (one, model, { eventId }, by) => {
    const expected = model.move(one, to, 'manager');
    const { code, value } = await by.move(manager, eventId, one.id, { status: to });
    expect(code).toBe(expected);
    if (code === null) expect(value.status).toBe(one.status);
  }),
);

const wanted = fc.constantFrom<Status[]>('cancelled', 'cancelled', 'cancelled', 'accepted');
const leave = fc.tuple(at, pick, wanted).map(([where, number, to]) =>
  namedOfOne(`the holder of ${number} wants ${to}`, where, number, async (one, model, { eventId }, by) => {
    const expected = model.move(one, to, 'holder');
    expect((await by.move(people[one.user] as Signed, eventId, one.id, { status: to })).code).toBe(expected);
  }),
);

const checkIn = fc.tuple(at, pick, fc.boolean()).map(([where, number, isUndo]) =>
  namedOfOne(`${isUndo ? 'undo the ' : ''}check-in of ${number}`, where, number, async (one, model, real, by) => {
    const expected = isUndo ? model.undoCheckIn(one) : model.checkIn(one);
    const { code } = await (isUndo ? by.undoCheckIn : by.checkIn)(manager, real.eventId, one.id);
    expect(code).toBe(expected);
  }),
);

const some = fc.uniqueArray(pick, { minLength: 1, maxLength: 4 });
const transition = fc.tuple(at, some, fc.constantFrom(...statuses)).map(([where, numbers, to]) => {
  const step: Step = async (model, { eventId }, by) => {
    const chosen = [...new Set(numbers.map((number) => pickFrom(model, number)))];
    const expected = chosen.map((one) => model.move(one, to, 'manager'));
    const ids = chosen.map(({ id }) => id);
    const { value } = await by.transition(manager, eventId, ids, to);
    const refused = expected.flatMap((code, index) => (code === null ? [] : [{ pointer: `/ids/${index}`, code }]));
    expect(value.errors.map(({ pointer, code }) => ({ pointer, code }))).toEqual(refused);
    expect(value.items.map(({ id, status }) => [id, status])).toEqual(
      chosen.flatMap((one, index) => (expected[index] === null ? [[one.id, one.status]] : [])),
    );
  };
  return named(`a manager moves ${numbers} to ${to}`, where, step, hasSubscriptions);
});

const fieldsOfEvent = fc.oneof(
  fc.record({ capacity: fc.option(fc.nat(4), { nil: null }) }),
  fc.record({ status: fc.constantFrom(0, 1, 1, 2, 3) }),
  fc.record({ registration: fc.constantFrom('open', 'approval', 'closed') }),
  fc.record({ waiting_list: fc.boolean() }),
  fc.record({ isOver: fc.boolean() }),
);
const change = fc.tuple(at, fieldsOfEvent).map(([where, fields]) => {
  const step: Step = async (model, { eventId }, by) => {
    const expected = changeModel(model, fields);
    const body = 'isOver' in fields ? (fields.isOver ? past : future) : fields;
    const { code, value } = await by.updateEvent(manager, eventId, body);
    expect(code).toBe(expected);
    if (code === null) expect(value).toMatchObject({ version: model.version, accepted_count: model.accepted });
  };
  // while there is none an event may become a draft, too
  return named(`change ${JSON.stringify(fields)}`, where, step, 'status' in fields ? hasSubscriptions : undefined);
});

function changeModel(model: EventModel, fields: object): string | null {
  const [[name, value]] = Object.entries(fields) as [[string, never]];
  if (name === 'capacity') return model.setCapacity(value);
  if (name === 'status') return model.setStatus(value);
  return model.set(name === 'waiting_list' ? 'waitingList' : (name as 'registration' | 'isOver'), value);
}

/** The process that is asked dies, before, while or after it writes; the client asks the other one under the same key. */
const die = fc.tuple(at, user, fc.nat(40)).map(([where, number, delay]) =>
  named(`subscribe ${number} at a process that dies after ${delay} ms`, where, async (model, real, by) => {
    const key = { key: `killed-${real.eventId}-${model.subscriptions.length}-${model.version}-${number}` };
    const asked = by.subscribe(people[number] as Signed, real.eventId, {}, key).catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, delay));
    await pair.kill(where >> 1);
    await pair.restart(where >> 1);
    const lost = await asked;
    const outcome = await retried(by, number, real, key);
    if (lost) expect(outcome).toEqual(lost);
    expectSubscribed(outcome, model.subscribe(number, null, null));
  }),
);

async function retried(by: WriteFace, number: number, { eventId }: Real, key: { key: string }) {
  for (;;) {
    const outcome = await by.subscribe(people[number] as Signed, eventId, {}, key);
    if (outcome.code !== 'CONFLICT') return outcome;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The event and its subscriptions are what the model says, and the list is in its order. */
async function compare(model: EventModel, { eventId }: Real): Promise<void> {
  const em = pair.orm.em.fork();
  const rows = await em.execute<Record<string, unknown>[]>(
    `select s.id, s.status, s.checked_in_at is not null as checked, s.waiting_since is not null as waits,
        e.accepted_count, e.version from event e left join subscription s on s.event_id = e.id
      where e.id = ? order by s.waiting_since, s.id`,
    [eventId],
  );
  expect(rows[0]).toMatchObject({ accepted_count: model.accepted, version: model.version });
  const real = rows.filter(({ id }) => id !== null);
  const byId = (a: { id: unknown }, b: { id: unknown }) => (String(a.id) < String(b.id) ? -1 : 1);
  expect(real.map(({ id, status, checked }) => ({ id, status, checked })).sort(byId)).toEqual(
    model.subscriptions.map(({ id, status, checkedIn }) => ({ id, status, checked: checkedIn })).sort(byId),
  );
  expect(real.filter(({ waits }) => waits).map(({ id }) => id)).toEqual(model.waiting.map(({ id }) => id));
}

async function compareHistory(model: EventModel): Promise<void> {
  const names = new Map<unknown, string>([
    [null, 'list'],
    [manager.userId, 'manager'],
    ...people.map(({ userId }, index): [string, string] => [userId, String(index)]),
  ]);
  for (const { id, history } of model.subscriptions) {
    const rows = await pair.execute<Record<string, unknown>>(
      'select kind, status_from, status_to, actor_id from subscription_change where subscription_id = ? order by created_at, id',
      [id],
    );
    const told = rows.map((row) => `${row.kind} ${row.status_from} ${row.status_to} ${names.get(row.actor_id)}`);
    expect(told).toEqual(history);
  }
}

it('an event is at each moment what the model says, whichever face and process is asked, and whoever dies', async () => {
  const often = [subscribe, subscribe, invite, move, leave, checkIn, transition, change, change];
  const commands = fc.commands([...often, ...often, ...often, die], { maxCommands: 40, size: 'max' });
  await fc.assert(
    fc.asyncProperty(fc.option(fc.nat(3), { nil: null }), commands, async (capacity, given) => {
      const setup = async () => {
        const fields = { name: 'Model', status: 1, capacity, ...future };
        const { value } = await face(0).createEvent(manager, fields);
        return { model: new EventModel(capacity), real: { eventId: value.id } };
      };
      const state = await setup();
      await fc.asyncModelRun(() => state, given);
      await compareHistory(state.model);
    }),
    { numRuns: 12, endOnFailure: false, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true },
  );
}, 300_000);
