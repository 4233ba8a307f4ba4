import { nightly, nightlyOwn } from './test/circles.ts';
import { circle } from './vitest.config.ts';

export default circle(nightly, [], nightlyOwn);
