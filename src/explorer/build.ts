import { bundleFolder } from './bundle.ts';
import { makeBundle } from './make-bundle.ts';

// npm run explorer: builds the files of the GraphiQL page. `npm ci` also runs it, so that no request ever waits for it.
await makeBundle(bundleFolder);
