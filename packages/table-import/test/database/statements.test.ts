import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { TableImport } from '../../src/index.ts';
import { check, faultsOf, tables } from '../library.ts';

// of this session alone: the tables are temporary
const client = new Client({ connectionString: new URL('/postgres', inject('templateUrl')).href });

beforeAll(async () => {
  await client.connect();
  await client.query(`create temporary table author (id uuid primary key, name text not null, slug text not null unique,
    born int not null, hash text, version int not null, deleted boolean not null default false)`);
  await client.query(`create temporary table book (author_id uuid not null references author, title text not null, pages int,
    primary key (author_id, title))`);
});
beforeEach(async () => {
  await client.query('truncate author, book');
});
afterAll(() => client.end());

const steps: string[] = [];
const progress = {
  begin: (stage: string, total: number) => void steps.push(`${stage} ${total}`),
  advance: (count: number) => void steps.push(`+${count}`),
  end: () => void steps.push('end'),
};

async function importRows(document: object) {
  const given = new TableImport(tables, Buffer.from(JSON.stringify(document)), check);
  await given.checkRelations(client);
  given.refuseFaults();
  return await given.write(client, progress);
}

const idOf = (index: number) => `0192aaaa-0000-7000-8000-${String(index).padStart(12, '0')}`;
const ada = { id: idOf(1), name: 'Ada', slug: 'ada' };
const bob = { id: idOf(2), name: 'Bob', slug: 'bob' };

const authors = async () =>
  (await client.query('select name, slug, born, hash, version from author order by name')).rows;

it('inserts rows with defaults and computed columns, and counts them', async () => {
  steps.length = 0;
  const books = [{ author_id: ada.id, title: 'Notes' }];
  expect(await importRows({ books, authors: [{ ...ada, password: 'x' }] })).toEqual({ authors: 1, books: 1 });
  expect(await authors()).toEqual([{ name: 'Ada', slug: 'ada', born: 1900, hash: 'hash of x', version: 1 }]);
  expect(steps).toEqual(['authors 1', '+1', 'end', 'books 1', '+1', 'end']);
});

it('updates rows, keeping what is omitted; columns follow changes alone', async () => {
  await importRows({ authors: [{ ...ada, born: 1815, password: 'x' }] });
  await importRows({ authors: [ada] });
  expect(await authors()).toMatchObject([{ born: 1815, hash: 'hash of x', version: 1 }]);
  await importRows({ authors: [{ ...ada, name: 'Ada L.' }] });
  expect(await authors()).toMatchObject([{ name: 'Ada L.', born: 1815, version: 2 }]);
});

it('finds rows by several columns', async () => {
  const book = { author_id: ada.id, title: 'Notes' };
  await importRows({ authors: [ada], books: [book] });
  await importRows({ books: [{ ...book, pages: 65 }] });
  expect((await client.query('select title, pages from book')).rows).toEqual([{ title: 'Notes', pages: 65 }]);
});

it('lets rows swap unique values', async () => {
  await importRows({ authors: [ada, bob] });
  const swapped = [
    { ...ada, slug: 'bob' },
    { ...bob, slug: 'ada' },
  ];
  await importRows({ authors: swapped });
  expect((await authors()).map(({ name, slug }) => [name, slug])).toEqual([
    ['Ada', 'bob'],
    ['Bob', 'ada'],
  ]);
});

it('names what is there twice, in the document or in the database', async () => {
  const book = { author_id: ada.id, title: 'Notes' };
  const twice = { authors: [ada, { ...bob, slug: 'ada' }, { ...bob, id: ada.id }], books: [book, book] };
  expect(await faultsOf(() => importRows(twice))).toEqual([
    '/authors/2/id: is the same as in /authors/0',
    '/authors/1/slug: is the same as in /authors/0',
    '/books/1/title: is the same as in /books/0',
  ]);
  await importRows({ authors: [ada] });
  expect(await faultsOf(() => importRows({ authors: [{ ...bob, slug: 'ada' }] }))).toEqual([
    `/authors/0/slug: is taken in the database, by ${ada.id}`,
  ]);
});

it('names references to rows that are nowhere, or that no row may refer to', async () => {
  await importRows({ authors: [ada, bob] });
  await client.query('update author set deleted = true where id = $1', [bob.id]);
  const books = [ada.id, bob.id, idOf(3)].map((author_id) => ({ author_id, title: 'T' }));
  expect(await faultsOf(() => importRows({ books }))).toEqual([
    '/books/1/author_id: does not refer to any of the authors in the file or the database',
    '/books/2/author_id: does not refer to any of the authors in the file or the database',
  ]);
});

it('writes many rows in several steps', async () => {
  steps.length = 0;
  const many = Array.from({ length: 6_000 }, (_, index) => ({ id: idOf(index), name: 'N', slug: `s${index}` }));
  expect(await importRows({ authors: many })).toEqual({ authors: 6_000, books: 0 });
  expect(steps.slice(0, 4)).toEqual(['authors 6000', '+5000', '+1000', 'end']);
});
