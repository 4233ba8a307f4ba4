import { afterEach } from 'vitest';
import { logChange } from './log-change.ts';
import { type Respond, startedReceiver } from './receiver.ts';
import { createTeam, type TestServer } from './server.ts';
import { createWebhook, deliveriesOf } from './webhooks.ts';

/** Organizations with webhooks to receivers on this machine, which end with each test. */
export function webhookWorld(server: TestServer) {
  const execute = (statement: string, values: unknown[] = []) => server.orm.em.fork().execute(statement, values);

  afterEach(() => execute(`update webhook set status = 'paused'`));

  /** An organization with a webhook to a receiver that answers so. */
  async function subscriber(respond?: Respond, fields: Record<string, unknown> = {}, options?: { host: string }) {
    const target = await startedReceiver(respond, options);
    const { owner, organizationId } = await createTeam(server);
    const webhook = await createWebhook(server, owner, { url: target.url, ...fields });
    const log = (change?: Parameters<typeof logChange>[2]) => logChange(server, organizationId, change);
    return { target, owner, organizationId, webhook, log };
  }

  /** Writes many changes of different objects to the log of an organization. */
  const logMany = (organizationId: string, count: number) =>
    execute(
      `insert into change (organization_id, x, id, kind, op, object_id, occurred_at)
        select ?, pg_current_xact_id(), gen_random_uuid(), 'event', 'changed', gen_random_uuid(), clock_timestamp()
        from generate_series(1, ?::int)`,
      [organizationId, count],
    );

  /** Waits until two changes logged after this have reached another webhook: whatever was due before was sent, too. */
  async function laterDeliveries(): Promise<void> {
    const { owner, webhook, log } = await subscriber();
    for (let count = 1; count <= 2; count += 1) {
      await log();
      await deliveriesOf(server, owner, webhook, count);
    }
  }

  return { execute, receiver: startedReceiver, subscriber, logMany, laterDeliveries };
}

/** Answers with these statuses by turns, the last one for ever. */
export function statuses(...given: number[]): Respond {
  let index = 0;
  return (response) => void response.writeHead(given[Math.min(index++, given.length - 1)] as number).end();
}
