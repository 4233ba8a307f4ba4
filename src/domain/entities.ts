import { IdempotencyKey } from '../engine/idempotency/idempotency-key.entity.ts';
import { RateLimit } from '../kernel/limits/rate-limit.entity.ts';
import { OneTimeToken } from './account/one-time-token.entity.ts';
import { PendingSignUp } from './account/pending-sign-up.entity.ts';
import { AuditEntry } from './audit/audit-entry.entity.ts';
import { CalendarFeed } from './calendar/calendar-feed.entity.ts';
import { Event } from './event/event.entity.ts';
import { EventChangeNotice } from './event/event-change-notice.entity.ts';
import { EventSlug } from './event/event-slug.entity.ts';
import { FormVersion } from './event/form-version.entity.ts';
import { NoticeFanOut } from './event/notice-fan-out.entity.ts';
import { FormContent } from './form/form-content.entity.ts';
import { GuestLink } from './guest/guest-link.entity.ts';
import { GuestRequest } from './guest/guest-request.entity.ts';
import { Invitation } from './invitation/invitation.entity.ts';
import { MailJob } from './mail/mail-job.entity.ts';
import { FormerMembership } from './organization/former-membership.entity.ts';
import { Membership } from './organization/membership.entity.ts';
import { Organization } from './organization/organization.entity.ts';
import { PublicRevision } from './public/public-revision.entity.ts';
import { Session } from './session/session.entity.ts';
import { Subscription } from './subscription/subscription.entity.ts';
import { SubscriptionChange } from './subscription/subscription-change.entity.ts';
import { User } from './user/user.entity.ts';

/** Every entity, in the order in which foreign keys allow rows to be written. */
export const entities = [
  Organization,
  User,
  Membership,
  Session,
  Event,
  Subscription,
  AuditEntry,
  OneTimeToken,
  PendingSignUp,
  MailJob,
  RateLimit,
  Invitation,
  FormerMembership,
  EventSlug,
  FormContent,
  FormVersion,
  PublicRevision,
  GuestRequest,
  GuestLink,
  EventChangeNotice,
  NoticeFanOut,
  SubscriptionChange,
  IdempotencyKey,
  CalendarFeed,
];
