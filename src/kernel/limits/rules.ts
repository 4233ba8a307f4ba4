const minute = 60;

interface Rule {
  /** How much each key has per `duration`. */
  points: number;
  /** Seconds, counted from the first use of a key. */
  duration: number;
  /** For the detail of a refusal. */
  counted: string;
}

/** Rules with _56 and _48 limit larger IPv6 networks (client-network.ts), whose limits none of their networks can use up. */
function ofNetworks<Name extends string>(name: Name, what: string, points: readonly [number, number, number]) {
  const names = [name, `${name}_56`, `${name}_48`];
  const counted = `${what} from one network`;
  const entries = names.map((each, index) => [each, { points: points[index], duration: 15 * minute, counted }]);
  return Object.fromEntries(entries) as Record<Name | `${Name}_56` | `${Name}_48`, Rule>;
}

/** What is limited (reference/sign-in.md#limits-of-sign-in). */
export const rules = {
  /** By account and network. */
  login_account: { points: 10, duration: 15 * minute, counted: 'failed sign-ins of one account' },
  ...ofNetworks('login_network', 'failed sign-ins', [100, 300, 1000]),
  // each sign-up costs a hash, but all visitors of an event may share one address
  ...ofNetworks('signup_network', 'sign-ups', [1000, 2000, 5000]),
  ...ofNetworks('mail_network', 'requests for a mail', [1000, 2000, 5000]),
  ...ofNetworks('token_network', 'uses of mailed links', [1000, 2000, 5000]),
  ...ofNetworks('guest_network', 'requests of guests', [1000, 2000, 5000]),
  guest_event: { points: 3, duration: 60 * minute, counted: 'mails about one event to one mailbox' },
  guest_mailbox: { points: 10, duration: 60 * minute, counted: 'mails about subscriptions to one mailbox' },
  key_network: { points: 20, duration: minute, counted: 'sign-ins with unknown API keys from one network' },
  /** reference/writes.md#write-limit */
  write: { points: 300, duration: minute, counted: 'writes of one user' },
  key_writes: { points: 600, duration: minute, counted: 'writes of the API keys of one organization' },
  /** Each creates an audit entry. */
  export: { points: 60, duration: minute, counted: 'exports of one user' },
  /** Exports of everything that is kept about one person. */
  person_export: { points: 3, duration: 60 * minute, counted: 'exports of the own account' },
  /** Successful ones: each creates a session and an audit entry. */
  sign_in: { points: 300, duration: minute, counted: 'sign-ins of one user' },
  /** Mails that anyone can trigger. */
  mailbox: { points: 3, duration: 60 * minute, counted: 'mails to one mailbox' },
  invitations_inviter: { points: 20, duration: 60 * minute, counted: 'invitations by one user' },
  invitations_organization: { points: 100, duration: 60 * minute, counted: 'invitations to one organization' },
  /** Not counted under `mailbox`. */
  invitations_mailbox: { points: 3, duration: 60 * minute, counted: 'invitations to one mailbox' },
  /** Each sends a request to an address that somebody chose. */
  webhook_tests: { points: 10, duration: minute, counted: 'tests of webhooks of one organization' },
  /** Each may send everything that is kept. */
  webhook_replays: { points: 10, duration: 24 * 60 * minute, counted: 'replays of one webhook' },
  recipient_mails: { points: 6, duration: 60 * minute, counted: 'mails of one organization to one recipient' },
  // effectively unlimited here: their limits grow with the organization (domain/mail/mail-budgets.ts)
  event_mails: {
    points: 1_000_000_000,
    duration: 60 * minute,
    counted: 'mails of one organization to its subscribers',
  },
  /** To guests whose address is not verified yet. */
  guest_mails: { points: 1_000_000_000, duration: 60 * minute, counted: 'mails of one organization to guests' },
} satisfies Record<string, Rule>;

export type LimitRule = keyof typeof rules;

export function refusalOf(rule: LimitRule): string {
  const { points, duration, counted } = rules[rule];
  return `At most ${points} ${counted} ${periodOf(duration)}.`;
}

function periodOf(seconds: number): string {
  const minutes = seconds / minute;
  const named: Record<number, string> = { 1: 'a minute', 60: 'an hour', 1440: 'a day' };
  const days = minutes / 1440;
  return named[minutes] ?? (Number.isInteger(days) ? `in ${days} days` : `in ${minutes} minutes`);
}
