import { postgres } from './test/circles.ts';
import { circle } from './vitest.config.ts';

const exclude = ['test/db/embedded*.test.ts', 'test/db/{plans,prepared}.test.ts'];

export default circle(postgres, exclude, []);
