import type { SubscriptionStatus } from '../subscription/subscription.entity.ts';
import type { EventNotice } from './mail-job.ts';

/** The content of a mail, before it is worded. `link` contains a secret; a letter is never stored or logged. */
export type Letter = { to: Recipient } & (
  | { kind: 'verify'; link: string; hours: number; place: Place | null }
  | { kind: 'join'; link: string; hours: number; organization: string }
  | { kind: 'account_exists'; link: string; minutes: number }
  | { kind: 'set_password'; link: string; minutes: number; place: Place | null }
  | { kind: 'reset'; link: string; minutes: number }
  | { kind: 'invitation'; link: string; days: number; organization: string; inviter: string | null }
  | { kind: 'password_changed' }
  | ({ kind: 'subscription'; status: SubscriptionStatus; by: 'holder' | 'manager' | 'list' } & ToHolder)
  | ({ kind: 'event_notice'; notice: EventNotice; status: SubscriptionStatus } & ToHolder)
  | { kind: 'subscription_digest'; items: DigestItem[]; more: boolean }
  | { kind: 'guest_confirm'; link: string; hours: number; name: string; event: EventFacts }
  | { kind: 'guest_link'; link: string; status: SubscriptionStatus; event: EventFacts }
);

/** What a mail to the holder of a subscription has. */
interface ToHolder {
  event: EventFacts;
  /** To the subscription, for holders who cannot sign in where the event is; null for others. */
  link: string | null;
}

/** How things are with a subscription. */
export interface DigestItem extends ToHolder {
  status: SubscriptionStatus;
  cancelled: boolean;
  /** Whether the holder is reminded of it. */
  startsSoon: boolean;
}

/** A mail about an event, or about a place at one. */
export type EventLetter = Extract<Letter, { event: EventFacts }>;

/** The facts about an event in a mail. */
export interface EventFacts {
  name: string;
  organization: string;
  start: Date;
  end: Date;
  /** IANA name; times are shown in it. */
  timezone: string;
  location: string | null;
}

/** What using a link joins or creates; the name is user input. */
export interface Place {
  organization: string;
  founds: boolean;
}

export interface Recipient {
  address: string;
  /** Null if the address is not verified: a stranger may have chosen the name. */
  name: string | null;
}
