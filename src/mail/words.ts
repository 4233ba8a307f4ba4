import type { Letter } from '../domain/mail/letter.ts';

/** A mail in words. */
export interface Words {
  subject: string;
  text: string;
  html: string;
}

/** What a letter says, apart from its form. */
interface Content {
  subject: string;
  paragraphs: string[];
  action?: { label: string; link: string };
  closing: string;
}

const ignore = 'If this was not you, do nothing: without the link nothing happens.';

function contentOf(letter: Letter): Content {
  switch (letter.kind) {
    case 'verify':
      return {
        subject: 'Confirm your e-mail address',
        paragraphs: [
          'An account was made with this e-mail address. Confirm that it is yours.',
          `The link works once, for ${letter.hours} hours.`,
        ],
        action: { label: 'Confirm the address', link: letter.link },
        closing: `${ignore} Do not confirm an account that you did not make.`,
      };
    case 'join':
      return {
        subject: 'Confirm that you join',
        paragraphs: [
          `Somebody signed up with this e-mail address, which has an account already, to join “${plainText(letter.organization, 80)}”.`,
          `If that was you, join with the account that you have. The link works once, for ${letter.hours} hours.`,
        ],
        action: { label: 'Join', link: letter.link },
        closing: ignore,
      };
    case 'account_exists':
      return {
        subject: 'You have an account already',
        paragraphs: [
          'Somebody signed up with this e-mail address, which has an account already. Nothing was changed.',
          `If that was you, sign in with the password that you have, or set a new one. The link works once, for ${letter.minutes} minutes.`,
        ],
        action: { label: 'Set a new password', link: letter.link },
        closing: ignore,
      };
    case 'reset':
      return {
        subject: 'Set a new password',
        paragraphs: [
          'Somebody asked for a new password for this account.',
          `The link works once, for ${letter.minutes} minutes.`,
        ],
        action: { label: 'Set a new password', link: letter.link },
        closing: `${ignore} Your password stays as it is.`,
      };
    case 'invitation': {
      const organization = plainText(letter.organization, 80);
      const inviter = letter.inviter === null ? 'You are invited' : `${plainText(letter.inviter, 60)} invites you`;
      return {
        subject: `Join ${organization}`,
        paragraphs: [
          `${inviter} to “${organization}”.`,
          `Sign in with this e-mail address, or sign up with it first. The link works once, for ${letter.days} days.`,
        ],
        action: { label: 'See the invitation', link: letter.link },
        closing: ignore,
      };
    }
    case 'password_changed':
      return {
        subject: 'Your password was changed',
        paragraphs: ['The password of this account was changed, and every device was signed out.'],
        closing: 'If this was not you, ask for a new password at once, and tell whoever runs this service.',
      };
  }
}

/** Writes a letter as text and as HTML; the latter loads nothing from anywhere. */
export function wordsOf(letter: Letter): Words {
  const { subject, paragraphs, action, closing } = contentOf(letter);
  const name = letter.to.name === null ? '' : plainText(letter.to.name, 60);
  const greeting = name === '' ? 'Hello,' : `Hello ${name},`;
  const text = [greeting, ...paragraphs, ...(action ? [`${action.label}:\n${action.link}`] : []), closing];
  const paragraph = (each: string) => `<p>${escapeHtml(each)}</p>`;
  const button = action
    ? `<p><a href="${escapeHtml(action.link)}" style="display:inline-block;padding:10px 16px;background:#1d4ed8;color:#ffffff;text-decoration:none;border-radius:6px">${escapeHtml(action.label)}</a></p><p>Or open this address: ${escapeHtml(action.link)}</p>`
    : '';
  const body = `${[greeting, ...paragraphs].map(paragraph).join('')}${button}${paragraph(closing)}`;
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body style="font-family:sans-serif;line-height:1.5;max-width:36em">${body}</body></html>\n`,
  };
}

/**
 * A text that somebody chose, as one line without control, format or bidirectional characters: a name must neither
 * become a header nor hide what follows it.
 */
export function plainText(text: string, length: number): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...line].slice(0, length).join('');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
