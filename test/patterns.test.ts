import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { parse, type Token } from 'acorn';
import type { AttackPattern, VulnerableDiagnostics } from 'recheck';
import { expect, test } from 'vitest';
import { addressForm } from '#input-values';

// the build without a binary or Java; it has no types of its own
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as typeof import('recheck');

const root = path.join(import.meta.dirname, '..');
const { imports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  imports: Record<string, string>;
};
/** A regular expression as the source has it. */
interface SourcePattern {
  place: string;
  pattern: string;
  flags: string;
}

/** The regular expressions of a module, and whether it builds others, by the tokens of a parser: a string with slashes is none. */
function patternsIn(text: string, file: string) {
  const literals: SourcePattern[] = [];
  let builds = false;
  const onToken = ({ type, value, loc }: Token & { value?: unknown }) => {
    if (type.label === 'name' && value === 'RegExp') builds = true;
    if (type.label !== 'regexp') return;
    const { pattern, flags } = value as { pattern: string; flags: string };
    literals.push({ place: `${file}:${loc?.start.line}`, pattern, flags });
  };
  // leaves every line where it is
  const code = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true, onToken });
  return { literals, builders: builds ? [file] : [] };
}

/** Of the source, and of the packages that it imports. */
const found = ['src', ...Object.values(imports).map((index) => path.dirname(path.normalize(index)))]
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => /\.[jt]s$/.test(file))
  .map((file) => patternsIn(readFileSync(path.join(root, file), 'utf8'), file));
const literals = found.flatMap((each) => each.literals);
const builders = found.flatMap((each) => each.builders);

/** What the modules build that have no literal. */
const built: Record<string, RegExp> = { 'packages/input-values/src/email-address.ts': addressForm };

/** Patterns of super-linear time, by file, and why no client can use that. */
const excepted: Record<string, string> = {
  'packages/explorer/src/make-bundle.ts': 'reads the names of our own modules while the explorer is built',
};

/** The regular expressions that can take more than linear time, or that the checker cannot judge, in words. */
function superLinear(patterns: readonly SourcePattern[]): string[] {
  return patterns.flatMap(({ place, pattern, flags }) => {
    const found = checkSync(pattern, flags, { timeout: 120_000, randomSeed: 1 });
    if (found.status === 'safe') return [];
    // what the checker tries out rather than proves, it also calls slow if its own machine is
    if (found.status === 'vulnerable' && isRefuted(found)) return [];
    const why = found.status === 'vulnerable' ? found.complexity.summary : found.error.kind;
    return [`${place}: /${pattern}/${flags}: ${why}`];
  });
}

/** Whether the checker tried an attack out, and the engine withstands it. */
function isRefuted({ source, flags, checker, complexity, attack }: VulnerableDiagnostics): boolean {
  return checker === 'fuzz' && complexity.type === 'polynomial' && !isSlow(source, flags, attack);
}

/** Whether an attack of 30,000 characters takes the engine itself long: quadratic time is a second, linear time nothing. */
function isSlow(pattern: string, flags: string, { pumps, suffix }: AttackPattern): boolean {
  const timeOf = (repeat: number) => {
    const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(repeat)).join('') + suffix;
    const before = process.cpuUsage();
    text.replace(new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`), '');
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  return timeOf(Math.ceil(30_000 / pumps.reduce((sum, { pump }) => sum + pump.length, 1))) > 200;
}

const fileOf = (found: string) => found.split(':', 1)[0] as string;

test('no regular expression takes more than linear time, but for listed ones that no client reaches', () => {
  expect(literals.length).toBeGreaterThan(100);
  // the explorer's own scripts run in a browser, on what its user typed
  const slow = superLinear(literals.filter(({ place }) => !/explorer(-content\/src|\/src\/browser)\//.test(place)));
  expect(slow.filter((each) => !(fileOf(each) in excepted))).toEqual([]);
  // an exception ends with its pattern
  expect([...new Set(slow.map(fileOf))].sort()).toEqual(Object.keys(excepted).sort());
}, 300_000);

test('a regular expression that is built at run time is checked as well', () => {
  expect(builders).toEqual(Object.keys(built));
  const patterns = Object.entries(built).map(([place, { source, flags }]) => ({ place, pattern: source, flags }));
  expect(superLinear(patterns)).toEqual([]);
});

test('a planted pattern of quadratic or exponential time is found, wherever it stands', () => {
  const planted = String.raw`
    // a comment with /(a+)+$/ in it
    const text: string = '/(b+)+$/';
    const half = 4 / 2 / 1;
    export const number = (given: string) => /^[+-]?(\d+\.?\d*|\.\d+)$/.test(given);
    const ends = text.replace(/-+$/, '').split(/,/);
    const nested = ${'`$'}${'{text.match(/^(\\w+\\s?)*$/)}`'};
    const made = new RegExp(text);
  `;
  const { literals: found, builders: building } = patternsIn(planted, 'planted.ts');
  expect(found.map(({ place }) => place)).toEqual([5, 6, 6, 7].map((line) => `planted.ts:${line}`));
  expect(superLinear(found)).toEqual([
    expect.stringMatching(/^planted\.ts:5: .* polynomial/),
    expect.stringMatching(/^planted\.ts:6: .* polynomial/),
    expect.stringMatching(/^planted\.ts:7: .* exponential/),
  ]);
  expect(building).toEqual(['planted.ts']);
});
