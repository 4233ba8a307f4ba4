import '@scalar/api-reference/style.css';
import './style.css';
import './reference.css';
import { createApiReference } from '@scalar/api-reference';
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserSession } from './session.ts';
import { sessionFetch } from './session-fetch.ts';
import { SignInBar } from './sign-in-bar.js';

const settings = JSON.parse(document.querySelector('#settings').textContent);
const { base, demo, name, links } = settings;
const session = new BrowserSession(settings);
createRoot(document.querySelector('#door')).render(h(SignInBar, { name, session, demo, base, links }));
session.resume();

// everything that would call another host is off; the policy of the page would refuse it
createApiReference('#reference', {
  url: settings.document,
  servers: [{ url: new URL(base, location.href).href.replace(/\/$/, '') }],
  customFetch: sessionFetch(session, new URL(base, location.href)),
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  proxyUrl: '',
  persistAuth: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  // the document has samples of its own, which were recorded (note 0077)
  hiddenClients: true,
  documentDownloadType: 'direct',
});
