import express, { type Router } from 'express';
import { html } from './html.ts';
import { sendPage } from './html-page.ts';
import { tokenPage } from './token-page.ts';

/** Signs in, joins, and signs out: the page is not a client, so it leaves no session behind. */
const accept = `async ({ email, password }) => {
  const login = await post('auth/login', { email, password });
  if (!login.ok) throw login.answer;
  const authorization = 'Bearer ' + login.answer.access_token;
  const accepted = await post('invitations/accept', { token }, { authorization });
  await post('auth/logout', {}, { authorization });
  if (!accepted.ok) throw accepted.answer;
  return 'You are now a member of ' + accepted.answer.name + '.';
}`;

const page = tokenPage({
  title: 'You are invited',
  form: html`<p>Sign in with the address that the invitation was sent to. If you have no account yet, sign up first, confirm the address, and open this link again.</p>
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button disabled>Accept the invitation</button>`,
  submit: accept,
  refused:
    'This invitation is for another address, has already been used, has expired, or was replaced by a newer one.',
  mayRetry: true,
});

/** The page behind the link of an invitation. It never reads the token, so opening it does not use the token up. */
export function invitationPage(): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/invitation', (_request, response) => sendPage(response, page));
  return router;
}
