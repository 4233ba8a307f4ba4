import { type Html, html } from '#html-forms';
import type { Organizer } from '../../domain/public/organizer.ts';
import { markdown } from '../markdown.ts';

export function aboutOrganizer(organizer: Organizer): Html {
  const links = [websiteLink(organizer), contactLink(organizer)].filter((link) => link !== null);
  return html`${organizer.description && html`<div class="text">${markdown(organizer.description)}</div>`}${
    links.length > 0 && html`<p>${links.map((link, index) => [index > 0 && html` · `, link])}</p>`
  }`;
}

export function organizerFact(name: string, organizer: Organizer): Html {
  const lines = [html`${name}`, websiteLink(organizer), contactLink(organizer)].filter((line) => line !== null);
  return html`<dt>Organizer</dt><dd dir="auto">${lines.map((line, index) => [index > 0 && html`<br>`, line])}</dd>`;
}

/** `ugc noreferrer`: we do not vouch for the site, and it is not sent our address. */
function websiteLink({ website }: Organizer): Html | null {
  return website === null
    ? null
    : html`<a href="${website}" rel="nofollow noopener noreferrer ugc">${shownAddress(website)}</a>`;
}

export function contactLink({ contact_email: address }: Organizer): Html | null {
  return address === null ? null : html`<a href="mailto:${mailAddress(address)}">${address}</a>`;
}

function shownAddress(website: string): string {
  return website.replace(/^https?:\/\//i, '').replace(/\/$/, '');
}

/** Within a link, where `?`, `%` and `&` have a meaning (RFC 6068). */
function mailAddress(address: string): string {
  return encodeURIComponent(address).replaceAll('%40', '@');
}
