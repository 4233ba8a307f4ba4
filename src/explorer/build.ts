import { bundleFolder } from './bundle.ts';
import { makeBundle } from './make-bundle.ts';

// npm run explorer: builds what GraphiQL's page consists of. `npm ci` runs it as well, so that no request ever waits for it.
await makeBundle(bundleFolder);
