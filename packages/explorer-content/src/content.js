import './as-rest.css';
import { asRestPlugin } from './as-rest-panel.js';

export { examples } from './examples.ts';
export { placeholders } from './placeholders.ts';

export const plugins = ({ session, lastAnswer, base, data }) => [
  asRestPlugin({ session, lastAnswer, base, twins: data.twins }),
];
