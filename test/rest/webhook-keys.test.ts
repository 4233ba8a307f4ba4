import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { createOrm } from '../../src/db/orm.ts';
import { runCommand } from '../support/command.ts';
import { insertMember, insertOrganization } from '../support/fixtures.ts';
import { startReceiver } from '../support/receiver.ts';
import { send } from '../support/send.ts';
import { type Person, signIn } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { prepareStarts } from '../support/started-service.ts';
import { allowLoopback, createWebhook } from '../support/webhooks.ts';

const { databaseUrl, dataDir, start } = await prepareStarts();
const receiver = await shared(startReceiver());
const orm = await createOrm({ url: databaseUrl });
afterAll(() => orm.close(true));

const env = { DATABASE_URL: databaseUrl, PUBLIC_URL: 'http://events.test', LOG_LEVEL: 'error', ...allowLoopback };
const keys = (...args: string[]) => runCommand('keys', args, { ...env, DATA_DIR: dataDir });

it('the secrets of webhooks are encrypted again when the key is rotated or revoked, and go on signing', async () => {
  let service = await start(env);
  const { id: organizationId } = await insertOrganization(orm);
  const { id: userId, email } = await insertMember(orm, { organizationId, role: 'owner' });
  const owner: Person = { ...(await signIn(service.url, email)), userId, email, organizationId, membershipId: '' };
  const { id, secret } = await createWebhook(service, owner, { url: receiver.url });
  const sealed = async () => {
    const [row] = await orm.em.fork().execute('select sealed from webhook_secret where webhook_id = ?', [id]);
    return row?.sealed as string;
  };
  /** Whether a delivery is still signed with the secret that was shown. */
  const signs = async () => {
    const { accessToken } = await signIn(service.url, email);
    const before = receiver.received.length;
    expect((await send(service, { ...owner, accessToken }, `POST /webhooks/${id}/test`)).body).toMatchObject({
      delivered: true,
    });
    const { headers, text } = receiver.received[before] as (typeof receiver.received)[0];
    return Boolean(new Webhook(secret).verify(text, headers as Record<string, string>));
  };
  let stored = await sealed();
  for (const command of [
    ['rotate', 'encryption', '--now'],
    ['revoke', 'encryption'],
  ]) {
    await keys(...command);
    await expect.poll(sealed).not.toBe(stored);
    stored = await sealed();
    await expect.poll(signs).toBe(true);
  }
  // without a running service, revoking does it itself, and rotating with the next start
  await service.stop('SIGTERM');
  await keys('revoke', 'encryption');
  expect(await sealed()).not.toBe(stored);
  stored = await sealed();
  await keys('rotate', 'encryption', '--now');
  expect(await sealed()).toBe(stored);
  service = await start(env);
  await expect.poll(sealed).not.toBe(stored);
  expect(await signs()).toBe(true);
});
