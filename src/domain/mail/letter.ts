/** What a mail says, before it has words. `link` holds a secret; a letter is never stored or logged. */
export type Letter = { to: Recipient } & (
  | { kind: 'verify'; link: string; hours: number }
  | { kind: 'join'; link: string; hours: number; organization: string }
  | { kind: 'account_exists'; link: string; minutes: number }
  | { kind: 'reset'; link: string; minutes: number }
  | { kind: 'invitation'; link: string; days: number; organization: string; inviter: string | null }
  | { kind: 'password_changed' }
);

export interface Recipient {
  address: string;
  /** Null where the mailbox is not proven: a stranger may have chosen the name. */
  name: string | null;
}
