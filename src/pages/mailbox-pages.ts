import express, { type Request, type Router } from 'express';
import { type Html, html } from '#html-forms';
import type { Mailbox, StoredMail } from '#mail-folder';
import { DomainError } from '../kernel/errors.ts';
import { sendPage } from './html-page.ts';
import { onlyAllows } from './only-allows.ts';

/**
 * Shows the mails of a service without a mail server. Only for development: anyone who sees them can set everyone's password.
 * @param isLocal whether a request comes from this machine; others get 404
 */
export function mailboxPages(mailbox: Mailbox, isLocal: (request: Request) => boolean): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use('/dev/mailbox', (request, _response, next) => next(isLocal(request) ? undefined : 'router'));
  router.get('/dev/mailbox', async (_request, response) => {
    const items = (await mailbox.list()).map(
      ({ name, to, subject, date }) =>
        html`<li><a href="mailbox/${name}">${subject}</a><br>To ${to}<br><span class="soft">${date}</span></li>`,
    );
    const body = html`<main class="wide"><h1>Mails</h1>${items.length > 0 ? html`<ul class="plain">${items}</ul>` : html`<p>None yet.</p>`}</main>`;
    sendPage(response, { title: 'Mails', body });
  });
  router.get('/dev/mailbox/:name', async (request, response) => {
    const { name, to, subject, date, text } = await find(mailbox, request.params.name);
    const body = html`<main class="wide"><p><a href="../mailbox">All mails</a></p><h1>${subject}</h1>
<p>To ${to}<br>${date}</p><pre>${linked(text)}</pre>
<iframe sandbox title="The mail as HTML" src="${name}/html"></iframe></main>`;
    sendPage(response, { title: subject, body });
  });
  router.get('/dev/mailbox/:name/html', async (request, response) => {
    const mail = await find(mailbox, request.params.name);
    response.set({
      'cache-control': 'no-store',
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
    });
    response.type('html').send(mail.html);
  });
  router.all(['/dev/mailbox', '/dev/mailbox/:name', '/dev/mailbox/:name/html'], onlyAllows('GET, HEAD'));
  return router;
}

async function find(mailbox: Mailbox, name: string): Promise<StoredMail> {
  const mail = await mailbox.find(name);
  if (!mail) throw new DomainError('NOT_FOUND');
  return mail;
}

function linked(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
}
