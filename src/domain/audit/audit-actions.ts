/** Named `noun.past_participle` (reference/audit-trail.md#audit-trail). */
export const auditActions = [
  'api_key.changed',
  'api_key.created',
  'api_key.ended',
  'calendar.ended',
  'calendar.renewed',
  'event.changed',
  'event.created',
  'event.deleted',
  'events.exported',
  'invitation.accepted',
  'invitation.created',
  'invitation.revoked',
  'keys.revoked',
  'member.joined',
  'member.left',
  'member.removed',
  'member.role_changed',
  'organization.changed',
  'organization.created',
  'organization.exported',
  'password.changed',
  'password.refused',
  'profile.changed',
  'session.ended',
  'session.refresh_reused',
  'session.refused',
  'session.started',
  'subscriptions.created',
  'subscriptions.exported',
  'user.erased',
  'user.exported',
  'user.password_reset',
  'user.password_reset_requested',
  'user.signed_up',
  'user.signup_refused',
  'user.verification_requested',
  'user.verified',
  'webhook.changed',
  'webhook.created',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.replayed',
  'webhook.secret_changed',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** The noun of an entry's subject; by default the user whom the action concerns. */
export function subjectNoun(action: AuditAction): 'event' | 'api_key' | 'webhook' | 'user' {
  if (action.startsWith('event.') || action.startsWith('subscriptions.')) return 'event';
  if (action.startsWith('api_key.')) return 'api_key';
  return action.startsWith('webhook.') ? 'webhook' : 'user';
}
