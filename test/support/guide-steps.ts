import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

const guidesFolder = path.join(import.meta.dirname, '..', '..', 'docs', 'guides');

export interface GuideStep {
  language: 'sh' | 'js';
  text: string;
  /** The end of what it prints; absent if the guide does not say. */
  printed: string | undefined;
}

const client = new URL('../../packages/client/src/', import.meta.url).href;

/** A program with the client package of the sources, as a reader has installed it. */
export const fromSources = (program: string) =>
  program.replace(/'events-gateway-client(?:\/(\w+))?'/, (_, module = 'index') => `'${client}${module}.ts'`);

/** The program of a guide that is saved under a name. */
export const programOf = (guide: string, name: string) =>
  fromSources(stepsOf(guide).find(({ text }) => text.startsWith(`// ${name}`))?.text ?? '');

/** A line between what two steps print. */
export const endOfStep = '<end of step>';

/** The names of all guides. */
export const guides = readdirSync(guidesFolder);

/** The blocks of a guide that run, and after each what it prints. */
export const stepsOf = (guide: string) => stepsIn(readFileSync(path.join(guidesFolder, guide), 'utf8'));

/** The same of any text. */
export function stepsIn(text: string): GuideStep[] {
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, body = '']) => ({
    language,
    body,
  }));
  return blocks.flatMap(({ language, body }, index) => {
    if (language !== 'sh' && language !== 'js') return [];
    const next = blocks[index + 1];
    return [{ language, text: body, printed: next?.language === 'json' ? next.body.trim() : undefined }];
  });
}

/** Expects that each step printed what its guide says. */
export function expectPrinted(steps: readonly GuideStep[], stdout: string): void {
  const said = stdout.split(endOfStep).map((each) => each.trim());
  for (const [index, { text, printed }] of steps.entries()) {
    if (printed === undefined) continue;
    const last = said[index]?.split('\n').at(-1) ?? '';
    if (printed.startsWith('{')) expect(JSON.parse(last), text).toMatchObject(JSON.parse(printed));
    else expect(last, text).toBe(printed.replace(/^"(.*)"$/, (whole, inner) => (whole.includes(':') ? whole : inner)));
  }
}
