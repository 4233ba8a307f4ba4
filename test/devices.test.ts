import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { devices, filesOf, optionWithout } from '../bench/devices.ts';

// What speed costs is measured by leaving things out: another module stands for the one that is there for speed.
describe.each(Object.entries(devices))('without %s', (name, device) => {
  const { module, without } = filesOf(device);

  it('the other module has the same exports', async () => {
    const [exports, others] = await Promise.all([import(module), import(without)]);
    expect(Object.keys(others).sort()).toEqual(Object.keys(exports).sort());
  });

  it('every import of the module gets the other one', async () => {
    const [exported] = Object.keys(await import(without));
    const script = `const [one, other] = await Promise.all([${[module, without].map((url) => `import('${url}')`)}]);
      process.stdout.write(String(one.${exported} === other.${exported}))`;
    const run = (...options: string[]) =>
      execFileSync(process.execPath, [...options, '--input-type=module', '--eval', script], { encoding: 'utf8' });
    expect(run()).toBe('false');
    expect(run(optionWithout(name))).toBe('true');
  });
});

it('every module in bench/without stands for one of a device', () => {
  const modules = readdirSync(new URL('../bench/without', import.meta.url)).filter((file) => file !== 'register.ts');
  expect(modules.sort()).toEqual(
    Object.values(devices)
      .map(({ without }) => without)
      .sort(),
  );
});

it('refuses a device that there is not', () => {
  expect(() => optionWithout('anything')).toThrow('There is no device anything.');
});
