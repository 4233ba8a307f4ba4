import type { Organizer } from '../../domain/public/organizer.ts';
import { type Html, html } from '../html.ts';
import { markdown } from '../markdown.ts';

/** What an organization says about itself, above the list of its events. */
export function aboutOrganizer(organizer: Organizer): Html {
  const links = [websiteLink(organizer), contactLink(organizer)].filter((link) => link !== null);
  return html`${organizer.description && html`<div class="text">${markdown(organizer.description)}</div>`}${
    links.length > 0 && html`<p>${links.map((link, index) => [index > 0 && html` · `, link])}</p>`
  }`;
}

/** Who invites to an event, among its facts. */
export function organizerFact(name: string, organizer: Organizer): Html {
  const lines = [html`${name}`, websiteLink(organizer), contactLink(organizer)].filter((line) => line !== null);
  return html`<dt>Organizer</dt><dd dir="auto">${lines.map((line, index) => [index > 0 && html`<br>`, line])}</dd>`;
}

/** A link to the organizer's own site; null if there is none. It is theirs, so it neither vouches nor tells where it was followed. */
function websiteLink({ website }: Organizer): Html | null {
  return website === null
    ? null
    : html`<a href="${website}" rel="nofollow noopener noreferrer ugc">${shownAddress(website)}</a>`;
}

/** A link to write to the organizer; null without an address. */
export function contactLink({ contact_email: address }: Organizer): Html | null {
  return address === null ? null : html`<a href="mailto:${mailAddress(address)}">${address}</a>`;
}

/** A web address as people say it. */
function shownAddress(website: string): string {
  return website.replace(/^https?:\/\//i, '').replace(/\/$/, '');
}

/** An address within a link, where `?`, `%` and `&` mean something else (RFC 6068). */
function mailAddress(address: string): string {
  return encodeURIComponent(address).replaceAll('%40', '@');
}
