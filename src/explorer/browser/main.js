import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';
import './style.css';
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { registerWorkers } from './monaco-workers.js';
import { BrowserSession } from './session.ts';

const settings = JSON.parse(document.querySelector('#settings').textContent);
registerWorkers(settings);
const session = new BrowserSession({ base: settings.base, organization: settings.demo[0]?.organization ?? null });
createRoot(document.querySelector('#root')).render(h(App, { settings, session }));
session.resume();
