import { createHash } from 'node:crypto';
import type { Response } from 'express';

/** What an HTML page of the service is made of. */
export interface HtmlPage {
  title: string;
  /** HTML, with everything that is not ours escaped. */
  body: string;
  /** JavaScript, the same for every request: the policy names its hash. */
  script?: string;
  status?: number;
}

const style = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: #1f2937; background: #f3f4f6; }
main { max-width: 30rem; margin: 10vh auto; padding: 2rem; background: #fff; border-radius: 8px; }
main.wide { max-width: 60rem; margin: 2rem auto; }
h1 { font-size: 1.4rem; margin-top: 0; }
label { display: block; margin: 1rem 0 .25rem; }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; }
button { font: inherit; margin-top: 1rem; padding: .6rem 1.2rem; border: 0; border-radius: 6px; color: #fff; background: #1d4ed8; }
button:disabled { background: #6b7280; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: .3rem .6rem .3rem 0; vertical-align: top; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { width: 100%; height: 24rem; border: 1px solid #d1d5db; }
@media (prefers-color-scheme: dark) { body { color: #e5e7eb; background: #111827; } main { background: #1f2937; } a { color: #93c5fd; } }
`;

/** The page may run its own script, ask the service itself, and nothing else; nobody may frame it. */
function policy(script: string | undefined): string {
  const sources = script === undefined ? "'none'" : `'sha256-${sha256(script)}'`;
  return [
    "default-src 'none'",
    `script-src ${sources}`,
    `style-src 'sha256-${sha256(style)}'`,
    "connect-src 'self'",
    'img-src data:',
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Sends a page that no cache keeps and that tells no other site its address, which may hold a token. */
export function sendPage(response: Response, { title, body, script, status = 200 }: HtmlPage): void {
  response.status(status).set({
    'cache-control': 'no-store',
    'content-security-policy': policy(script),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  });
  response.type('html').send(
    `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body>${body}${script === undefined ? '' : `<script>${script}</script>`}</body>
</html>
`,
  );
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
