import type { Response } from 'express';
import { type Html, html } from '#html-forms';
import { statusOf } from '../http/errors.ts';
import type { DomainError, ErrorCode } from '../kernel/errors.ts';
import { sendPage } from './html-page.ts';

/** For people, instead of a problem document: a title and a next step. */
const words: Partial<Record<ErrorCode, [title: string, text: string]>> = {
  NOT_FOUND: [
    'Page not found',
    'The address may contain a typo, or the page is no longer public. Please check the address, or ask the person who gave it to you.',
  ],
  INVALID_CURSOR: [
    'This part of the list does not exist',
    'Please start at the beginning of the list: its address ends before the question mark.',
  ],
  METHOD_NOT_ALLOWED: ['This is not possible here', 'Please open the page again and use its links and buttons.'],
  PAYLOAD_TOO_LARGE: ['Your answers are too long', 'Nothing was sent. Please go back and shorten them.'],
  UNSUPPORTED_MEDIA_TYPE: ['This is not possible here', 'Please open the page again and use its form.'],
  CROSS_SITE: [
    'This request came from another site',
    'Nothing was sent. Please open the page itself and use its form.',
  ],
  RATE_LIMITED: ['Please wait a moment', 'There were too many requests. Please try again in a few minutes.'],
  SERVICE_UNAVAILABLE: ['Please try again in a moment', 'The service is not available right now. Nothing was lost.'],
};

const unknown = ['Something went wrong', 'This is our fault, not yours. Please try again in a few minutes.'] as const;

/** A link to the list of the organizer, relative since the service may be below a path; the same whatever is missing. */
function wayBack(url: string, code: ErrorCode): Html | null {
  const [address = ''] = url.split('?');
  const [, organization = '', rest] = /^\/o\/([^/]+)(\/.*)?$/.exec(address) ?? [];
  if (code === 'INVALID_CURSOR') return html`<p><a href="?">Start at the beginning</a></p>`;
  if (code !== 'NOT_FOUND' || rest === undefined) return null;
  const up = '../'.repeat(rest.split('/').length - 1);
  return html`<p><a href="${up}${organization}">See all events of this organizer</a></p>`;
}

export function sendErrorPage(response: Response, error: DomainError, requestId: string): void {
  const [title, text] = words[error.code] ?? unknown;
  if (error.retryAfter !== undefined) response.set('retry-after', String(error.retryAfter));
  const reference =
    statusOf(error) >= 500 && html`<p class="soft">If you report this, please include this reference: ${requestId}</p>`;
  const body = html`<main class="page"><h1>${title}</h1><p>${text}</p>${wayBack(response.req.originalUrl, error.code)}${reference}</main>`;
  sendPage(response, { title, body, status: statusOf(error) });
}
