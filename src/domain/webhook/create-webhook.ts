import { z } from 'zod';
import { entryThatAllows, targetFault } from '#endpoint-client';
import { hasAtMost, list, text } from '#input-values';
import { command, forOwners, wasRead } from '../../engine/command.ts';
import type { Context, MemberContext } from '../../engine/context.ts';
import { DomainError, type Issue } from '../../kernel/errors.ts';
import { recordAudit } from '../audit/audit.ts';
import { changeKinds } from '../change/change.table.ts';
import { changeBeginnings } from '../change/changes.ts';
import { placeAtEnd } from '../change/read-changes.ts';
import { lockMembers } from '../organization/lock.ts';
import { Webhook } from './webhook.entity.ts';
import { addSecret } from './webhook-secrets.ts';

const longestUrl = 2_000;
const longestDescription = 500;

/** The fields that creating and changing have in common. */
export const webhookFields = {
  url: text
    .refine((value) => hasAtMost(value, longestUrl), `Must have at most ${longestUrl} characters.`)
    .meta({ maxLength: longestUrl, description: 'Where changes are sent: an absolute https URL.' }),
  kinds: list(z.enum(changeKinds), {
    min: { items: 1, message: 'Must name at least one kind.' },
    max: { items: changeKinds.length, message: `Must name at most ${changeKinds.length} kinds.` },
  })
    .refine((kinds) => new Set(kinds).size === kinds.length, 'Must not name a kind twice.')
    .meta({ description: 'The kinds of changes that are sent.' }),
  description: text
    .refine((value) => hasAtMost(value, longestDescription), `Must have at most ${longestDescription} characters.`)
    .meta({ maxLength: longestDescription, description: 'Its purpose.' }),
};

export async function checkUrl(ctx: Context, { url }: Readonly<Record<string, unknown>>): Promise<Issue[]> {
  if (typeof url !== 'string' || !hasAtMost(url, longestUrl)) return [];
  const { allowedTargets, settings } = ctx.services;
  const fault = targetFault(url, allowedTargets);
  if (fault === null) return [];
  const entry = settings.namesVariables ? entryThatAllows(url) : null;
  const detail = entry ? `${fault} To allow it here, start the service with WEBHOOK_ALLOW=${entry}.` : fault;
  return [{ pointer: '/url', code: 'VALIDATION_ERROR', detail }];
}

/** Owners, and keys that were made for it (reference/api-keys.md#webhooks). */
export const forOwnersAndKeys = { ...forOwners, keys: 'webhooks' } as const;

const most = 20;

const input = z.strictObject({
  url: webhookFields.url,
  kinds: webhookFields.kinds.default([...changeKinds]).meta({ description: 'The kinds of changes; all if absent.' }),
  description: webhookFields.description.default('').meta({ description: 'Its purpose.' }),
  since: z
    .enum(changeBeginnings)
    .default('now')
    .meta({ description: 'Where to begin: with what changes from now on, or with everything that is kept.' }),
});

/** Read before the transaction: one with a number cannot read the end of the log (note 0058). */
const readEnd = ({ db, membership, now }: MemberContext) => placeAtEnd(db, membership.organizationId, now);

export const createWebhook = command({
  name: 'createWebhook',
  description:
    'Creates a webhook, to which changes of the organization are sent; for owners. Shows its secret only once.',
  ...forOwners,
  secret: true,
  input,
  check: (ctx, sent) => checkUrl(ctx, sent),
  ahead: readEnd,
  errors: ['CONFLICT'],
  run: async (tx, { since, ...fields }) => {
    await lockMembers(tx, 'owner');
    const { organizationId } = tx.membership;
    const actorId = tx.viewer.userId;
    if ((await tx.em.count(Webhook, { organization_id: organizationId })) >= most)
      throw new DomainError('CONFLICT', { detail: `An organization has at most ${most} webhooks.` });
    const place = since === 'start' ? null : wasRead(tx, readEnd);
    const webhook = tx.em.create(Webhook, {
      ...{ ...fields, organization_id: organizationId, created_by: actorId, place },
      ...{ status: 'active', status_reason: null, replay_to: null },
      ...{ last_success_at: null, last_failure_at: null, failing_since: null },
    });
    await tx.em.persist(webhook).flush();
    const { id } = webhook;
    const secret = await addSecret(tx, id);
    await recordAudit(tx, { action: 'webhook.created', organizationId, actorId, subjectId: id });
    tx.afterCommit(() => tx.services.changes.wake([organizationId]));
    return { id, secret };
  },
});
