import { expect, it } from 'vitest';
import { copyWithout, devices } from '../bench/devices.ts';

// What speed costs is measured by leaving things out: the source must still be as bench/devices.ts expects it.
it.each(Object.keys(devices))('the service can be copied without %s', async (name) => {
  const { folder, remove } = await copyWithout(name);
  await remove();
  expect(folder).toBeTruthy();
});
