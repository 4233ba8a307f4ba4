import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importPattern, type Module, packageSources, sources, src } from './support/modules.ts';

/** Which folders the files of a folder may import from; `main` and `commands` compose all of them. */
const layers: Record<string, string[]> = {
  kernel: ['kernel'],
  engine: ['engine', 'kernel'],
  domain: ['domain', 'engine', 'kernel'],
  config: ['config', 'http', 'mail', 'kernel'],
  db: ['db', 'config', 'domain', 'engine', 'kernel'],
  http: ['http', 'domain', 'engine', 'kernel'],
  calendar: ['calendar', 'http', 'domain', 'engine', 'kernel'],
  rest: ['rest', 'calendar', 'http', 'domain', 'engine', 'kernel'],
  schema: ['schema', 'http', 'domain', 'engine', 'kernel'],
  explorer: ['explorer', 'pages', 'http', 'domain', 'engine', 'kernel'],
  pages: ['pages', 'calendar', 'http', 'domain', 'engine', 'kernel'],
  mail: ['mail', 'calendar', 'domain', 'kernel'],
  metrics: ['metrics', 'db', 'http', 'domain', 'engine', 'kernel'],
  jobs: ['jobs', 'mail', 'db', 'config', 'domain', 'engine', 'kernel'],
};

/** The storeys that know nothing of HTTP. */
const storeys = ['kernel', 'engine', 'domain'];

/** Packages that belong to one layer; no storey knows anything of HTTP or GraphQL. */
const owners: Record<string, string[]> = {
  express: ['http', 'rest', 'schema', 'explorer', 'pages', 'main'],
  cors: ['main'],
  cookie: ['rest'],
  'cookie-signature': ['rest'],
  nodemailer: ['mail'],
  'prom-client': ['metrics'],
  graphql: ['schema', 'explorer', 'commands'],
  'graphql-yoga': ['schema'],
  '@pothos/core': ['schema'],
  '@pothos/plugin-relay': ['schema'],
  '@mikro-orm/core': ['engine', 'domain', 'db'],
  '@mikro-orm/migrations': ['db'],
  pg: ['db', 'config'],
  kysely: ['engine', 'domain', 'db', 'jobs', 'metrics'],
  '#bounded-http': ['http', 'rest', 'schema', 'main'],
  '#calendar-file': ['calendar'],
  '#code-samples': ['rest'],
  '#command-line': ['commands', 'db'],
  '#demo-content': ['db'],
  '#embedded-postgres': ['db'],
  '#endpoint-client': ['domain', 'config', 'main'],
  '#environment-settings': ['config'],
  '#explorer': ['explorer', 'main'],
  '#explorer-content': ['explorer', 'main'],
  '#generated-data': ['commands'],
  '#html-forms': ['explorer', 'pages'],
  '#log-places': ['domain', 'jobs'],
  '#mail-folder': ['mail', 'pages', 'main'],
  '#notified-cache': ['db', 'domain'],
  '#otlp-traces': ['config', 'http', 'kernel', 'mail', 'main', 'schema'],
  '#passwords': ['commands', 'db', 'domain'],
  '#postgres-access': ['kernel', 'engine', 'domain', 'config', 'db', 'jobs', 'metrics', 'main', 'commands'],
  '#rotating-secrets': ['config', 'commands'],
  '#safe-markdown': ['calendar', 'mail', 'pages'],
  '#sealed-cursor': ['engine'],
  '#sealed-text': ['kernel', 'engine'],
  '#service-log': ['main'],
  '#session-tokens': ['domain', 'main'],
  '#shared-counters': ['kernel'],
  '#slow-readers': ['db', 'domain', 'engine', 'rest'],
  '#table-import': ['commands', 'db'],
};

/** The package that an import names, or null for what is a file or comes with Node.js. */
function packageOf(target: string): string | null {
  if (target.startsWith('.') || target.startsWith('node:')) return null;
  // a workspace that needs no installation
  if (target.startsWith('#')) return target;
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Every import of a package that `npm ci --omit=dev` does not install, in words. */
function missingInProduction(modules: Module[]): string[] {
  const { dependencies } = JSON.parse(readFileSync(path.join(src, '..', 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return modules.flatMap(({ file, text }) =>
    [...text.matchAll(importPattern)].flatMap(([, target = '']) => {
      const name = packageOf(target);
      return name === null || name.startsWith('#') || name in dependencies ? [] : [`${file} imports ${name}`];
    }),
  );
}

/** Every import that crosses a border, in words. */
function violations(modules: Module[]): string[] {
  return modules.flatMap(({ file, text }) => {
    const layer = file.split('/')[0] as string;
    const composes = layer === 'main' || layer === 'commands';
    return [...text.matchAll(importPattern)].flatMap(([, target = '']) => {
      if (target.startsWith('.')) {
        const resolved = path.posix.join(path.posix.dirname(file), target);
        const other = resolved.split('/')[0] as string;
        return composes || layers[layer]?.includes(other) ? [] : [`${file} imports ${resolved}`];
      }
      const allowed = owners[packageOf(target) ?? ''];
      const http = storeys.includes(layer) && /^node:https?2?$/.test(target);
      return http || (allowed && !allowed.includes(layer)) ? [`${file} imports ${target}`] : [];
    });
  });
}

describe('the architecture', () => {
  it('keeps its borders', () => {
    expect(sources().length).toBeGreaterThan(50);
    expect(violations(sources())).toEqual([]);
  });

  it.each([
    ['kernel/errors.ts', "import { Command } from '../engine/command.ts';"],
    ['kernel/request.ts', "import type { IncomingMessage } from 'node:http';"],
    ['domain/event/event.ts', "import { readMarkdown } from '#safe-markdown';"],
    ['engine/list/list.ts', "import { createOrm } from '../../db/orm.ts';"],
    ['domain/event/event.ts', "import express from 'express';"],
    ['rest/server/router.ts', "const orm = await import('../../db/orm.ts');"],
    ['schema/nouns/event.ts', "import type { Route } from '../../rest/server/route.ts';"],
    ['http/exchange.ts', "import { presentProblem } from '../rest/server/problem.ts';"],
  ])('would notice that %s holds: %s', (file, text) => {
    expect(violations([{ file, text }])).toHaveLength(1);
  });

  it('imports nothing that a production install lacks', () => {
    expect(missingInProduction(sources())).toEqual([]);
    // tests need more, and what runs in browsers is bundled with development dependencies: a release carries the result
    const packages = packageSources().filter(
      ({ file }) => !/^(client|explorer-content)\/|^explorer\/src\/(browser|build|make-bundle)\b|\/test\//.test(file),
    );
    expect(packages.length).toBeGreaterThan(10);
    expect(missingInProduction(packages)).toEqual([]);
  });

  it.each([
    "import PostalMime from 'smtp-server';",
    "const { test } = await import('vitest');",
    "import '@biomejs/biome/configuration';",
  ])('would notice that a production install lacks: %s', (text) => {
    expect(missingInProduction([{ file: 'main/server.ts', text }])).toHaveLength(1);
  });

  it('reads memberships through the one condition that says which of them count', () => {
    const readers = (modules: Module[]) =>
      modules.filter(
        ({ file, text }) =>
          storeys.includes(file.split('/')[0] as string) &&
          /(?<!delete )\b(from|join) membership\b|(selectFrom|[jJ]oin)\('membership\b/i.test(text),
      );
    expect(readers(sources()).map(({ file }) => file)).toEqual(['domain/access/memberships.ts']);
    for (const text of ['left join membership m on', "tables.selectFrom('membership as m')"]) {
      expect(readers([{ file: 'domain/user/user.ts', text }])).toHaveLength(1);
    }
  });

  it('begins the transactions of requests in one file, where they take their turns', () => {
    const beginning = sources().filter(
      ({ file, text }) => storeys.includes(file.split('/')[0] as string) && /\.transaction(al)?\(/.test(text),
    );
    // mails that are composed, or queued for many, deliveries, what goes in steps, and the command that ends all sessions,
    // belong to no request
    const others = [
      'account/account-mail.ts',
      'event/due-events.ts',
      'leaving/delete-steps.ts',
      'session/end-all-sessions.ts',
      'webhook/record-attempts.ts',
    ].map((file) => `domain/${file}`);
    const engine = ['engine/jobs/job-queue.ts', 'engine/transaction.ts'];
    expect(beginning.map(({ file }) => file).sort()).toEqual([...others, ...engine].sort());
  });

  it('forgets no part of a noun', () => {
    const all = sources();
    const textOf = (file: string) => all.find((each) => each.file === file)?.text ?? '';
    const names = (pattern: RegExp) =>
      all.flatMap(({ file, text }) =>
        pattern.test(file) ? [...text.matchAll(/export const (\w+): ListResource/g)] : [],
      );
    const entities = all
      .filter(({ file }) => /\.(entity|table)\.ts$/.test(file))
      .map(({ file }) => path.posix.relative('domain', file));
    expect(entities.filter((file) => !textOf('domain/entities.ts').includes(file))).toEqual([]);
    const routes = all.flatMap(({ file, text }) =>
      file.startsWith('rest/nouns/') ? [...text.matchAll(/export (?:const|function) (\w+Routes)\b/g)] : [],
    );
    expect(routes.length).toBeGreaterThan(9);
    const spread = routes
      .map(([, name = '']) => name)
      .filter((name) => !textOf('rest/routes.ts').includes(`...${name}`));
    expect(spread).toEqual([]);
    const resources = names(/\.resource\.ts$/).map(([, name = '']) => name);
    expect(resources.length).toBeGreaterThan(7);
    const mails = all.flatMap(({ file, text }) =>
      file.startsWith('domain/') ? [...text.matchAll(/export const (\w+): (?:\w+)?Mail</g)] : [],
    );
    expect(mails.length).toBeGreaterThan(8);
    expect(mails.filter(([, name = '']) => !textOf('jobs/compose-mail.ts').includes(`  ${name},\n`))).toEqual([]);
    for (const face of ['rest/', 'schema/nouns/']) {
      const served = all.filter(({ file }) => file.startsWith(face)).map(({ text }) => text);
      expect(resources.filter((name) => !served.some((text) => text.includes(name)))).toEqual([]);
    }
    const listed = readFileSync(path.join(import.meta.dirname, 'support/lists.ts'), 'utf8');
    // which has no filter in GraphQL
    expect(resources.filter((name) => !listed.includes(name))).toEqual(['organizationResource']);
  });

  it('keeps the words of interfaces out of the storeys', () => {
    const words =
      /'(rest|relay|graphql|openapi)'|\.meta\(\{ id: '|headersDistinct|setHeader|statusCode|\bstatus: [1-5]\d\d\b/i;
    const naming = (modules: Module[]) =>
      modules.filter(({ file, text }) => storeys.includes(file.split('/')[0] as string) && words.test(text));
    expect(naming(sources()).map(({ file }) => file)).toEqual([]);
    expect(naming([{ file: 'engine/list/list.ts', text: "if (paging.face === 'relay')" }])).toHaveLength(1);
    expect(naming([{ file: 'kernel/usage.ts', text: "response.setHeader('ratelimit', left)" }])).toHaveLength(1);
    expect(naming([{ file: 'kernel/errors.ts', text: 'NOT_FOUND: { status: 404 }' }])).toHaveLength(1);
    expect(naming([{ file: 'domain/form/question.ts', text: ".meta({ id: 'Question' })" }])).toHaveLength(1);
  });

  it('names no noun of the domain in the engine', () => {
    const nouns = [...readFileSync(path.join(src, 'domain/nouns/nouns.ts'), 'utf8').matchAll(/\| '(\w+)'/g)].map(
      ([, noun]) => noun,
    );
    expect(nouns.length).toBeGreaterThan(9);
    // which every service has
    const own = nouns.filter((noun) => !['user', 'organization', 'membership'].includes(String(noun)));
    const words = new RegExp(`\\bphases?\\b|'(${own.join('|')})'`);
    const naming = (modules: Module[]) =>
      modules.filter(({ file, text }) => file.startsWith('engine/') && words.test(text));
    expect(naming(sources()).map(({ file }) => file)).toEqual([]);
    expect(naming([{ file: 'engine/list/resource.ts', text: "export type Noun = 'event';" }])).toHaveLength(1);
    expect(
      naming([{ file: 'engine/list/condition.ts', text: "if (leaf.operator === 'x') return phase;" }]),
    ).toHaveLength(1);
  });

  it('relies on what the driver does not document in one file', () => {
    const access = packageSources().filter(({ file }) => file.startsWith('postgres-access/src/'));
    const casting = [...sources().filter(({ file }) => file.startsWith('db/')), ...access].filter(({ text }) =>
      text.includes('as unknown as'),
    );
    expect(casting.map(({ file }) => file)).toEqual(['postgres-access/src/driver.ts']);
  });

  it('reads the environment in one file', () => {
    const readers = sources().filter(({ text }) => text.includes('process.env'));
    expect(readers.map(({ file }) => file)).toEqual(['config/settings.ts']);
  });
});
