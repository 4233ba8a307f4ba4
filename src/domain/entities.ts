import { IdempotencyKey } from '../engine/idempotency/idempotency-key.table.ts';
import { Job } from '../engine/jobs/job.table.ts';
import { LastWrite } from '../engine/last-write.table.ts';
import { RateLimit } from '../engine/rate-limit.table.ts';
import { OneTimeToken } from './account/one-time-token.table.ts';
import { PendingSignUpSchema } from './account/pending-sign-up.entity.ts';
import { ApiKeySchema } from './api-key/api-key.entity.ts';
import { AuditEntry } from './audit/audit-entry.table.ts';
import { CalendarFeedSchema } from './calendar/calendar-feed.entity.ts';
import { Change, ChangeFloor, LogRestore } from './change/change.table.ts';
import { EventSchema } from './event/event.entity.ts';
import { EventChangeNotice } from './event/event-change-notice.table.ts';
import { EventSlug } from './event/event-slug.table.ts';
import { FormVersion } from './event/form-version.table.ts';
import { FormContent } from './form/form-content.table.ts';
import { GuestLink } from './guest/guest-link.table.ts';
import { GuestRequest } from './guest/guest-request.table.ts';
import { InvitationSchema } from './invitation/invitation.entity.ts';
import { FormerMembership } from './organization/former-membership.table.ts';
import { MembershipSchema } from './organization/membership.entity.ts';
import { OrganizationSchema } from './organization/organization.entity.ts';
import { PublicRevision } from './public/public-revision.table.ts';
import { Session } from './session/session.table.ts';
import { SubscriptionSchema } from './subscription/subscription.entity.ts';
import { SubscriptionChange } from './subscription/subscription-change.table.ts';
import { UserSchema } from './user/user.entity.ts';
import { WebhookDelivery, WebhookSchema, WebhookSecret } from './webhook/webhook.entity.ts';

/** Every entity, in the order in which foreign keys allow rows to be written. */
export const entities = [
  OrganizationSchema,
  UserSchema,
  MembershipSchema,
  Session,
  EventSchema,
  SubscriptionSchema,
  AuditEntry,
  OneTimeToken,
  PendingSignUpSchema,
  Job,
  RateLimit,
  InvitationSchema,
  FormerMembership,
  EventSlug,
  FormContent,
  FormVersion,
  PublicRevision,
  GuestRequest,
  GuestLink,
  EventChangeNotice,
  SubscriptionChange,
  IdempotencyKey,
  LastWrite,
  CalendarFeedSchema,
  ApiKeySchema,
  Change,
  ChangeFloor,
  LogRestore,
  WebhookSchema,
  WebhookSecret,
  WebhookDelivery,
];
