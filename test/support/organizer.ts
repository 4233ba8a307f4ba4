import { insertPublicEvent, optionsOf, type PublicEventInput } from './public-world.ts';
import { send } from './send.ts';
import { createTeam, type TestServer } from './server.ts';

/** A question of every type, as organizers ask them. */
export const everyQuestion = [
  { key: 'dish', type: 'text', label: 'What do you bring?', help: 'A dish for six people.', required: true, max: 40 },
  { key: 'story', type: 'long_text', label: 'Tell us about yourself', max: 500 },
  { key: 'guests', type: 'number', label: 'How many people come with you?', required: true, min: 0, max: 5 },
  { key: 'arrival', type: 'date', label: 'When do you arrive?', min: '2031-05-01', max: '2031-05-31' },
  {
    ...{ key: 'meal', type: 'choice', label: 'Which meal do you want?', required: true },
    options: optionsOf({ meat: 'With meat', veg: 'Vegetarian' }),
  },
  {
    ...{ key: 'talks', type: 'choices', label: 'Which talks interest you?', max: 2 },
    options: optionsOf({ bread: 'Bread', cheese: 'Cheese', wine: 'Wine' }),
  },
  { key: 'rules', type: 'consent', label: 'I have read the rules of the house.', required: true },
  { key: 'second', type: 'email', label: 'Another address of yours' },
  { key: 'site', type: 'url', label: 'Your web site' },
];

/** Answers to {@link everyQuestion} as the fields of a page send them. */
export const everyAnswer: [string, string][] = [
  ['answers.dish', 'A pie'],
  ['answers.story', 'First line\r\nsecond line'],
  ['answers.guests', '2'],
  ['answers.arrival', '2031-05-24'],
  ['answers.meal', 'veg'],
  ['answers.talks', 'bread'],
  ['answers.talks', 'wine'],
  ['answers.rules', 'true'],
  ['answers.second', 'second@example.org'],
  ['answers.site', 'https://example.org/me'],
];

export type EventFields = Omit<PublicEventInput, 'organizationId'> & { timezone?: string; location?: string };

/** An organization of its own with its pages. */
export async function organizer(server: TestServer, name?: string) {
  const team = await createTeam(server);
  const { organizationId } = team;
  const execute = (sql: string, values: unknown[]) => server.execute(sql, values);
  if (name !== undefined) await execute('update organization set name = ? where id = ?', [name, organizationId]);
  const [{ slug }] = (await execute('select slug from organization where id = ?', [organizationId])) as [
    { slug: string },
  ];
  const list = `/o/${slug}`;
  return {
    team,
    organizationId,
    slug,
    list,
    pathOf: (event: { slug: string }) => `${list}/${encodeURIComponent(event.slug)}`,
    event: async ({ timezone = 'UTC', location, ...input }: EventFields = {}) => {
      const event = await insertPublicEvent(server, { ...input, organizationId });
      await execute('update event set timezone = ?, location = ? where id = ?', [timezone, location ?? null, event.id]);
      return event;
    },
    ask: (event: { id: string }, questions: readonly object[]) =>
      send(server, team.manager, `PUT /events/${event.id}/form`, { questions }),
    patch: (event: { id: string }, fields: object) => send(server, team.manager, `PATCH /events/${event.id}`, fields),
  };
}

/** A page, as it is sent. */
export async function fetchPage(server: TestServer, path: string, init: RequestInit = {}) {
  const response = await fetch(server.url + path, { redirect: 'manual', ...init });
  return { response, status: response.status, headers: response.headers, text: await response.text() };
}

/** Sends the form of a page as a browser does. */
export function submitForm(
  server: TestServer,
  path: string,
  fields: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
) {
  return fetchPage(server, path, { method: 'POST', body: new URLSearchParams(fields), headers });
}
