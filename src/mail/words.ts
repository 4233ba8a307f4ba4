import escapeHtml from 'escape-html';
import { plainText } from '#safe-markdown';
import type { MailingOrganizer } from '../domain/account/account-mail.ts';
import { digestContent, eventContent } from './event-words.ts';
import type { Content, Letter } from './letter.ts';

const ignore = 'If this was not you, ignore this mail; nothing happens unless the link is used.';

const webhookFailures = {
  hour: 'has delivered nothing for an hour: every attempt failed.',
  day: 'has delivered nothing for a day: every attempt failed.',
  disabled: 'was disabled, and sends nothing until an owner resumes it. Changes that it has not sent are kept.',
};

/** Users choose it, so it is never part of a subject. */
function organizationName({ organization }: { organization: string }): string {
  const name = plainText(organization, 80);
  return name === '' ? 'an organization' : `“${name}”`;
}

const purposeOf = (place: MailingOrganizer | null) =>
  place ? ` to ${place.isNew ? 'create' : 'join'} ${organizationName(place)}` : '';

const roleOf = (place: MailingOrganizer | null) =>
  place ? ` as ${place.isNew ? 'the owner' : 'a member'} of that organization` : '';

/** The words of each kind of letter. */
const contents: { [Kind in Letter['kind']]: (letter: Extract<Letter, { kind: Kind }>) => Content } = {
  verify: (letter) => ({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      `Somebody signed up with this e-mail address${purposeOf(letter.place)} and chose a password.`,
      `If that was you, confirm it with that password. You can then sign in${roleOf(letter.place)}. The link works once, within ${letter.hours} hours.`,
    ],
    action: { label: 'Confirm the address', link: letter.link },
    closing: 'If you did not sign up, ignore this mail; nobody can use the account unless you confirm it.',
  }),
  join: (letter) => ({
    subject: 'Confirm that you want to join',
    paragraphs: [
      `Somebody signed up with this e-mail address, which already has an account, to join ${organizationName(letter)}.`,
      `If that was you, join with your existing account. The link works once, within ${letter.hours} hours.`,
    ],
    action: { label: 'Join', link: letter.link },
    closing: ignore,
  }),
  account_exists: (letter) => ({
    subject: 'You already have an account',
    paragraphs: [
      'Somebody signed up with this e-mail address, which already has an account. Nothing has changed.',
      `If that was you, sign in with your password, or set a new one. The link works once, within ${letter.minutes} minutes.`,
    ],
    action: { label: 'Set a new password', link: letter.link },
    closing: ignore,
  }),
  set_password: (letter) => ({
    subject: 'Choose a password',
    paragraphs: [
      letter.place
        ? `Somebody signed up with this e-mail address${purposeOf(letter.place)}.`
        : 'Somebody signed up with this e-mail address, or asked to confirm it.',
      `If that was you, choose a password. You can then sign in with it${roleOf(letter.place)}. Any password chosen earlier no longer works. The link works once, within ${letter.minutes} minutes.`,
    ],
    action: { label: 'Choose a password', link: letter.link },
    closing: ignore,
  }),
  reset: (letter) => ({
    subject: 'Set a new password',
    paragraphs: [
      'Somebody asked for a new password for this account.',
      `The link works once, within ${letter.minutes} minutes.`,
    ],
    action: { label: 'Set a new password', link: letter.link },
    closing: `${ignore} Your password stays the same.`,
  }),
  invitation: (letter) => {
    const inviter = plainText(letter.inviter ?? '', 60);
    return {
      subject: 'You are invited to an organization',
      paragraphs: [
        `${inviter === '' ? 'You are invited' : `${inviter} invites you`} to join ${organizationName(letter)}.`,
        `Sign in with this e-mail address, or sign up with it first. The link works once, within ${letter.days} days.`,
      ],
      action: { label: 'See the invitation', link: letter.link },
      closing: ignore,
    };
  },
  subscription: eventContent,
  event_notice: eventContent,
  guest_confirm: eventContent,
  guest_link: eventContent,
  subscription_digest: digestContent,
  account_erased: () => ({
    subject: 'Your data has been erased',
    paragraphs: [
      'As requested, everything that this service kept about you has been erased, and your subscriptions to upcoming events have been cancelled.',
      'What organizers keep about past events no longer includes your name, your address or your answers.',
    ],
    closing: 'You can sign up again at any time. This is the last mail to this address.',
  }),
  webhook: (letter) => ({
    subject: letter.warning === 'disabled' ? 'A webhook was disabled' : 'A webhook is failing',
    paragraphs: [
      `A webhook of ${organizationName(letter)} ${webhookFailures[letter.warning]}`,
      ...(letter.warning === 'disabled' && letter.reason !== null ? [`The reason: ${letter.reason}`] : []),
      `Its id is ${letter.webhookId}. The log of its deliveries shows what the endpoint answered.`,
    ],
    closing: 'You get this mail because you are an owner of the organization.',
  }),
  password_changed: () => ({
    subject: 'Your password was changed',
    paragraphs: ['The password of this account was changed, and every device was signed out.'],
    closing: 'If this was not you, request a new password at once and tell the operator of this service.',
  }),
};

/** Renders a letter as text and as HTML; the HTML loads no external resources. */
export function wordsOf(letter: Letter) {
  const {
    subject,
    paragraphs,
    action,
    items = [],
    closing,
  } = (contents[letter.kind] as (letter: Letter) => Content)(letter);
  const name = letter.to.name === null ? '' : plainText(letter.to.name, 60);
  const greeting = name === '' ? 'Hello,' : `Hello ${name},`;
  const actionText = (each?: Content['action']) => (each ? [`${each.label}:\n${each.link}`] : []);
  const itemTexts = items.map((item) => [...item.lines, ...actionText(item.action)].join('\n'));
  const text = [greeting, ...paragraphs, ...itemTexts, ...actionText(action), closing];
  const paragraph = (each: string) => `<p>${escapeHtml(each)}</p>`;
  const button = action
    ? `<p><a href="${escapeHtml(action.link)}" style="display:inline-block;padding:10px 16px;background:#1d4ed8;color:#ffffff;text-decoration:none;border-radius:6px">${escapeHtml(action.label)}</a></p><p>Or open this address: ${escapeHtml(action.link)}</p>`
    : '';
  const body = `${[greeting, ...paragraphs].map(paragraph).join('')}${items.map(itemHtml).join('')}${button}${paragraph(closing)}`;
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body style="font-family:sans-serif;line-height:1.5;max-width:36em;overflow-wrap:anywhere">${body}</body></html>\n`,
  };
}

function itemHtml({ lines, action }: NonNullable<Content['items']>[number]): string {
  const link = action ? [`<a href="${escapeHtml(action.link)}">${escapeHtml(action.label)}</a>`] : [];
  return `<p>${[...lines.map(escapeHtml), ...link].join('<br>')}</p>`;
}
