import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Orm } from '../../src/db/orm.ts';
import { type ChildService, startChildService } from '../support/child-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertMember, insertOrganization } from '../support/fixtures.ts';
import { logChange } from '../support/log-change.ts';
import { startReceiver } from '../support/receiver.ts';
import { signIn } from '../support/sign-in.ts';
import type { Person } from '../support/team.ts';
import { allowLoopback, createWebhook, messagesOf } from '../support/webhooks.ts';

async function ownerAt(orm: Orm, url: string): Promise<Person> {
  const { id: organizationId } = await insertOrganization(orm);
  const { id: userId, email } = await insertMember(orm, { organizationId, role: 'owner' });
  return { ...(await signIn(url, email)), userId, email, organizationId, membershipId: '' };
}

// two services start: a minute on a slow machine
it('another process follows one that is killed during a delivery', { timeout: 240_000 }, async () => {
  const secret = () => randomBytes(32).toString('base64url');
  const database = await createTestDatabase();
  const env = {
    ...allowLoopback,
    DATABASE_URL: database.url,
    ...{ ENCRYPTION_KEY: secret(), COOKIE_SECRET: secret(), CURSOR_SECRET: secret(), RATE_LIMIT: 'off' },
  };
  const children: ChildService[] = [];
  const start = async () => {
    const child = await startChildService(env);
    children.push(child);
    return child;
  };
  let isFirst = true;
  const target = await startReceiver((response) => {
    // the first try never ends
    if (!isFirst) response.end();
    isFirst = false;
  });
  try {
    const first = await start();
    const owner = await ownerAt(database.orm, first.url);
    await createWebhook(first, owner, { url: target.url });
    const id = await logChange(database, owner.organizationId);
    await expect.poll(() => target.received).toHaveLength(1);
    await first.kill();
    const [claim] = await database.execute<{ seconds: number }>(
      `select extract(epoch from due_at - now())::float8 as seconds from job where lane = 'deliveries' and claimed`,
    );
    expect(claim?.seconds).toBeLessThanOrEqual(10);
    await start();
    const messages = await messagesOf(target, 2, 60_000);
    expect(messages.map(({ data }) => data.id)).toEqual([id, id]);
  } finally {
    await Promise.all(children.map((child) => child.kill()));
    await target.close();
    await database.drop();
  }
});
