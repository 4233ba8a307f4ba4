import { expect, it } from 'vitest';
import { commaSeparated, oneOf, onOff, origin, publicUrl, readVariables, share, strictInteger } from '../src/index.ts';

it('reads values, and takes an empty variable for an absent one', () => {
  const env = { PORT: '80', OPEN: ' ', LEVEL: 'warn' };
  const settings = readVariables(env, (read) => ({
    port: read('PORT', strictInteger(0, 99), 1),
    open: read('OPEN', onOff, null),
    level: read('LEVEL', oneOf(['info', 'warn']), 'info' as const),
  }));
  expect(settings).toEqual({ port: 80, open: null, level: 'warn' });
});

it('tells all faults at once, and quotes no value', () => {
  const env = { PORT: '0x50', SECRET: 'hunter2' };
  const read = () =>
    readVariables(env, (read, report) => {
      read('PORT', strictInteger(0, 99), 1);
      read('SECRET', oneOf(['a', 'b']), 'a');
      report('OTHER', 'needs PORT');
    });
  expect(read).toThrow(
    'The settings are not valid:\n  PORT: must be an integer from 0 to 99\n  SECRET: must be one of a, b\n  OTHER: needs PORT',
  );
});

it.each<[(value: string) => unknown, string, unknown]>([
  [commaSeparated, 'a, b', ['a', 'b']],
  [share, '0.25', 0.25],
  [publicUrl, 'https://mills.example/north//', 'https://mills.example/north'],
  [origin, 'https://mills.example/', 'https://mills.example'],
  [onOff, 'on', true],
])('%o reads %j', (parse, value, read) => {
  expect(parse(value)).toEqual(read);
});

it.each<[(value: string) => unknown, string]>([
  [commaSeparated, 'a,,b'],
  [strictInteger(0, 9999), '1e3'],
  [strictInteger(5, 9), '10'],
  [share, '1.5'],
  [publicUrl, 'https://ann:secret@mills.example'],
  [publicUrl, 'https://mills.example/a;b'],
  [origin, 'https://mills.example/path'],
  [onOff, 'yes'],
])('%o refuses %j', (parse, value) => {
  expect(() => parse(value)).toThrow();
});
