import { z } from 'zod';
import { distinct, list, parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import { command, forManagers } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import { answers, type Transaction } from '../../engine/transaction.ts';
import { DomainError, faults, type Issue } from '../../kernel/errors.ts';
import { proven, requireStillManager } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import { currentForm, type Form } from '../event/event-form.ts';
import { lockEventPlaces } from '../event/lock-event.ts';
import { anyOf } from '../tables/tables.ts';
import { answerIssues, requireAnswers } from './answers.ts';
import { findOthers, makeSubscription } from './new-subscription.ts';
import { subscribe, subscribeFields, unknownUser } from './subscribe.ts';
import { subscriptionColumns } from './subscription.resource.ts';
import { findSubscriptions } from './subscription.ts';

export const maxItems = 100;

/** How many items count as one write. */
const itemsPerWrite = 10;

export const subscribedUser = z.strictObject({
  ...subscribeFields,
  user_id: subscribeFields.user_id.unwrap().meta({ noun: 'user', description: 'The member to subscribe.' }),
});

type Item = z.output<typeof subscribedUser>;

const input = z.strictObject({
  items: list(
    subscribedUser,
    {
      min: { items: 1, message: 'Must name at least one user.' },
      max: { items: maxItems, message: `Must name at most ${maxItems} users.` },
    },
    distinct({
      keyOf: ({ user_id }) => parseUuid(user_id),
      path: 'user_id',
      message: 'Must not repeat an earlier user.',
    }),
  ).meta({ description: '1 to 100 subscriptions, of different users.' }),
  notify: z.boolean().optional().meta({ description: 'Whether the holders get a mail; true if absent.' }),
});

/** Why an item was refused; `errors` are about its values. */
export interface BulkIssue extends Issue {
  errors?: Issue[];
}

type Tx = Transaction<MemberContext>;

/** Each independently, in the given order (reference/subscriptions.md#many-at-once). */
export const subscribeUsers = command({
  name: 'subscribeUsers',
  description: 'Subscribes up to 100 members to an event, each independently; for managers and owners.',
  object: 'event',
  large: true,
  ...forManagers,
  input,
  errors: ['NOT_FOUND'],
  writes: ({ items }) =>
    Array.isArray(items) ? Math.max(1, Math.ceil(Math.min(items.length, maxItems) / itemsPerWrite)) : 1,
  run: async (tx, { items, notify = true }, { id }) => {
    const eventId = parseUuid(id);
    if (eventId === null) throw new DomainError('NOT_FOUND');
    // in this order (note 0035)
    const [members, , form] = await answers(
      lockMembers(tx, items),
      lockEventPlaces(tx, eventId),
      currentForm(tx.db, eventId),
      requireStillManager(tx),
    );
    const made: string[] = [];
    const errors: BulkIssue[] = [];
    for (const [index, item] of items.entries()) {
      try {
        made.push(await subscribeOne(tx, { eventId, form, members, notify }, item));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        errors.push(issueAt(`/items/${index}`, error));
      }
    }
    await recordAudit(tx, {
      action: 'subscriptions.created',
      organizationId: tx.membership.organizationId,
      actorId: tx.viewer.userId,
      subjectId: eventId,
      detail: { created: made.length, failed: errors.length },
    });
    const rows = new Map((await findSubscriptions(tx, made, subscriptionColumns)).map((each) => [each.id, each]));
    return { event_id: eventId, items: made.flatMap((each) => rows.get(each) ?? []), errors };
  },
});

interface Common {
  eventId: string;
  form: Form;
  members: ReadonlySet<string>;
  notify: boolean;
}

/** Checks everything before it writes, so that a refusal does not affect the others. */
async function subscribeOne(tx: Tx, { eventId, form, members, notify }: Common, item: Item): Promise<string> {
  const userId = parseUuid(item.user_id) as string;
  const options = { complete: userId === tx.viewer.userId };
  subscribe.allow?.(tx, item);
  if (!members.has(userId)) throw faults('VALIDATION_ERROR', [unknownUser, ...answerIssues(form, item, options)]);
  const kept = requireAnswers(form, item, options);
  // again: the items before it may have taken places
  const [event, others] = await answers(lockEventPlaces(tx, eventId), findOthers(tx, eventId, userId));
  const wanted = { ...kept, user_id: userId, named: true, status: item.status, notify };
  return (await makeSubscription(tx, event, others, wanted)).id;
}

function issueAt(pointer: string, { code, detail, message, issues }: DomainError): BulkIssue {
  const errors = issues?.map((issue) => ({ ...issue, pointer: pointer + issue.pointer }));
  return { pointer, code, detail: detail ?? message, ...(errors && { errors }) };
}

const lockMembersOf = prepared((at: { userIds: readonly string[]; organizationId: string }) =>
  proven
    .select('m.user_id')
    .where('m.organization_id', '=', at.organizationId)
    .where('m.user_id', '=', anyOf(at.userIds))
    .orderBy('m.user_id')
    .forKeyShare(['m', 'u']),
);

/** Of the users, those who are verified members, as {@link findMember} locks one. */
async function lockMembers({ db, membership }: Tx, items: readonly Item[]): Promise<Set<string>> {
  const userIds = items.map(({ user_id }) => parseUuid(user_id) as string);
  const members = await db.rows(lockMembersOf({ userIds, organizationId: membership.organizationId }));
  return new Set(members.map(({ user_id }) => user_id));
}
