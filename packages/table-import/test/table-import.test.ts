import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TableImport } from '../src/index.ts';
import { check, faultsOf, tables } from './library.ts';

const id = '0192aaaa-0000-7000-8000-000000000001';
const author = { id, name: 'Ada', slug: 'ada' };

const read = (file: Buffer | string) => new TableImport(tables, Buffer.from(file), check);

const faultsOfRows = (document: unknown) => faultsOf(() => read(JSON.stringify(document)).refuseFaults());

describe('reading a document', () => {
  it('gives the rows of each section, with what is added to them', () => {
    const { rows } = read(JSON.stringify({ authors: [{ ...author, born: 1815, password: 'x' }] }));
    expect(rows).toEqual({ authors: [{ ...author, born: 1815, password: 'x', hash: 'hash of x' }], books: [] });
  });

  it('skips a byte order mark, and the lines that npm writes before an output', () => {
    expect(read('\ufeff{"authors":[]}').rows.authors).toEqual([]);
    expect(read('\n> library@1.0.0 export\n> node export.ts\n\n{}').rows.authors).toEqual([]);
  });

  it.each([
    ['{"authors": [', /^The file is not JSON: /],
    [Buffer.from([0x7b, 0xff, 0x7d]), /^The file is not UTF-8\.$/],
  ])('refuses %s', async (file, reason) => {
    const [fault, ...more] = await faultsOf(() => read(file));
    expect(fault).toMatch(reason);
    expect(more).toEqual([]);
  });

  it.each([
    [[], '/: must be an object with any of authors, books'],
    [{ readers: [] }, '/readers: is unknown; known are authors, books'],
    [{ 'a/~b': [] }, '/a~1~0b: is unknown; known are authors, books'],
    [{ authors: {} }, '/authors: must be a list'],
    [{ authors: [7] }, '/authors/0: must be an object'],
    [{ authors: [{ ...author, toString: 1 }] }, '/authors/0/toString: is unknown; known are id, name, slug, born'],
    [{ authors: [{ ...author, books: 1 }] }, '/authors/0/books: are counted'],
    [{ authors: [{ ...author, name: undefined }] }, '/authors/0/name: is missing'],
    [{ authors: [{ ...author, name: '' }] }, '/authors/0/name: too small'],
    [{ authors: [{ ...author, name: 'a\0' }] }, '/authors/0/name: contains a NUL character'],
    [{ authors: [{ ...author, name: '\ud800' }] }, '/authors/0/name: contains a lone surrogate'],
    [{ authors: [{ ...author, name: 'nobody' }] }, '/authors/0/name: is nobody'],
    [{ authors: [{ ...author, '\u001b[2J': 1 }] }, '/authors/0/\\u001b[2J: is unknown; known are id, name, slug, born'],
  ])('names the fault of %j', async (document, fault) => {
    expect((await faultsOfRows(document)).map((each) => each.slice(0, fault.length))).toEqual([fault]);
  });

  it('refuses numbers beyond doubles, and endless nesting, in values that may be anything', async () => {
    const any = { notes: { table: 'note', keys: { id: z.string(), content: z.json() } } };
    const faults = (content: string) =>
      faultsOf(() =>
        new TableImport(any, Buffer.from(`{"notes":[{"id":"1","content":${content}}]}`), check).refuseFaults(),
      );
    expect(await faults('{"a":[1e999]}')).toEqual(['/notes/0/content/a/0: is a number that is too large']);
    expect(await faults('{"x\\u0000":1}')).toEqual(['/notes/0/content/x\\u0000: contains a NUL character']);
    expect(await faults('[[1e99]]')).toEqual([]);
    const [nested = ''] = await faults(`${'['.repeat(200)}${']'.repeat(200)}`);
    expect(nested).toMatch(/^\/notes\/0\/content(\/0){100}: is nested more than 100 levels deep$/);
  });

  it('finds all faults at once', async () => {
    const faults = await faultsOfRows({ authors: [{}, { ...author, name: '' }], books: 1 });
    expect(faults.map((fault) => fault.split(': ')[0])).toEqual([
      ...['/authors/0/id', '/authors/0/name', '/authors/0/slug', '/authors/1/name', '/books'],
    ]);
  });
});
