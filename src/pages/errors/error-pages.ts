import express, { type Router } from 'express';
import { type Html, html } from '#html-forms';
import { errorStatus, type GraphqlErrorCode, graphqlOnlyTitle, statusOf } from '../../http/errors.ts';
import { DomainError, type DomainErrorOptions, type ErrorCode, errorTitle } from '../../kernel/errors.ts';
import { sendPage } from '../html-page.ts';
import { onlyAllows } from '../only-allows.ts';
import { errorGuides } from './error-guides.ts';

/** How the APIs present an error. */
export interface ErrorPresenters {
  rest(error: DomainError): unknown;
  graphql(error: DomainError): unknown;
  graphqlOnly(code: keyof typeof graphqlOnlyTitle, message: string): unknown;
}

const titles: Record<GraphqlErrorCode, string> = { ...errorTitle, ...graphqlOnlyTitle };

/** A page for each code, at the address that is its `type`, and a list of them (reference/errors.md#pages). */
export function errorPages(present: ErrorPresenters): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/errors', (_request, response) => {
    const items = Object.keys(errorGuides).map((code) => {
      const known = code as GraphqlErrorCode;
      return html`<li><a href="errors/${code}">${code}</a> ${badgeOf(known)}<br><span class="soft">${words(titles[known])}</span></li>`;
    });
    const body = html`<main class="wide"><h1>Errors</h1>
<p>Every error has one of these codes, the same in REST and GraphQL.</p><ul class="plain">${items}</ul></main>`;
    sendPage(response, { title: 'Errors', body });
  });
  router.get('/errors/:code', (request, response) => {
    const { code } = request.params;
    if (!Object.hasOwn(errorGuides, code)) throw new DomainError('NOT_FOUND');
    sendPage(response, { title: code, body: pageOf(code as GraphqlErrorCode, present) });
  });
  router.all(['/errors', '/errors/:code'], onlyAllows('GET, HEAD'));
  return router;
}

function pageOf(code: GraphqlErrorCode, present: ErrorPresenters): Html {
  const { when, remedy, retry = 'No. Change the request first.', only } = errorGuides[code];
  return html`<main class="wide"><p class="kicker"><a href="../errors">Errors</a></p><h1>${code}</h1>
<p class="lead">${words(titles[code])}</p>
<h2>When it occurs</h2><p>${words(when)}</p>
<h2>What to do</h2><p>${words(remedy)}</p>
<h2>Can the same request succeed later?</h2><p>${words(retry)}</p>
${only !== 'GraphQL' && html`<h2>In REST</h2>${exampleOfRest(code as ErrorCode, present)}`}
${only !== 'REST' && html`<h2>In GraphQL</h2>${exampleOfGraphql(code, present)}`}
</main>`;
}

function exampleOfRest(code: ErrorCode, present: ErrorPresenters): Html {
  const { example } = errorGuides[code];
  const error = errorOf(code, example);
  const headers = error.retryAfter === undefined ? '' : `Retry-After: ${error.retryAfter}\n`;
  return html`<pre>HTTP/1.1 ${statusOf(error)}
Content-Type: application/problem+json; charset=utf-8
${headers}
${JSON.stringify(present.rest(error), null, 2)}</pre>`;
}

function exampleOfGraphql(code: GraphqlErrorCode, present: ErrorPresenters): Html {
  const { example, graphqlExample } = errorGuides[code];
  const shown = isGraphqlOnly(code)
    ? present.graphqlOnly(code, graphqlOnlyTitle[code])
    : present.graphql(errorOf(code, graphqlExample ?? example));
  return html`<pre>${JSON.stringify(shown, null, 2)}</pre>`;
}

function errorOf(code: ErrorCode, example: DomainErrorOptions | undefined): DomainError {
  return new DomainError(errorGuides[code].under ?? code, example);
}

function isGraphqlOnly(code: GraphqlErrorCode): code is keyof typeof graphqlOnlyTitle {
  return Object.hasOwn(graphqlOnlyTitle, code);
}

function badgeOf(code: GraphqlErrorCode): Html {
  return html`<span class="badge">${isGraphqlOnly(code) ? 'GraphQL' : errorStatus[code]}</span>`;
}

/** Parts in backticks are code. */
function words(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
