/** The parts of the mail queue, starting with mails that somebody is waiting for. */
export const mailParts = ['links', 'guests', 'events'] as const;

/** Mails about accounts and invitations; confirmations for guests; mails about subscriptions. */
export type MailPart = (typeof mailParts)[number];
