import { expect, it, vi } from 'vitest';
import { serve } from '../support/server.ts';

const server = await serve();
const readiness = async () => {
  const answer = await fetch(`${server.url}/readyz`);
  const { code, obstacles } = (await answer.json()) as { code?: string; obstacles?: string[] };
  return answer.ok ? [answer.status] : [answer.status, code, obstacles];
};

it('200 questions at once whether the service is ready ask the database a few times at most', async () => {
  const probes = vi.spyOn(server.orm.connections.primary, 'query');
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const answer = await fetch(`${server.url}/readyz`);
      return [answer.status, await answer.json()];
    }),
  );
  expect(answers).toEqual(answers.map(() => [200, { ready: true, database: 'reachable' }]));
  const statements = probes.mock.calls.filter(([asked]) =>
    (asked as unknown as { text: string }).text.includes('mikro_orm_migrations'),
  ).length;
  expect(statements).toBeGreaterThan(0);
  expect(statements).toBeLessThan(20);
});

it('without a migration of this version it is 503 and says so', async () => {
  const { em } = server.orm;
  const [last] = await em
    .fork()
    .execute('delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations) returning *');
  // an answer is shared for a second
  await expect.poll(readiness).toEqual([503, 'SERVICE_UNAVAILABLE', ['migrations']]);
  await em
    .fork()
    .execute('insert into mikro_orm_migrations (name, executed_at) values (?, ?)', [last?.name, last?.executed_at]);
  await expect.poll(readiness).toEqual([200]);
});

it('while its event loop is late again and again it is 503 and says so', async () => {
  // a request is answered between two blocks
  const blocks = setInterval(() => {
    for (const end = performance.now() + 1_400; performance.now() < end; );
  }, 150);
  try {
    await expect.poll(readiness).toEqual([503, 'SERVICE_UNAVAILABLE', ['event_loop']]);
  } finally {
    clearInterval(blocks);
  }
  await expect.poll(readiness).toEqual([200]);
});
