import type { Migration } from '@mikro-orm/migrations';
import { Initial } from './0001-initial.ts';
import { Accounts } from './0002-accounts.ts';
import { Organizations } from './0003-organizations.ts';
import { ShortNames } from './0004-short-names.ts';
import { NameCase } from './0005-name-case.ts';
import { UnprovenAccounts } from './0006-unproven-accounts.ts';
import { Invitations } from './0007-invitations.ts';
import { Retention } from './0007-retention.ts';
import { RetentionIndexes } from './0007-retention-indexes.ts';
import { Trail } from './0007-trail.ts';
import { TrailIndexes } from './0007-trail-indexes.ts';
import { Writing } from './0011-writing.ts';
import { WritingIndexes } from './0012-writing-indexes.ts';
import { EventForms } from './0013-event-forms.ts';
import { Guests } from './0014-guests.ts';
import { PublicRevisions } from './0014-public-revisions.ts';
import { Calendar } from './0015-calendar.ts';
import { FormerSlugRevisions } from './0016-former-slug-revisions.ts';
import { ArchivedCancellations } from './0017-archived-cancellations.ts';
import { MailOrder } from './0018-mail-order.ts';
import { MailOrderIndexes } from './0018-mail-order-indexes.ts';
import { FirstMails } from './0019-first-mails.ts';
import { FormContents } from './0020-form-contents.ts';
import { FormContentsIndexes } from './0020-form-contents-indexes.ts';
import { GuestColumns } from './0021-guest-columns.ts';
import { GuestNames } from './0021-guest-names.ts';
import { MailboxesIndexes } from './0021-mailboxes-indexes.ts';
import { MailboxesRequired } from './0021-mailboxes-required.ts';
import { MailBudgets } from './0022-mail-budgets.ts';
import { MailBudgetIndexes } from './0022-mail-budgets-indexes.ts';
import { AddressesOptional } from './0023-addresses-optional.ts';
import { ApiKeys } from './0023-api-keys.ts';
import { Changes } from './0024-changes.ts';
import { Webhooks } from './0025-webhooks.ts';
import { SubscriptionOrganization } from './0026-subscription-organization.ts';
import { SubscriptionOrganizationIndexes } from './0026-subscription-organization-indexes.ts';
import { Leaving } from './0027-leaving.ts';
import { LeavingIndexes } from './0027-leaving-indexes.ts';
import { OrganizationProfiles } from './0030-organization-profiles.ts';
import { LastWrites } from './0031-last-writes.ts';
import { SubscriptionOrganizationRequired } from './0032-subscription-organization-required.ts';
import { WebhookRuns } from './0033-webhook-runs.ts';
import { LogRestores } from './0035-log-restores.ts';
import { WebhookHeld } from './0036-webhook-held.ts';
import { OrganizationMoves } from './0038-organization-moves.ts';
import { WebhookTurns } from './0039-webhook-turns.ts';
import { NoOrganizationMoves } from './0040-no-organization-moves.ts';
import { AuditRequestsIndexes } from './0041-audit-requests-indexes.ts';
import { Makers } from './0042-makers.ts';
import { Jobs } from './0050-jobs.ts';

export interface MigrationEntry {
  name: string;
  class: new (...options: ConstructorParameters<typeof Migration>) => Migration;
}

/**
 * Every migration, oldest first. A list rather than a folder scan, so that only these run. A new index on an existing
 * table goes into an `IndexMigration` of its own (note 0028).
 */
export const migrations: MigrationEntry[] = [
  { name: '0001-initial', class: Initial },
  { name: '0002-accounts', class: Accounts },
  { name: '0003-organizations', class: Organizations },
  { name: '0004-short-names', class: ShortNames },
  { name: '0005-name-case', class: NameCase },
  { name: '0006-unproven-accounts', class: UnprovenAccounts },
  { name: '0007-invitations', class: Invitations },
  { name: '0007-retention', class: Retention },
  { name: '0007-retention-indexes', class: RetentionIndexes },
  { name: '0007-trail', class: Trail },
  { name: '0007-trail-indexes', class: TrailIndexes },
  { name: '0011-writing', class: Writing },
  { name: '0012-writing-indexes', class: WritingIndexes },
  { name: '0013-event-forms', class: EventForms },
  { name: '0014-guests', class: Guests },
  { name: '0014-public-revisions', class: PublicRevisions },
  { name: '0015-calendar', class: Calendar },
  { name: '0016-former-slug-revisions', class: FormerSlugRevisions },
  { name: '0017-archived-cancellations', class: ArchivedCancellations },
  { name: '0018-mail-order', class: MailOrder },
  { name: '0018-mail-order-indexes', class: MailOrderIndexes },
  { name: '0019-first-mails', class: FirstMails },
  { name: '0020-form-contents', class: FormContents },
  { name: '0020-form-contents-indexes', class: FormContentsIndexes },
  { name: '0021-guest-columns', class: GuestColumns },
  { name: '0021-guest-names', class: GuestNames },
  { name: '0021-mailboxes-indexes', class: MailboxesIndexes },
  { name: '0021-mailboxes-required', class: MailboxesRequired },
  { name: '0022-mail-budgets', class: MailBudgets },
  { name: '0022-mail-budgets-indexes', class: MailBudgetIndexes },
  { name: '0023-addresses-optional', class: AddressesOptional },
  { name: '0023-api-keys', class: ApiKeys },
  { name: '0024-changes', class: Changes },
  { name: '0025-webhooks', class: Webhooks },
  { name: '0026-subscription-organization', class: SubscriptionOrganization },
  { name: '0026-subscription-organization-indexes', class: SubscriptionOrganizationIndexes },
  { name: '0027-leaving', class: Leaving },
  { name: '0027-leaving-indexes', class: LeavingIndexes },
  { name: '0030-organization-profiles', class: OrganizationProfiles },
  { name: '0031-last-writes', class: LastWrites },
  { name: '0032-subscription-organization-required', class: SubscriptionOrganizationRequired },
  { name: '0033-webhook-runs', class: WebhookRuns },
  { name: '0035-log-restores', class: LogRestores },
  { name: '0036-webhook-held', class: WebhookHeld },
  { name: '0038-organization-moves', class: OrganizationMoves },
  { name: '0039-webhook-turns', class: WebhookTurns },
  { name: '0040-no-organization-moves', class: NoOrganizationMoves },
  { name: '0041-audit-requests-indexes', class: AuditRequestsIndexes },
  { name: '0042-makers', class: Makers },
  { name: '0050-jobs', class: Jobs },
];
