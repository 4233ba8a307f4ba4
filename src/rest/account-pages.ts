import express, { type Router } from 'express';
import { type HtmlPage, sendPage } from './html-page.ts';

/**
 * Posts what the form holds, with the token of the page's own address, which it takes out of the address bar and of the
 * history. Addresses are relative: the service may be reached below a path.
 */
function script(endpoint: string, done: string): string {
  return `
const token = new URLSearchParams(location.search).get('token') ?? '';
history.replaceState(null, '', location.pathname);
const form = document.querySelector('form');
const button = form.querySelector('button');
const status = document.querySelector('[role=status]');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const password = form.querySelector('[name=password]')?.value;
  const repeated = form.querySelector('[name=repeated]')?.value;
  if (password !== repeated) {
    status.textContent = 'The two passwords are not the same.';
    return;
  }
  button.disabled = true;
  status.textContent = '';
  try {
    const response = await fetch('${endpoint}', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(password === undefined ? { token } : { token, password }),
    });
    if (response.ok) {
      form.remove();
      status.textContent = '${done}';
      return;
    }
    const problem = await response.json();
    const invalid = /^INVALID_/.test(problem.code);
    status.textContent = invalid ? 'This link was used already, is too old, or was replaced by a newer one.' : problem.detail ?? problem.title;
    button.disabled = invalid;
  } catch {
    status.textContent = 'The service cannot be reached. Try again.';
    button.disabled = false;
  }
});
button.disabled = false;
`;
}

const withoutScript = '<noscript><p>This page needs JavaScript.</p></noscript>';

function page(title: string, form: string, endpoint: string, done: string): HtmlPage {
  const body = `<main><h1>${title}</h1><form method="post">${form}</form><p role="status"></p>${withoutScript}</main>`;
  return { title, body, script: script(endpoint, done) };
}

const verifyPage = page(
  'Confirm your e-mail address',
  '<p>Press the button if you asked for this. It is needed since some programs open every link of a mail.</p><button disabled>Confirm</button>',
  'auth/verify-email',
  'Your address is confirmed. You can sign in now.',
);

const resetPage = page(
  'Set a new password',
  `<input type="text" name="username" autocomplete="username" hidden>
<label for="password">New password, 8 characters at least</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8">
<label for="repeated">The same once more</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" required>
<p>All your devices are signed out.</p>
<button disabled>Set the password</button>`,
  'auth/reset-password',
  'Your password is set. You can sign in with it now.',
);

/**
 * The pages that the links of mails lead to. They are the same for every token and never look at it: programs that
 * follow the links of mails use nothing up.
 */
export function accountPages(): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/verify-email', (_request, response) => sendPage(response, verifyPage));
  router.get('/reset-password', (_request, response) => sendPage(response, resetPage));
  return router;
}
