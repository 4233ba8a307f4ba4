import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { parseUuid } from '#input-values';
import { command } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError, fault } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/request.ts';
import { recordSubscriptionChange } from '../change/change-log.ts';
import type { Event } from '../event/event.entity.ts';
import { currentForm } from '../event/event-form.ts';
import { hasEnded } from '../event/event-moment.ts';
import { answersFields, furtherAnswerIssues, type KeptAnswers, requireAnswers, requireFormVersion } from './answers.ts';
import { lockSubscription } from './lock-subscription.ts';
import { moveSubscription } from './move-subscription.ts';
import { type Subscription, subscriptionStatuses } from './subscription.entity.ts';
import { describedMoves, isLive } from './subscription.state.ts';
import { subscriptionLoader, subscriptionRow } from './subscription.ts';

const input = z.strictObject({
  status: z
    .enum(subscriptionStatuses)
    .optional()
    .meta({ description: `The new status. ${describedMoves}` }),
  ...answersFields,
  notify: z.boolean().optional().meta({ description: 'For managers: whether the holder gets a mail; true if absent.' }),
});

type Fields = z.output<typeof input>;

/**
 * The holder can cancel a subscription until the event ends; managers follow the table in `subscription.state.ts`. Setting the
 * current status changes nothing (reference/subscriptions.md#changing).
 */
export const updateSubscription = command({
  name: 'updateSubscription',
  description: 'Changes the status of a subscription, or replaces its answers; holders can cancel their own.',
  object: 'subscription',
  large: true,
  access: 'organization',
  input,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_TRANSITION', 'ALREADY_SUBSCRIBED', 'EVENT_FULL', 'CONFLICT'],
  allow: (ctx, sent) => {
    if (!isManager(ctx.membership) && sent.notify !== undefined) throw new DomainError('FORBIDDEN');
  },
  check: async (ctx, sent, { id }, isSound) => {
    const uuid = parseUuid(id);
    if (isSound || sent.answers === undefined || uuid === null) return [];
    const found = await subscriptionLoader(ctx, ['event_id', 'user_id']).load(uuid);
    const form = { eventId: found?.event_id ?? null, complete: found?.user_id === ctx.viewer.userId };
    return await furtherAnswerIssues(ctx, sent, form);
  },
  run: async (tx, fields, call) => {
    const { event, subscription } = await lockSubscription(tx, call, {
      populate: fields.answers === undefined ? [] : ['answers'],
    });
    const kept = await readAnswers(tx, event, fields, { complete: subscription.user_id === tx.viewer.userId });
    if (kept) requireAnswerable(tx, event, subscription);
    if (kept && !isSame(kept, subscription)) {
      Object.assign(subscription, kept);
      recordSubscriptionChange(tx, event, { op: 'changed', subscription, actorId: tx.viewer.userId, accepted: 0 });
    }
    await tx.em.flush();
    if (fields.status !== undefined) {
      await moveSubscription(tx, event, subscription, { status: fields.status, notify: fields.notify ?? true });
    }
    return await subscriptionRow(tx, subscription.id);
  },
});

/** @throws DomainError INVALID_TRANSITION at `/answers` */
export function requireAnswerable(
  { membership, now }: Pick<MemberContext, 'membership' | 'now'>,
  event: Pick<Event, 'date_end'>,
  { status }: Pick<Subscription, 'status'>,
): void {
  if (isManager(membership) || (isLive(status) && !hasEnded(event, now))) return;
  const detail = 'Answers can be changed only while the subscription is live and the event is not over.';
  throw fault('INVALID_TRANSITION', '/answers', detail);
}

/** In any order of keys: PostgreSQL stores them in its own. */
function isSame({ answers, form_version }: KeptAnswers, subscription: Subscription): boolean {
  return form_version === subscription.form_version && isDeepStrictEqual(answers, subscription.answers);
}

async function readAnswers(
  tx: Transaction<MemberContext>,
  event: Event,
  fields: Fields,
  options: { complete: boolean },
): Promise<KeptAnswers | null> {
  if (fields.answers === undefined && fields.form_version === undefined) return null;
  const form = await currentForm(tx.db, event.id);
  if (fields.answers !== undefined) return requireAnswers(form, fields, options);
  requireFormVersion(form, fields);
  return null;
}
