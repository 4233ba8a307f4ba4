import { packRelease } from './package.ts';

// npm run package: dist/events-gateway-<version>.tgz, as a release has it
console.log(packRelease(process.cwd()));
