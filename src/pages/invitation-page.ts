import express, { type Router } from 'express';
import { html } from './html.ts';
import { sendPage } from './html-page.ts';

/**
 * Signs in, joins with the token in the page's URL, and signs out: the page is not a client, so it leaves no session
 * behind. URLs are relative, since the service may be served below a path.
 */
const script = `
const token = new URLSearchParams(location.search).get('token') ?? '';
history.replaceState(null, '', location.pathname);
const form = document.querySelector('form');
const button = form.querySelector('button');
const status = document.querySelector('[role=status]');
const post = (path, body, headers = {}) => fetch(path, {
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  status.textContent = '';
  try {
    const { email, password } = Object.fromEntries(new FormData(form));
    const login = await post('auth/login', { email, password });
    const answer = await login.json();
    if (!login.ok) throw answer;
    const authorization = 'Bearer ' + answer.access_token;
    const accepted = await post('invitations/accept', { token }, { authorization });
    const result = await accepted.json();
    await post('auth/logout', {}, { authorization });
    if (!accepted.ok) throw result;
    form.remove();
    status.textContent = 'You are now a member of ' + result.name + '.';
  } catch (problem) {
    const invalid = problem.code === 'INVALID_INVITATION_TOKEN';
    status.textContent = invalid
      ? 'This invitation is for another address, has already been used, has expired, or was replaced by a newer one.'
      : problem.detail ?? problem.title ?? 'The service cannot be reached. Try again.';
    button.disabled = false;
  }
});
button.disabled = false;
`;

const body = html`<main><h1>You are invited</h1>
<p>Sign in with the address that the invitation was sent to. If you have no account yet, sign up first, confirm the address, and open this link again.</p>
<form method="post">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button disabled>Accept the invitation</button>
</form><p role="status"></p><noscript><p>This page needs JavaScript.</p></noscript></main>`;

/** The page behind the link of an invitation. It never looks at the token, so opening it does not use the token up. */
export function invitationPage(): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/invitation', (_request, response) => sendPage(response, { title: 'Invitation', body, script }));
  return router;
}
