import { randomUUIDv7 } from 'node:crypto';
import type { InferEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import { z } from 'zod';
import { displayName, emailAddress, mailboxOf } from '#input-values';
import { prepared } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { type Transaction, transaction } from '../../engine/transaction.ts';
import { DomainError, type ErrorCode, faults, type Issue } from '../../kernel/errors.ts';
import { checkInput } from '../../kernel/input/parse-input.ts';
import { networkKeys } from '../../kernel/limits/client-network.ts';
import { pick } from '../../kernel/objects.ts';
import type { Form } from '../event/event-form.ts';
import type { Availability } from '../event/event-moment.ts';
import { queueMail } from '../mail/mail.ts';
import { findPublicEvent, publicFormLoader } from '../public/public-events.ts';
import { type PublicContext, publicOrganization } from '../public/public-scope.ts';
import { answersFields, checkAnswers, type KeptAnswers, requireFormVersion } from '../subscription/answers.ts';
import { tables } from '../tables/tables.ts';
import { guestMail, requestHours } from './guest-mail.ts';
import type { GuestRequest } from './guest-request.table.ts';

export const guestRequestInput = z.strictObject({
  name: displayName.meta({ description: 'Name of the person who subscribes, 1 to 200 characters.' }),
  email: emailAddress.meta({ description: 'The address that the mail with the confirmation link is sent to.' }),
  ...answersFields,
});

type Asked = z.output<typeof guestRequestInput>;

const refusals: Partial<Record<Availability, ErrorCode>> = { closed: 'REGISTRATION_CLOSED', full: 'EVENT_FULL' };

type NewRequest = Omit<InferEntity<typeof GuestRequest>, 'answers'> & { answers: string | null };
const given = ['id', 'event_id', 'mailbox', 'email', 'name', 'form_version'] as const;

// prepared, so that the text has no values, which PostgreSQL would log if it failed
const insertRequest = prepared((at: Pick<NewRequest, (typeof given)[number] | 'answers'>) =>
  tables.insertInto('guest_request').values({
    ...pick(at, given),
    answers: sql`${at.answers}::jsonb`,
    created_at: sql`clock_timestamp()`,
    expires_at: sql`now() + make_interval(hours => ${sql.lit(requestHours)})`,
  }),
);

/**
 * Requests a mail with a link that confirms a subscription. The owner of the address is looked up only when the mail is
 * composed, so that neither the response nor its duration reveals it (note 0043).
 * @throws DomainError VALIDATION_ERROR, NOT_FOUND, CONFLICT at `/form_version`, REGISTRATION_CLOSED, EVENT_FULL
 */
export async function requestGuestSubscription(ctx: PublicContext, idOrSlug: string, sent: unknown): Promise<void> {
  const event = await findPublicEvent(ctx, { id: idOrSlug, slug: idOrSlug }, ['availability']);
  const form = event && (await publicFormLoader(ctx).load(event.id));
  const { fields, kept } = check(sent, form);
  if (!event || !form) throw new DomainError('NOT_FOUND');
  const refusal = refusals[event.availability];
  if (refusal) throw new DomainError(refusal);
  // over the limit: same response, no mail
  if (!(await ctx.services.limits.tryTake(...networkKeys('guest_network', ctx.client.ip)))) return;
  const write = async (tx: Transaction) => {
    const requestId = randomUUIDv7();
    const { name, email } = fields;
    const { answers, form_version } = kept;
    await tx.db.run(
      insertRequest({
        ...{ id: requestId, event_id: event.id, mailbox: mailboxOf(email), email, name },
        ...{ answers: answers && JSON.stringify(answers), form_version },
      }),
    );
    await queueMail(tx, guestMail, { requestId }, publicOrganization(ctx));
  };
  await transaction<Context, void>(ctx, write, [{ kind: 'event', id: event.id }]);
}

/** Checks the version of the form first, then reports all issues at once, including those of the answers. */
function check(sent: unknown, form: Form | null): { fields: Asked; kept: KeptAnswers } {
  const checked = checkInput(guestRequestInput, sent);
  const issues: Issue[] = 'issues' in checked ? [...checked.issues] : [];
  if (form && 'value' in checked) requireFormVersion(form, checked.value);
  const answers = answersFields.answers.safeParse((sent as { answers?: unknown } | null)?.answers);
  const answered = form && answers.success ? checkAnswers(form, { answers: answers.data }, { complete: true }) : null;
  if (answered && 'issues' in answered) issues.push(...answered.issues);
  if ('issues' in checked || issues.length > 0) throw faults('VALIDATION_ERROR', issues);
  const kept = answered && 'kept' in answered ? answered.kept : { answers: null, form_version: null };
  return { fields: checked.value, kept };
}
