import express, { type Router } from 'express';
import { html } from '#html-forms';
import { sendPage } from './html-page.ts';
import { tokenPage } from './token-page.ts';

const refused = 'This link has already been used, has expired, or was replaced by a newer one.';

/**
 * Asks for the password chosen at sign-up before it uses the token, so that nobody confirms a stranger's account by mistake. The
 * page is not a client, so it ends the session that it opens.
 */
const verify = `async ({ email, password }) => {
  const login = await post('auth/login', { email, password });
  if (login.answer.code === 'INVALID_CREDENTIALS') {
    throw { detail: 'This is not the password of that account. If you did not sign up, close this page; nothing will happen.' };
  }
  if (!login.ok && login.answer.code !== 'USER_NOT_VERIFIED') throw login.answer;
  const verified = await post('auth/verify-email', { token });
  if (login.ok) await post('auth/logout', {}, { authorization: 'Bearer ' + login.answer.access_token });
  if (!verified.ok) throw verified.answer;
  return 'Your address is confirmed. You can now sign in.';
}`;

const reset = `async ({ password, repeated }) => {
  if (password !== repeated) throw { detail: 'The two passwords do not match.' };
  const set = await post('auth/reset-password', { token, password });
  if (!set.ok) throw set.answer;
  return 'Your password is set. You can now sign in with it.';
}`;

/** Leaves no session behind: the page is not a client. */
const accept = `async ({ email, password }) => {
  const login = await post('auth/login', { email, password });
  if (!login.ok) throw login.answer;
  const authorization = 'Bearer ' + login.answer.access_token;
  const accepted = await post('invitations/accept', { token }, { authorization });
  await post('auth/logout', {}, { authorization });
  if (!accepted.ok) throw accepted.answer;
  return 'You are now a member of ' + accepted.answer.name + '.';
}`;

const signInFields = html`<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>`;

const verifyPage = tokenPage({
  title: 'Confirm your address',
  form: html`<p>Somebody signed up with your e-mail address. If that was you, enter your password: the one that you chose when you signed up or, if you already had an account, the one that you sign in with. You can then use the account, and it joins or creates the organization named in the mail.</p>
<p>If you did not sign up, close this page; nothing will happen.</p>
${signInFields}
<p>If you have forgotten it, ask for a new password where you sign in; that also confirms the address.</p>
<button disabled>Confirm</button>`,
  submit: verify,
  refused,
});

const resetPage = tokenPage({
  title: 'Set a new password',
  form: html`<input type="text" name="username" autocomplete="username" hidden>
<label for="password">New password, at least 8 characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8">
<label for="repeated">Repeat the password</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" required>
<p>All your devices will be signed out.</p>
<button disabled>Set the password</button>`,
  submit: reset,
  refused,
});

const acceptPage = tokenPage({
  title: 'You are invited',
  form: html`<p>Sign in with the address that the invitation was sent to. If you have no account yet, sign up first, confirm the address, and open this link again.</p>
${signInFields}
<button disabled>Accept the invitation</button>`,
  submit: accept,
  refused:
    'This invitation is for another address, has already been used, has expired, or was replaced by a newer one.',
  mayRetry: true,
});

/** Pages behind links in mails. They never read the token, so that mail scanners that follow links do not use it up. */
export function accountPages(): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/verify-email', (_request, response) => sendPage(response, verifyPage));
  router.get('/reset-password', (_request, response) => sendPage(response, resetPage));
  router.get('/invitation', (_request, response) => sendPage(response, acceptPage));
  return router;
}
