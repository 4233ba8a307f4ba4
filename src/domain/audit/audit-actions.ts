/** What each action means; they are named `noun.past_participle` (reference/audit-trail.md#audit-trail). */
export const auditActionMeanings = {
  'api_key.changed': 'An API key was renamed.',
  'api_key.created': 'An API key was created.',
  'api_key.ended': 'An API key was ended.',
  'calendar.ended': 'A secret calendar address was ended.',
  'calendar.renewed': 'A secret calendar address was created or replaced.',
  'event.changed': 'An event or its form was changed.',
  'event.created': 'An event was created.',
  'event.deleted': 'An event was deleted.',
  'events.exported': 'The events were exported.',
  'invitation.accepted': 'An invitation was accepted.',
  'invitation.created': 'Somebody was invited.',
  'invitation.revoked': 'An invitation was revoked.',
  'keys.revoked': 'The operator revoked secrets, which ended sessions.',
  'member.joined': 'Somebody joined the organization by signing up.',
  'member.left': 'A member left the organization.',
  'member.removed': 'A member was removed from the organization.',
  'member.role_changed': 'The role of a member was changed.',
  'organization.changed': 'The organization was changed.',
  'organization.created': 'The organization was created.',
  'organization.exported': 'The organization was exported.',
  'password.changed': 'A password was changed.',
  'password.refused': 'A change was refused because of a wrong password.',
  'profile.changed': 'A profile was changed.',
  'session.ended': 'A session was ended.',
  'session.refresh_reused': 'A refresh token was used twice, which ended the session.',
  'session.refused': 'A sign-in was refused.',
  'session.started': 'Somebody signed in.',
  'subscriptions.created': 'People were subscribed to an event in one request.',
  'subscriptions.exported': 'The subscriptions of an event were exported.',
  'user.erased': 'An account was erased.',
  'user.exported': 'A person exported their own data.',
  'user.password_reset': 'A password was reset.',
  'user.password_reset_requested': 'A mail to reset a password was requested.',
  'user.signed_up': 'Somebody signed up.',
  'user.signup_refused': 'Somebody tried to sign up with a taken address.',
  'user.verification_requested': 'Another mail to verify an address was requested.',
  'user.verified': 'An address was verified.',
  'webhook.changed': 'A webhook was changed.',
  'webhook.created': 'A webhook was created.',
  'webhook.deleted': 'A webhook was deleted.',
  'webhook.disabled': 'A webhook was disabled by failures.',
  'webhook.replayed': 'A webhook was moved back in the log of changes.',
  'webhook.secret_changed': 'A webhook got a new secret.',
};

export type AuditAction = keyof typeof auditActionMeanings;
export const auditActions = Object.keys(auditActionMeanings) as AuditAction[];

/** The noun of an entry's subject; by default the user whom the action concerns. */
export function subjectNoun(action: AuditAction): 'event' | 'api_key' | 'webhook' | 'user' {
  if (action.startsWith('event.') || action.startsWith('subscriptions.')) return 'event';
  if (action.startsWith('api_key.')) return 'api_key';
  return action.startsWith('webhook.') ? 'webhook' : 'user';
}
