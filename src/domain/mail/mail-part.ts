/** The parts of the queue of mails, those first that somebody waits for. */
export const mailParts = ['links', 'guests', 'events'] as const;

/** Mails about accounts and invitations; confirmations for guests; mails about subscriptions. */
export type MailPart = (typeof mailParts)[number];
