import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';
import './style.css';
// what the service brings: a module that the build is given
import * as content from 'explorer-content';
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { BrowserSession } from './session.ts';

const settings = JSON.parse(document.querySelector('#settings').textContent);
// the editor loads its workers from the service
const { assets, workers } = settings;
globalThis.MonacoEnvironment = { getWorker: (_id, label) => new Worker(assets + (workers[label] ?? workers.editor)) };
const session = new BrowserSession(settings);
createRoot(document.querySelector('#root')).render(h(App, { content, settings, session }));
session.resume();
