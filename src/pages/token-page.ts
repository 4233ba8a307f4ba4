import { type Html, html } from '#html-forms';
import type { HtmlPage } from './html-page.ts';

interface TokenForm {
  title: string;
  form: Html;
  /** JavaScript: a function of the fields, which uses `token` and `post`. Returns the message to show; throws a problem. */
  submit: string;
  refused: string;
  /** Whether the token may still be valid for another account. */
  mayRetry?: boolean;
}

/** Its script removes the token from the address bar and the history. URLs are relative: the service may be below a path. */
export function tokenPage({ title, form, submit, refused, mayRetry = false }: TokenForm): HtmlPage {
  const body = html`<main><h1>${title}</h1><form method="post">${form}</form><p role="status"></p><noscript><p>This page needs JavaScript.</p></noscript></main>`;
  const script = `
const token = new URLSearchParams(location.search).get('token') ?? '';
history.replaceState(null, '', location.pathname);
const form = document.querySelector('form');
const button = form.querySelector('button');
const status = document.querySelector('[role=status]');
const post = async (path, body, headers = {}) => {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { ok: response.ok, answer: await response.json() };
};
const submit = ${submit};
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  status.textContent = '';
  try {
    const done = await submit(Object.fromEntries(new FormData(form)));
    form.remove();
    status.textContent = done;
  } catch (problem) {
    const invalid = /^INVALID_.*_TOKEN$/.test(problem.code);
    status.textContent = invalid
      ? ${JSON.stringify(refused)}
      : problem.detail ?? problem.title ?? 'The service cannot be reached. Try again.';
    button.disabled = invalid && ${!mayRetry};
  }
});
button.disabled = false;
`;
  return { title, body, script };
}
