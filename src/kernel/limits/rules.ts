const minute = 60;

/**
 * Each key has `points` per `duration` seconds, counted from its first use
 * (interface/sign-in.md#limits-of-sign-in).
 */
export const rules = {
  /** Failed sign-ins of one account from one network. */
  login_account: { points: 10, duration: 15 * minute },
  /** Failed sign-ins from one network. */
  login_network: { points: 100, duration: 15 * minute },
  /** Sign-ups from one network. Each costs a hash, but all visitors of an event may share one address. */
  signup_network: { points: 1000, duration: 15 * minute },
  /** Requests for a mail from one network. */
  mail_network: { points: 1000, duration: 15 * minute },
  /** Uses of one-time tokens from one network. */
  token_network: { points: 1000, duration: 15 * minute },
  // rules with _56 and _48 limit the larger IPv6 networks, since one customer may have thousands of /64
  // (client-network.ts); no network can use up the limit of the larger one around it
  /** Mails about subscriptions of guests, from one network. */
  guest_network: { points: 1000, duration: 15 * minute },
  guest_network_56: { points: 2000, duration: 15 * minute },
  guest_network_48: { points: 5000, duration: 15 * minute },
  /** Mails about subscriptions of guests to one event, to one mailbox. */
  guest_event: { points: 3, duration: 60 * minute },
  /** Mails about subscriptions of guests, to one mailbox. */
  guest_mailbox: { points: 10, duration: 60 * minute },
  login_network_56: { points: 300, duration: 15 * minute },
  login_network_48: { points: 1000, duration: 15 * minute },
  signup_network_56: { points: 2000, duration: 15 * minute },
  signup_network_48: { points: 5000, duration: 15 * minute },
  mail_network_56: { points: 2000, duration: 15 * minute },
  mail_network_48: { points: 5000, duration: 15 * minute },
  token_network_56: { points: 2000, duration: 15 * minute },
  token_network_48: { points: 5000, duration: 15 * minute },
  /** Sign-ins with unknown API keys from one network. */
  key_network: { points: 20, duration: minute },
  /** Writes of one account (interface/writes.md#write-limit). */
  write: { points: 300, duration: minute },
  /** Writes of all API keys of one organization. */
  key_writes: { points: 600, duration: minute },
  /** Exports of one account: each creates an audit entry. */
  export: { points: 60, duration: minute },
  /** Exports of everything that is kept about one person. */
  person_export: { points: 3, duration: 60 * minute },
  /** Successful sign-ins of one account: each creates a session and an audit entry. */
  sign_in: { points: 300, duration: minute },
  /** Mails to one mailbox that anyone can trigger. */
  mailbox: { points: 3, duration: 60 * minute },
  /** Invitations by one user, to any organization. */
  invitations_inviter: { points: 20, duration: 60 * minute },
  /** Invitations to one organization, by any user. */
  invitations_organization: { points: 100, duration: 60 * minute },
  /** Invitation mails to one mailbox, from any organization; not counted under `mailbox`. */
  invitations_mailbox: { points: 3, duration: 60 * minute },
  /** Tests of the webhooks of one organization: each sends a request to an address that somebody chose. */
  webhook_tests: { points: 10, duration: minute },
  /** Replays of one webhook: each may send everything that is kept. */
  webhook_replays: { points: 10, duration: 24 * 60 * minute },
  /** Mails about the events of one organization to one recipient. */
  recipient_mails: { points: 6, duration: 60 * minute },
  // effectively unlimited here: their limits grow with the organization (domain/mail/mail-budgets.ts)
  /** Mails of one organization to its subscribers. */
  event_mails: { points: 1_000_000_000, duration: 60 * minute },
  /** Mails of one organization to guests whose address is not verified yet. */
  guest_mails: { points: 1_000_000_000, duration: 60 * minute },
};

export type LimitRule = keyof typeof rules;

const fromNetwork = (what: string) => `${what} from one network`;

/** What each rule counts, for the detail of a refusal. */
const counted: Record<LimitRule, string> = {
  login_account: 'failed sign-ins of one account',
  login_network: fromNetwork('failed sign-ins'),
  login_network_56: fromNetwork('failed sign-ins'),
  login_network_48: fromNetwork('failed sign-ins'),
  signup_network: fromNetwork('sign-ups'),
  signup_network_56: fromNetwork('sign-ups'),
  signup_network_48: fromNetwork('sign-ups'),
  mail_network: fromNetwork('requests for a mail'),
  mail_network_56: fromNetwork('requests for a mail'),
  mail_network_48: fromNetwork('requests for a mail'),
  token_network: fromNetwork('uses of mailed links'),
  token_network_56: fromNetwork('uses of mailed links'),
  token_network_48: fromNetwork('uses of mailed links'),
  guest_network: fromNetwork('requests of guests'),
  guest_network_56: fromNetwork('requests of guests'),
  guest_network_48: fromNetwork('requests of guests'),
  guest_event: 'mails about one event to one mailbox',
  guest_mailbox: 'mails about subscriptions to one mailbox',
  key_network: fromNetwork('sign-ins with unknown API keys'),
  write: 'writes of one user',
  key_writes: 'writes of the API keys of one organization',
  export: 'exports of one user',
  person_export: 'exports of the own account',
  sign_in: 'sign-ins of one user',
  mailbox: 'mails to one mailbox',
  invitations_inviter: 'invitations by one user',
  invitations_organization: 'invitations to one organization',
  invitations_mailbox: 'invitations to one mailbox',
  webhook_replays: 'replays of one webhook',
  webhook_tests: 'tests of webhooks of one organization',
  recipient_mails: 'mails of one organization to one recipient',
  event_mails: 'mails of one organization to its subscribers',
  guest_mails: 'mails of one organization to guests',
};

/** What a client is told that exceeds the limit of a rule. */
export function refusalOf(rule: LimitRule): string {
  const { points, duration } = rules[rule];
  return `At most ${points} ${counted[rule]} ${periodOf(duration)}.`;
}

function periodOf(seconds: number): string {
  const minutes = seconds / minute;
  const named: Record<number, string> = { 1: 'a minute', 60: 'an hour', 1440: 'a day' };
  const days = minutes / 1440;
  return named[minutes] ?? (Number.isInteger(days) ? `in ${days} days` : `in ${minutes} minutes`);
}
