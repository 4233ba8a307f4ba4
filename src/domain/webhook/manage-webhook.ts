import { randomUUIDv7 } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { z } from 'zod';
import type { EndpointAnswer } from '#endpoint-client';
import { parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import { type Command, command, forOwners, noFields } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { requireCurrentRole } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import { tables } from '../tables/tables.ts';
import { checkUrl, forOwnersAndKeys, webhookFields } from './create-webhook.ts';
import { signedHeaders } from './delivery.ts';
import { dropKinds, hurryDeliveries } from './delivery-jobs.ts';
import { Webhook } from './webhook.entity.ts';
import { addSecret, openKeys, sealedSecrets } from './webhook-secrets.ts';

/**
 * Locks a webhook of the organization, against other changes and against records of its deliveries.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN, ORGANIZATION_FORBIDDEN if the viewer is no longer an owner, INVALID_TOKEN
 * if it is a key that has ended
 */
export async function lockWebhook(tx: Transaction<MemberContext>, id: string): Promise<Webhook> {
  const webhook = await findLocked(tx, id, tx.membership.organizationId);
  // what a key may do here does not depend on its role
  await requireCurrentRole(tx, tx.viewer.key ? 'member' : 'owner');
  return webhook;
}

/** Like {@link lockWebhook}, without a check of the viewer. @throws DomainError NOT_FOUND */
export async function findLocked({ em }: Transaction, given: string, organizationId: string): Promise<Webhook> {
  const id = parseUuid(given);
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const webhook = id && (await em.findOne(Webhook, { id, organization_id: organizationId }, lock));
  if (!webhook) throw new DomainError('NOT_FOUND');
  return webhook;
}

const { url, kinds, description } = webhookFields;

const input = z.strictObject({
  url: url.optional(),
  kinds: kinds.optional(),
  description: description.optional(),
  status: z
    .enum(['active', 'paused'])
    .optional()
    .meta({ description: '`paused` stops sending; `active` goes on where it stopped.' }),
});

export const updateWebhook = command({
  name: 'updateWebhook',
  description:
    'Changes a webhook, pauses it, or makes it active again; absent fields keep their values. For owners; keys that run webhooks can send `status` alone.',
  object: 'webhook',
  ...forOwnersAndKeys,
  allow: ({ viewer }, sent) => {
    const allowed = viewer.key === null || Object.keys(sent).every((name) => name === 'status');
    if (!allowed) throw new DomainError('FORBIDDEN', { detail: 'API keys may change only `status`.' });
  },
  input,
  check: (ctx, sent) => checkUrl(ctx, sent),
  errors: ['NOT_FOUND'],
  run: async (tx, fields, { id: given }) => {
    const webhook = await lockWebhook(tx, given);
    await changeWebhook(tx, webhook, fields);
    return { id: webhook.id };
  },
});

/** Changes a locked webhook, with an audit entry if anything changes. */
export async function changeWebhook(tx: Transaction, webhook: Webhook, fields: z.output<typeof input>): Promise<void> {
  const { id, organization_id: organizationId } = webhook;
  const changed = (Object.keys(fields) as (keyof typeof fields)[]).filter(
    (name) => fields[name] !== undefined && String(fields[name]) !== String(webhook[name]),
  );
  if (changed.length === 0) return;
  const resumed = changed.includes('status') && fields.status === 'active';
  Object.assign(
    webhook,
    fields,
    changed.includes('status') ? { status_reason: null } : {},
    resumed ? { failing_since: null, warnings: 0, answering: true, unread: true } : {},
    changed.includes('kinds') ? { redirected_at: new Date().toISOString(), unread: true } : {},
  );
  await tx.em.flush();
  if (changed.includes('kinds')) await tx.db.run(dropKinds({ webhookId: id, kinds: webhook.kinds }));
  if (resumed) await tx.db.run(hurryDeliveries({ webhookId: id }));
  const actorId = tx.viewer?.userId ?? null;
  const detail = { fields: changed };
  await recordAudit(tx, { action: 'webhook.changed', organizationId, actorId, subjectId: id, detail });
  tx.afterCommit(() => {
    tx.services.changes.wake([organizationId]);
    tx.services.jobs.nudge('deliveries');
  });
}

export const deleteWebhook = command({
  name: 'deleteWebhook',
  description: 'Deletes a webhook with everything that waits, and its log; for owners.',
  object: 'webhook',
  ...forOwners,
  small: true,
  input: noFields,
  errors: ['NOT_FOUND'],
  run: async (tx, _input, { id: given }) => {
    const webhook = await lockWebhook(tx, given);
    const { id, organization_id: organizationId } = webhook;
    await tx.db.run(dropKinds({ webhookId: id, kinds: [] }));
    await tx.em.remove(webhook).flush();
    await recordAudit(tx, { action: 'webhook.deleted', organizationId, actorId: tx.viewer.userId, subjectId: id });
    return { id };
  },
});

export const rotateWebhookSecret = command({
  name: 'rotateWebhookSecret',
  description: 'Gives a webhook a new secret, shown only once; the old one also signs for 24 hours. For owners.',
  object: 'webhook',
  ...forOwners,
  small: true,
  secret: true,
  input: noFields,
  errors: ['NOT_FOUND'],
  run: async (tx, _input, { id: given }) => {
    const { id, organization_id: organizationId } = await lockWebhook(tx, given);
    const secret = await addSecret(tx, id);
    const actorId = tx.viewer.userId;
    await recordAudit(tx, { action: 'webhook.secret_changed', organizationId, actorId, subjectId: id });
    return { id, secret };
  },
});

export type WebhookTest = Pick<EndpointAnswer, 'delivered' | 'http_status' | 'duration_ms' | 'error'>;

/** Outside of transactions: the endpoint may take long. Not logged. */
export const testWebhook: Command<'organization', object, WebhookTest> = {
  name: 'testWebhook',
  description:
    'Sends a `ping` to a webhook now, whatever its status; for owners and keys that run webhooks. An operation may test one webhook.',
  object: 'webhook',
  ...forOwnersAndKeys,
  callsOut: true,
  input: noFields,
  errors: ['NOT_FOUND'],
  run: async (ctx, _input, { id }) => {
    const webhookId = parseUuid(id);
    const { organizationId } = ctx.membership;
    const target = webhookId && (await ctx.db.row(targetOf({ id: webhookId, organizationId })));
    if (!target) throw new DomainError('NOT_FOUND');
    const { sealer, sendToEndpoint } = ctx.services;
    await spend(ctx, { rule: 'webhook_tests', key: organizationId });
    const ping = randomUUIDv7();
    const body = JSON.stringify({ type: 'ping', timestamp: ctx.now.toISOString(), data: {} });
    const headers = signedHeaders(ping, body, openKeys(sealer, webhookId, target.secrets), new Date());
    const { delivered, http_status, duration_ms, error } = await sendToEndpoint({ url: target.url, headers, body });
    return { delivered, http_status, duration_ms, error };
  },
};

const targetOf = prepared((at: { id: string; organizationId: string }) =>
  tables
    .selectFrom('webhook as w')
    .select(['w.url', sealedSecrets(sql`w.id`).as('secrets')])
    .where('w.id', '=', at.id)
    .where('w.organization_id', '=', at.organizationId),
);
