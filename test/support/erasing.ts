import { randomUUIDv7 } from 'node:crypto';
import { expect } from 'vitest';
import { insertMember } from './fixtures.ts';
import { type Answer, type Caller, type Refusal, refusalOf, send } from './send.ts';
import { createTeam, signIn, type TestServer } from './server.ts';
import { subscribing } from './subscribing.ts';
import { mutate } from './write-faces.ts';

/** What erasing an account was answered. */
interface Erasure extends Refusal {
  status: number;
  detail: string;
}

const erasureOf = (answer: Answer<unknown>): Erasure => ({
  ...refusalOf(answer),
  status: answer.status,
  detail: (answer.body as { detail?: string }).detail ?? '',
});

type Erase = (at: { url: string }, caller: Caller, input: Record<string, unknown>) => Promise<Erasure>;

const byRest = (name: string): { name: string; erase: Erase } => ({
  name,
  erase: async (at, caller, input) => erasureOf(await send(at, caller, name, input)),
});
/** Each operation that erases the viewer's account. */
export const ways: { name: string; erase: Erase }[] = [
  byRest('DELETE /auth/me'),
  byRest('POST /auth/me/erase'),
  {
    name: 'eraseViewer',
    erase: async (at, { accessToken }, input) => {
      const answer = await mutate(at, { accessToken: accessToken as string }, 'eraseViewer', 'erased', input);
      if (!answer.errors) expect(answer.data).toEqual({ eraseViewer: { erased: true } });
      return { ...refusalOf(answer), status: answer.status, detail: answer.errors?.[0]?.message ?? '' };
    },
  },
];

export const badge = { key: 'badge', type: 'text', label: 'Name on the badge' };

/** A person with a name, an address and answers that are found nowhere else. */
export async function createPerson(server: TestServer) {
  const team = await createTeam(server);
  const mark = randomUUIDv7();
  const name = `Zoe ${mark}`;
  const email = `Zoe-${mark}@example.org`;
  const { id: userId } = await insertMember(server.orm, {
    organizationId: team.organizationId,
    role: 'member',
    name,
    email,
  });
  const person = { ...(await signIn(server.url, email)), userId, email, organizationId: team.organizationId };
  const secret = `vegan-${mark}`;
  const createEvent = async (fields: Record<string, unknown> = {}) => {
    const { id } = await subscribing(server, team).event(fields);
    await send(server, team.manager, `PUT /events/${id}/form`, { questions: [badge] });
    return id;
  };
  const subscribe = async (event: string, caller: Caller = person, answers: object | null = { badge: secret }) => {
    const answer = await send<{ id: string; status: string }>(server, caller, `POST /events/${event}/subscriptions`, {
      ...(answers ? { answers } : {}),
    });
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  };
  return { team, person, name, secret, createEvent, subscribe };
}

/** A subscription, as a member of the organization sees it. */
export const look = (server: TestServer, caller: Caller, event: string, id: string) =>
  send<Record<string, unknown>>(server, caller, `GET /events/${event}/subscriptions/${id}?include=user`);
