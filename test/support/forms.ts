import { expect } from 'vitest';
import type { SubscriptionRow } from '../../src/domain/subscription/subscription.resource.ts';
import { insertEvent } from './fixtures.ts';
import { send } from './send.ts';
import type { TestServer } from './server.ts';
import type { Person, Team } from './team.ts';

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
  const inTenDays = () => new Date(Date.now() + 10 * 86_400_000);
  const event = (fields: Partial<Parameters<typeof insertEvent>[1]> = {}) =>
    insertEvent(server.orm, { organizationId: team.organizationId, dateStart: inTenDays(), ...fields });
  const put = (person: Person, { id }: { id: string }, questions: unknown, headers = {}) =>
    send<Form>(server, person, `PUT /events/${id}/form`, { questions }, headers);
  const get = (person: Person, { id }: { id: string }, query = '') =>
    send<Form>(server, person, `GET /events/${id}/form${query}`);
  const subscribe = (person: Person, { id }: { id: string }, body: unknown) =>
    send<SubscriptionRow>(server, person, `POST /events/${id}/subscriptions`, body);
  const patch = (person: Person, row: SubscriptionRow, body: unknown) =>
    send<SubscriptionRow>(server, person, `PATCH /events/${row.event_id}/subscriptions/${row.id}`, body);

  /** An event with a form. */
  async function asking(...questions: unknown[]) {
    const to = await event();
    const set = await put(team.manager, to, questions);
    expect(set.status, set.text).toBe(200);
    return to;
  }
  return { event, put, get, subscribe, patch, asking };
}
