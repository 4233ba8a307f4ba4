import { OneTimeToken } from './account/one-time-token.entity.ts';
import { AuditEntry } from './audit/audit-entry.entity.ts';
import { Event } from './event/event.entity.ts';
import { Invitation } from './invitation/invitation.entity.ts';
import { RateLimit } from './limits/rate-limit.entity.ts';
import { MailJob } from './mail/mail-job.entity.ts';
import { Membership } from './organization/membership.entity.ts';
import { Organization } from './organization/organization.entity.ts';
import { Session } from './session/session.entity.ts';
import { Subscription } from './subscription/subscription.entity.ts';
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
  MailJob,
  RateLimit,
  Invitation,
];
