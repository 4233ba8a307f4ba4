import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/domain/event/event.resource.ts';
import { callerHeaders, expectCode, pointersOf, send, statusesOf, trailOf } from '../support/send.ts';
import { serveTeam } from '../support/server.ts';
import { badge, formsOf, meal } from '../support/subscribing.ts';

const { server, team } = await serveTeam();

const { event, put, get, asking } = formsOf(server, team);

describe('GET /events/{event}/form', () => {
  it('is version 0 without questions for an event without a form, for a copy of it, and after no questions', async () => {
    const to = await event();
    const answer = await get(team.member, to);
    expect(answer.body).toEqual({ version: 0, questions: [] });
    expect(answer.headers.get('etag')).toBe('"0"');
    expect((await put(team.manager, to, [])).body).toEqual(answer.body);
    const copy = await send<EventRow>(server, team.manager, `POST /events/${to.id}/duplicate`);
    expect((await get(team.manager, copy.body)).body.version).toBe(0);
  });

  it('shows the current version and every older one to everybody who can see the event', async () => {
    const to = await asking(meal);
    await put(team.owner, to, [meal, badge]);
    const now = await get(team.member, to);
    expect(now.body).toEqual({ version: 2, questions: [meal, badge] });
    expect(now.headers.get('etag')).toBe('"2"');
    const first = await get(team.member, to, '?version=1');
    expect([first.body, first.headers.get('etag')]).toEqual([{ version: 1, questions: [meal] }, '"1"']);
    expect((await get(team.member, to, '?version=0')).body).toEqual({ version: 0, questions: [] });
    expect((await get(team.member, to, '?version=2')).body).toEqual(now.body);
    for (const version of ['3', '4294967296', '99999999999999999999']) {
      expectCode(await get(team.member, to, `?version=${version}`), 404, 'NOT_FOUND');
    }
    for (const query of ['?version=', '?version=-1', '?version=1.5', '?version=x', '?version=1&version=2']) {
      expect(pointersOf(await get(team.member, to, query)), query).toEqual(['/version']);
    }
  });

  it('is not found for drafts as a member', async () => {
    const draft = await event({ status: 0 });
    await put(team.manager, draft, [meal]);
    expectCode(await get(team.member, draft), 404, 'NOT_FOUND');
    expect((await get(team.manager, draft)).body.version).toBe(1);
  });
});

describe('PUT /events/{event}/form', () => {
  it('makes the next version of a change, and none of the same questions', async () => {
    const to = await event();
    const before = await send<EventRow>(server, team.manager, `GET /events/${to.id}`);
    const made = await put(team.manager, to, [meal, badge]);
    expect([made.status, made.body]).toEqual([200, { version: 1, questions: [meal, badge] }]);
    expect(made.headers.get('etag')).toBe('"1"');
    const { required: _, ...optional } = badge;
    const same = await put(team.manager, to, [{ ...meal, required: false }, badge]);
    expect([same.body.version, same.headers.get('etag')]).toEqual([1, '"1"']);
    expect((await put(team.manager, to, [meal, { ...optional, required: false }])).body.version).toBe(2);
    expect((await put(team.manager, to, [meal, optional])).body.version).toBe(2);
    expect((await put(team.manager, to, [optional, meal])).body.version).toBe(3);
    expect((await put(team.manager, to, [])).body).toEqual({ version: 4, questions: [] });
    expect((await send(server, team.manager, `GET /events/${to.id}`)).body).toEqual(before.body);
  });

  it('reads a negative zero as zero, which is how it is kept', async () => {
    const to = await event();
    const body = '{"questions":[{"key":"n","type":"number","label":"N","min":-0}]}';
    const headers = { ...callerHeaders(team.manager), 'content-type': 'application/json' };
    const set = () => fetch(`${server.url}/events/${to.id}/form`, { method: 'PUT', headers, body });
    for (const response of [await set(), await set()]) expect(await response.json()).toMatchObject({ version: 1 });
  });

  it('looks at If-Match', async () => {
    const to = await event();
    expectCode(await put(team.manager, to, [meal], { 'if-match': '"1"' }), 412, 'PRECONDITION_FAILED');
    expect((await put(team.manager, to, [meal], { 'if-match': '"0"' })).body.version).toBe(1);
    expect((await get(team.manager, to)).body).toEqual({ version: 1, questions: [meal] });
    expect((await put(team.manager, to, [meal, badge], { 'if-match': '*' })).body.version).toBe(2);
  });

  it('lets exactly one of many with the same tag win', async () => {
    const to = await event();
    const questions = (index: number) => [{ ...badge, label: `Question ${index}` }];
    const statuses = await statusesOf(10, (index) => put(team.manager, to, questions(index), { 'if-match': '"0"' }));
    expect(statuses).toEqual([200, ...Array<number>(9).fill(412)]);
    expect((await get(team.manager, to)).body.version).toBe(1);
  });

  it('is one line of the audit trail', async () => {
    const to = await asking(meal);
    await put(team.manager, to, [meal]);
    expect(await trailOf(server, team.owner, { subject_id: to.id })).toMatchObject([
      { action: 'event.changed', detail: { fields: ['form'] } },
    ]);
  });

  const options = (...values: string[]) => values.map((value) => ({ value, label: value }));
  const many = (count: number) => options(...Array.from({ length: count }, (_, index) => `o${index}`));
  const good: unknown[][] = [
    [{ key: 'a', type: 'text', label: 'A', min: 0, max: 200 }],
    [{ key: 'a'.padEnd(40, '_9'), type: 'long_text', label: 'x'.repeat(200), help: 'two\nlines'.padEnd(1000) }],
    [{ key: 'a', type: 'number', label: '𝄞'.repeat(200), min: -1.5, max: -1.5 }],
    [{ key: 'a', type: 'date', label: 'A', min: '2024-02-29', max: '2025-01-01' }],
    [{ key: 'a', type: 'choices', label: 'A', options: many(50), min: 1, max: 50 }],
    [{ key: 'constructor', type: 'consent', label: 'A', required: true }],
    [
      { key: 'a', type: 'email', label: 'A' },
      { key: 'b', type: 'url', label: 'A' },
    ],
    Array.from({ length: 50 }, (_, index) => ({ key: `q${index}`, type: 'text', label: 'Q' })),
  ];
  it.each(good)('takes questions as the rules allow (%#)', async (...questions) => {
    const answer = await put(team.manager, await event(), questions);
    expect([answer.status, answer.body.questions]).toEqual([200, questions]);
  });

  /** A question for each of these, with what it must have. */
  const ask = (...fields: object[]) =>
    fields.map((each, index) => ({ key: `q${index}`, type: 'text', label: 'A', ...each }));
  /** The same field of each question. */
  const ofEach = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `/questions/${index}/${name}`);
  const bad: [string, unknown, string[]][] = [
    ['no list', { key: 'a' }, ['/questions']],
    ['51 questions', ask(...Array<object>(51).fill({})), ['/questions']],
    ['no object', ['a', null], ['/questions/0', '/questions/1']],
    ['missing fields', [{}], ['/questions/0/key', '/questions/0/type', '/questions/0/label']],
    ['unknown fields', ask({ hint: 'x' }), ['/questions/0/hint']],
    ['keys', ask({ key: 'A' }, { key: '1a' }, { key: 'x'.repeat(41) }, { key: '' }), ofEach('key', 4)],
    ['a key twice', ask({ key: 'a' }, { key: 'b' }, { key: 'a' }), ['/questions/2/key']],
    ['an unknown type', ask({ type: 'file' }), ['/questions/0/type']],
    [
      'labels',
      ask({ label: '' }, { label: '𝄞'.repeat(201) }, { label: 'a\nb' }, { label: ' ' }, { label: 'a\0' }),
      ofEach('label', 5),
    ],
    ['help', ask({ help: 'x'.repeat(1001) }, { help: '\ud800' }), ofEach('help', 2)],
    ['required', ask({ required: 'yes' }), ['/questions/0/required']],
    [
      'options for a text, even if empty or faulty',
      ask({ options: options('x') }, { options: [] }, { options: [{ value: '' }] }),
      ofEach('options', 3),
    ],
    ['no bound at all', ask({ min: true }, { type: 'consent', min: true }), ofEach('min', 2)],
    ['no options for a choice', ask({ type: 'choice' }, { type: 'choices', options: [] }), ofEach('options', 2)],
    ['51 options', ask({ type: 'choice', options: many(51) }), ['/questions/0/options']],
    ['an option twice', ask({ type: 'choice', options: options('x', 'y', 'x') }), ['/questions/0/options/2/value']],
    [
      'options of another form',
      ask({ type: 'choice', options: ['x', { value: '', label: 'L', more: 1 }] }),
      ['/questions/0/options/0', '/questions/0/options/1/value', '/questions/0/options/1/more'],
    ],
    [
      'bounds where there are none',
      ask(
        { type: 'choice', min: 1, options: options('x') },
        ...['consent', 'email', 'url'].map((type) => ({ type, min: 1 })),
      ),
      ofEach('min', 4),
    ],
    ['lower bounds of a text', ask({ min: -1 }, { min: 1.5 }, { min: 'x' }), ofEach('min', 3)],
    ['upper bounds of a text', ask({ max: 201 }, { type: 'long_text', max: 10_001 }), ofEach('max', 2)],
    ['bounds of a date', ask({ type: 'date', min: '2025-02-29', max: 5 }), ['/questions/0/min', '/questions/0/max']],
    ['bounds of a number', ask({ type: 'number', min: '1' }), ['/questions/0/min']],
    [
      'min above max',
      ask({ min: 3, max: 2 }, { type: 'date', min: '2025-01-02', max: '2025-01-01' }),
      ofEach('min', 2),
    ],
    [
      'several questions at once',
      ask({ key: 'a', label: '' }, { key: 'a', type: 'choice' }),
      ['/questions/0/label', '/questions/1/key', '/questions/1/options'],
    ],
  ];
  it.each(bad)('reports every fault of %s', async (_, questions, pointers) => {
    const to = await event();
    expectCode(await put(team.manager, to, questions), 400, 'VALIDATION_ERROR', pointers);
    expect((await get(team.manager, to)).body.version).toBe(0);
  });
});
