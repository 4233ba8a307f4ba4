import { describe, expect, it } from 'vitest';
import { faultsOf, takeViolations, watchAnswers } from '../support/declared-answers.ts';
import { insertEvent } from '../support/fixtures.ts';
import { startedReceiver } from '../support/receiver.ts';
import { send } from '../support/send.ts';
import { serveTeam } from '../support/server.ts';

const { server, team } = await serveTeam();

const problem = {
  type: 'http://events.test/errors/INVALID_QUERY',
  title: 'Bad',
  status: 400,
  code: 'INVALID_QUERY',
  request_id: 'r',
};

const check = (
  target: string,
  body: unknown,
  { method = 'GET', status = 200, contentType = 'application/json' } = {},
) => faultsOf({ method, target, status, contentType, body: typeof body === 'string' ? body : JSON.stringify(body) });

/** An event as the service answers it, with these changes; undefined leaves a field out. */
async function eventWith(changes: Record<string, unknown>) {
  const { id } = await insertEvent(server.orm, { organizationId: team.organizationId });
  return { ...(await send(server, team.owner, `GET /events/${id}`)).body, ...changes };
}

describe('what checks the answers of a test server', () => {
  it('finds nothing in an answer that is declared', async () => {
    expect(check('/events/e', await eventWith({}))).toEqual([]);
    expect(check('/events/e?fields=id%20name', { id: team.owner.userId, name: 'An event' })).toEqual([]);
    expect(check('/events/count', 3)).toEqual([]);
    expect(check('/events', problem, { status: 400, contentType: 'application/problem+json; charset=utf-8' })).toEqual(
      [],
    );
  });

  it('finds a field too many, one too few and one of another type, and names operation and place', async () => {
    const page = { length: 1, has_more: false, next: null, prev: null };
    const list = async (changes: object) => check('/events', { ...page, items: [await eventWith({ ...changes })] });
    expect(await list({ secret: 1 })).toEqual([expect.stringMatching(/^listEvents .* \/items\/0: .*"secret"/)]);
    expect(await list({ slug: undefined })).toEqual([expect.stringMatching(/^listEvents .* \/items\/0: .*"slug"/)]);
    expect(await list({ name: null })).toEqual([
      expect.stringMatching(/^listEvents .* \/items\/0\/name: must be string/),
    ]);
    expect(await list({ date_start: '2026-06-01' })).not.toEqual([]);
    expect(check('/events/e?fields=name', { name: 1 })).not.toEqual([]);
  });

  it('finds a status, a content type and a code that are not declared', () => {
    expect(check('/events', {}, { status: 418 })).toEqual([expect.stringMatching(/^listEvents .* 418: the status/)]);
    expect(check('/events', '<p>', { contentType: 'text/html' })).toEqual([expect.stringContaining("'text/html'")]);
    expect(check('/events', '<p>')).toEqual([expect.stringContaining('not JSON')]);
    const contentType = 'application/problem+json';
    expect(check('/events', { ...problem, code: 'TOKEN_NOT_FOUND' }, { status: 400, contentType })).not.toEqual([]);
    expect(check('/nowhere', { ...problem, code: 'NONSENSE' }, { status: 404, contentType })).not.toEqual([]);
  });

  it('sees each answer before its client does', async () => {
    const { port } = await startedReceiver((response) => {
      response.setHeader('content-type', 'application/json');
      response.write('{"value":');
      response.end('3}');
    });
    const url = `http://127.0.0.1:${port}`;
    await fetch(`${url}/events/count`);
    expect(takeViolations()).toEqual([]);
    watchAnswers(url);
    await fetch(`${url}/events/count`);
    expect(takeViolations()).toEqual([
      expect.stringMatching(/^countEvents \(GET \/events\/count\) 200 \/: must be integer/),
    ]);
    await fetch(`${url}/events/count`, { method: 'HEAD' });
    expect(takeViolations()).toEqual([]);
  });
});
