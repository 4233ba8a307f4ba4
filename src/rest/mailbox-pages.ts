import express, { type Router } from 'express';
import { DomainError } from '../domain/errors.ts';
import { escapeHtml, sendPage } from './html-page.ts';

/** A mail that was kept instead of sent. */
export interface MailboxMail {
  name: string;
  to: string;
  subject: string;
  date: string;
  text: string;
  html: string;
}

/** The mails that were kept, as the composition root gives them. */
export interface Mailbox {
  list(): Promise<MailboxMail[]>;
  find(name: string): Promise<MailboxMail | null>;
}

/**
 * Shows the mails of a service without a mail server, with the links that they hold. For development alone: whoever
 * sees this page can set everybody's password.
 */
export function mailboxPages(mailbox: Mailbox): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/dev/mailbox', async (_request, response) => {
    const rows = (await mailbox.list()).map(
      ({ name, to, subject, date }) =>
        `<tr><td><a href="mailbox/${name}">${escapeHtml(subject)}</a></td><td>${escapeHtml(to)}</td><td>${escapeHtml(date)}</td></tr>`,
    );
    const table = `<table><tr><th>Subject</th><th>To</th><th>Date</th></tr>${rows.join('')}</table>`;
    const body = `<main class="wide"><h1>Mails</h1>${rows.length > 0 ? table : '<p>None yet.</p>'}</main>`;
    sendPage(response, { title: 'Mails', body });
  });
  router.get('/dev/mailbox/:name', async (request, response) => {
    const { name, to, subject, date, text } = await find(mailbox, request.params.name);
    const body = `<main class="wide"><p><a href="../mailbox">All mails</a></p><h1>${escapeHtml(subject)}</h1>
<p>To ${escapeHtml(to)}<br>${escapeHtml(date)}</p><pre>${linked(text)}</pre>
<iframe sandbox title="The mail as HTML" src="${name}/html"></iframe></main>`;
    sendPage(response, { title: subject, body });
  });
  router.get('/dev/mailbox/:name/html', async (request, response) => {
    const { html } = await find(mailbox, request.params.name);
    response.set({
      'cache-control': 'no-store',
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
    });
    response.type('html').send(html);
  });
  return router;
}

async function find(mailbox: Mailbox, name: string): Promise<MailboxMail> {
  const mail = await mailbox.find(name);
  if (!mail) throw new DomainError('NOT_FOUND');
  return mail;
}

function linked(text: string): string {
  return escapeHtml(text).replace(/https?:\/\/[^\s<]+/g, (link) => `<a href="${link}">${link}</a>`);
}
