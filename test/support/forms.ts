import { expect } from 'vitest';
import { insertEvent } from './fixtures.ts';
import { inDays } from './public-world.ts';
import { send } from './send.ts';
import type { Person, Team, TestServer } from './server.ts';
import { subscribing } from './subscribing.ts';

export const meal = {
  key: 'meal',
  type: 'choice',
  label: 'Which meal?',
  options: [
    { value: 'meat', label: 'With meat' },
    { value: 'none', label: 'None' },
  ],
};
export const badge = { key: 'badge', type: 'text', label: 'Name on the badge', required: true };

interface Form {
  version: number;
  questions: unknown[];
}

/** What the team of a server does with forms and answers, by REST. */
export function formsOf(server: TestServer, team: Team) {
  const { subscribe, move: patch } = subscribing(server, team);
  const event = (fields: Partial<Parameters<typeof insertEvent>[1]> = {}) =>
    insertEvent(server.orm, { organizationId: team.organizationId, dateStart: inDays(10), ...fields });
  const put = (person: Person, { id }: { id: string }, questions: unknown, headers = {}) =>
    send<Form>(server, person, `PUT /events/${id}/form`, { questions }, headers);
  const get = (person: Person, { id }: { id: string }, query = '') =>
    send<Form>(server, person, `GET /events/${id}/form${query}`);

  /** An event with a form. */
  async function asking(...questions: unknown[]) {
    const to = await event();
    const set = await put(team.manager, to, questions);
    expect(set.status, set.text).toBe(200);
    return to;
  }
  return { event, put, get, subscribe, patch, asking };
}
