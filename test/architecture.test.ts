import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const src = path.join(import.meta.dirname, '..', 'src');

interface Module {
  /** Below `src`, with slashes. */
  file: string;
  text: string;
}

/** Which folders the files of a folder may import from; what stands at the top of `src` composes all of them. */
const layers: Record<string, string[]> = {
  domain: ['domain'],
  db: ['db', 'domain', ''],
  rest: ['rest', 'domain'],
  schema: ['schema', 'domain'],
  mail: ['mail', 'domain'],
};

/** Packages that belong to one layer; the domain knows nothing of HTTP or GraphQL. */
const owners: Record<string, string[]> = {
  express: ['rest', 'schema', ''],
  cors: [''],
  cookie: ['rest'],
  'cookie-signature': ['rest'],
  nodemailer: ['mail'],
  'postal-mime': ['mail'],
  graphql: ['schema'],
  'graphql-yoga': ['schema'],
  '@graphql-yoga/render-graphiql': ['schema'],
  '@pothos/core': ['schema'],
  '@pothos/plugin-relay': ['schema'],
  '@mikro-orm/migrations': ['db'],
};

const importPattern = /(?:from|import)\s*\(?\s*'([^']+)'/g;

/** Every import that crosses a border, in words. */
function violations(modules: Module[]): string[] {
  return modules.flatMap(({ file, text }) => {
    const layer = file.includes('/') ? (file.split('/')[0] as string) : '';
    return [...text.matchAll(importPattern)].flatMap(([, target = '']) => {
      if (target.startsWith('.')) {
        const resolved = path.posix.join(path.posix.dirname(file), target);
        const other = resolved.includes('/') ? (resolved.split('/')[0] as string) : '';
        return layer === '' || layers[layer]?.includes(other) ? [] : [`${file} imports ${resolved}`];
      }
      const name = target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/');
      const allowed = owners[name];
      const http = layer === 'domain' && /^node:https?2?$/.test(target);
      return http || (allowed && !allowed.includes(layer)) ? [`${file} imports ${target}`] : [];
    });
  });
}

function sources(): Module[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(path.join(src, file), 'utf8') }));
}

describe('the architecture', () => {
  it('keeps its borders', () => {
    expect(sources().length).toBeGreaterThan(50);
    expect(violations(sources())).toEqual([]);
  });

  it.each([
    ['domain/event/event.ts', "import express from 'express';"],
    ['domain/event/event.ts', "import { createServer } from 'node:http';"],
    ['domain/event/event.ts', "import { createOrm } from '../../db/orm.ts';"],
    ['rest/router.ts', "import { builder } from '../schema/builder.ts';"],
    ['rest/router.ts', "const orm = await import('../db/orm.ts');"],
    ['schema/event.ts', "import type { Route } from '../rest/route.ts';"],
    ['schema/event.ts', "import { readSettings } from '../config.ts';"],
    ['domain/account/signup.ts', "import { createTransport } from 'nodemailer';"],
    ['mail/outbox.ts', "import { sendProblem } from '../rest/problem.ts';"],
    ['db/orm.ts', "import { GraphQLError } from 'graphql';"],
  ])('would notice that %s holds: %s', (file, text) => {
    expect(violations([{ file, text }])).toHaveLength(1);
  });

  it('reads the environment in one file', () => {
    const readers = sources().filter(({ text }) => text.includes('process.env'));
    expect(readers.map(({ file }) => file)).toEqual(['config.ts']);
  });
});
