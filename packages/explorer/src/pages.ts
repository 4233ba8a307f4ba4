import type { Bundle } from './bundle.ts';
import type { PageSettings } from './content.ts';

/** A page whose scripts are in the bundle, and which may call its own service alone. */
export interface BundlePage {
  headers: Record<string, string>;
  html: string;
}

/** Of GraphiQL, at the address of the GraphQL API. */
export interface GraphiqlSettings extends PageSettings {
  /** The path of the assets, relative to the page, with a slash at the end. */
  assets: string;
  /** The highest cost of an operation. */
  maxCost: number;
  /** For the service's own plugins. */
  data?: unknown;
}

/** GraphiQL, with a bar to sign in. */
export function graphiqlPage({ script, scriptHash, style, workers }: Bundle, settings: GraphiqlSettings): BundlePage {
  const { assets, name } = settings;
  return page({
    title: `${name}: GraphiQL`,
    // Monaco sets styles from its script
    sources: [`script-src '${scriptHash}'`, "worker-src 'self'", "style-src 'self' 'unsafe-inline'"],
    settings: { ...settings, workers },
    head: `<link rel="stylesheet" href="${assets}${style}"><script defer src="${assets}${script}" integrity="${scriptHash}"></script>`,
    body: '<div id="root"><noscript>GraphiQL needs JavaScript.</noscript></div>',
  });
}

/** Of the reference. */
export interface ReferenceSettings extends PageSettings {
  assets: string;
  /** The URL of the OpenAPI document, relative to the page. */
  document: string;
  /** New for each request. */
  nonce: string;
}

/** The reference of a REST API, rendered by Scalar, with the same bar to sign in. */
export function referencePage({ reference }: Bundle, { assets, nonce, ...settings }: ReferenceSettings): BundlePage {
  const { document, name } = settings;
  const scripts = [reference.nonce, reference.script];
  return page({
    title: `${name}: REST reference`,
    // Scalar sets style attributes
    sources: [`script-src 'nonce-${nonce}'`, `style-src 'self' 'nonce-${nonce}'`, "style-src-attr 'unsafe-inline'"],
    settings,
    head: `<meta property="csp-nonce" content="${nonce}"><link rel="stylesheet" href="${assets}${reference.style}">
${scripts.map((script) => `<script defer src="${assets}${script}" nonce="${nonce}"></script>`).join('')}`,
    body: `<div id="door"></div><div id="reference"></div><noscript>The reference needs JavaScript; <a href="${document}">${document}</a> does not.</noscript>`,
  });
}

interface Parts {
  title: string;
  /** Which scripts, styles and workers the page may use, as directives of its policy. */
  sources: readonly string[];
  /** What the script reads. */
  settings: object;
  head: string;
  body: string;
}

function page({ title, sources, settings, head, body }: Parts): BundlePage {
  const policy = [
    "default-src 'none'",
    ...sources,
    'font-src data:',
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  // in JSON, `<` can only be part of a string
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  return {
    headers: {
      'content-security-policy': policy.join('; '),
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    },
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,">
<script type="application/json" id="settings">${json}</script>${head}</head>
<body>${body}</body>
</html>
`,
  };
}
