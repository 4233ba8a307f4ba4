import { nightly, unit } from './test/circles.ts';
import { circle } from './vitest.config.ts';

const { test, ...base } = circle(unit, nightly, []);

export default { ...base, test: { ...test, globalSetup: [] } };
