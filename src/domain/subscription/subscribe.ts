import { z } from 'zod';
import { parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import { command } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import { answers, type Transaction } from '../../engine/transaction.ts';
import { DomainError, faults, type Issue } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/request.ts';
import { proven, requireStillManager } from '../access/memberships.ts';
import { currentForm } from '../event/event-form.ts';
import { lockEventPlaces } from '../event/lock-event.ts';
import { answersFields, furtherAnswerIssues, requireAnswers } from './answers.ts';
import { findOthers, makeSubscription } from './new-subscription.ts';
import { liveStatuses } from './subscription.state.ts';

export const subscribeFields = {
  user_id: z
    .string()
    .refine((value) => parseUuid(value) !== null, 'Must be the id of a member.')
    .optional()
    .meta({ noun: 'user', description: 'The user to subscribe, for managers; the viewer if absent.' }),
  status: z
    .enum(liveStatuses)
    .optional()
    .meta({ description: "The initial status, for managers; if absent, the event's registration decides." }),
  ...answersFields,
};

const input = z.strictObject({
  ...subscribeFields,
  notify: z.boolean().optional().meta({ description: 'For managers: whether the holder gets a mail; true if absent.' }),
});

type Tx = Transaction<MemberContext>;

/** If several errors apply: ALREADY_SUBSCRIBED, SUBSCRIPTION_DECLINED, REGISTRATION_CLOSED, EVENT_FULL, in this order. */
export const subscribe = command({
  name: 'subscribe',
  description: 'Subscribes the viewer to an event; managers can subscribe any member.',
  object: 'event',
  large: true,
  access: 'organization',
  input,
  errors: [
    'FORBIDDEN',
    'NOT_FOUND',
    'ALREADY_SUBSCRIBED',
    'SUBSCRIPTION_DECLINED',
    'REGISTRATION_CLOSED',
    'EVENT_FULL',
    'CONFLICT',
  ],
  allow: (ctx, sent) => {
    const isSelf = sent.user_id === undefined || parseUuid(sent.user_id) === ctx.viewer.userId;
    // a key is nobody who could attend
    if (ctx.viewer.key && isSelf) {
      throw new DomainError('FORBIDDEN', { detail: 'An API key can subscribe members, not itself.' });
    }
    if (isManager(ctx.membership)) return;
    if (!isSelf || sent.status !== undefined || sent.notify !== undefined) throw new DomainError('FORBIDDEN');
  },
  check: async (ctx, sent, { id: eventId }, isSound) => {
    const id = parseUuid(sent.user_id);
    const known = id === null || id === ctx.viewer.userId || (await findMember(ctx, id)) !== undefined;
    const complete = id === null || id === ctx.viewer.userId;
    return [
      ...(known ? [] : [unknownUser]),
      ...(isSound && known ? [] : await furtherAnswerIssues(ctx, sent, { eventId: parseUuid(eventId), complete })),
    ];
  },
  run: async (tx, fields, { id }) => {
    const userId = parseUuid(fields.user_id) ?? tx.viewer.userId;
    const eventId = parseUuid(id);
    if (eventId === null) throw new DomainError('NOT_FOUND');
    // in this order, so that statements after the lock see everything committed before it
    const manages = fields.user_id !== undefined || fields.status !== undefined;
    const [, event, form, others] = await answers(
      lockMember(tx, userId),
      lockEventPlaces(tx, eventId),
      currentForm(tx.db, eventId),
      findOthers(tx, eventId, userId),
      ...(manages ? [requireStillManager(tx)] : []),
    );
    const kept = requireAnswers(form, fields, { complete: userId === tx.viewer.userId });
    const { status, notify = true } = fields;
    const named = fields.user_id !== undefined && isManager(tx.membership);
    const wanted = { ...kept, user_id: userId, named, status, notify };
    return await makeSubscription(tx, event, others, wanted, { isLast: true });
  },
});

export const unknownUser: Issue = {
  pointer: '/user_id',
  code: 'VALIDATION_ERROR',
  detail: 'Must be the id of a member whose address is verified.',
};

/** So that a concurrent end of the membership also cancels this subscription. */
async function lockMember(tx: Tx, userId: string): Promise<void> {
  if (await findMember(tx, userId, 'locked')) return;
  if (userId === tx.viewer.userId) throw new DomainError('ORGANIZATION_FORBIDDEN');
  throw faults('VALIDATION_ERROR', [unknownUser]);
}

const memberOf = (at: { userId: string; organizationId: string }) =>
  proven.select('m.id').where('m.organization_id', '=', at.organizationId).where('m.user_id', '=', at.userId);

const findings = {
  unlocked: prepared(memberOf),
  locked: prepared((at: Parameters<typeof memberOf>[0]) => memberOf(at).forKeyShare(['m', 'u'])),
  lockedAtOnce: prepared((at: Parameters<typeof memberOf>[0]) => memberOf(at).forKeyShare(['m', 'u']).skipLocked()),
};

/** Undefined unless the user is a verified member; a lock holds until the end of the transaction. */
export function findMember(
  { db, membership }: Pick<MemberContext, 'db' | 'membership'>,
  userId: string,
  lock: keyof typeof findings = 'unlocked',
): Promise<object | undefined> {
  return db.row(findings[lock]({ userId, organizationId: membership.organizationId }));
}
