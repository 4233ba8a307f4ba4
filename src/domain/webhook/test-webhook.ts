import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import { type Command, noFields } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { type EndpointAnswer, signedHeaders } from './delivery.ts';
import { openKeys, sealedSecrets } from './webhook-secrets.ts';

/** What came back from a test. */
export type WebhookTest = Pick<EndpointAnswer, 'delivered' | 'http_status' | 'duration_ms' | 'error'>;

/** It is in no log, and outside of any transaction: the endpoint may take its time. */
export const testWebhook: Command<'organization', object, WebhookTest> = {
  name: 'testWebhook',
  description: 'Sends a `ping` to a webhook now, whatever its status; for owners. An operation may test one webhook.',
  object: 'webhook',
  access: 'organization',
  role: 'owner',
  people: true,
  callsOut: true,
  input: noFields,
  errors: ['NOT_FOUND'],
  run: async (ctx, _input, { id }) => {
    const { url, secrets, webhookId } = await findTarget(ctx, id);
    const { sealer, sendToEndpoint } = ctx.services;
    await spend(ctx, { rule: 'webhook_tests', key: ctx.membership.organizationId });
    const ping = randomUUIDv7();
    const body = JSON.stringify({ type: 'ping', timestamp: ctx.now.toISOString(), data: {} });
    const headers = signedHeaders(ping, body, openKeys(sealer, webhookId, secrets), new Date());
    const { delivered, http_status, duration_ms, error } = await sendToEndpoint({ url, headers, body });
    return { delivered, http_status, duration_ms, error };
  },
};

async function findTarget({ db, membership }: MemberContext, given: string) {
  const id = parseUuid(given);
  const target =
    id &&
    (await db.row<{ url: string; secrets: string[] }>(sql`select w.url, ${sealedSecrets(sql`w.id`)} as secrets
        from webhook w where w.id = ${id}::uuid and w.organization_id = ${membership.organizationId}::uuid`));
  if (!target) throw new DomainError('NOT_FOUND');
  return { ...target, webhookId: id };
}
