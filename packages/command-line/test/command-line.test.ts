import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { done, listVerb, type Nouns, readId, readText, rowVerb, runCommandLine } from '../src/index.ts';

interface Shop {
  customers: { id: string; name: string | null }[];
}

class NotFound extends Error {}

const find = ({ customers }: Shop, id: string) => {
  const found = customers.find((each) => each.id === id);
  if (!found) throw new NotFound();
  return found;
};
const nouns: Nouns<Shop> = {
  customers: {
    list: listVerb(
      'lists customers',
      { name: { value: 'TEXT', does: 'only those' }, of: { value: 'ID', does: 'of a shop' } },
      async ({ customers }, given, { limit, after }) => {
        readId(given, 'of');
        const text = readText(given, 'name') ?? '';
        const first = customers.findIndex(({ id }) => id === after) + 1;
        return customers.filter(({ name }) => name?.includes(text)).slice(first, first + limit);
      },
    ),
    show: rowVerb(['ID'], 'shows a customer', async (shop, id) => find(shop, id)),
    erase: {
      takes: ['ID'],
      does: 'erases a customer',
      destroys: async (shop, id) => find(shop, id).name ?? '',
      run: async (shop, { names: [id] }) => {
        shop.customers = shop.customers.filter((each) => each.id !== id);
        return done('Erased.', { erased: id });
      },
    },
  },
};

let shop: Shop;
let opened: number;
beforeEach(() => {
  shop = {
    customers: [
      { id: '1', name: 'Ada' },
      { id: '2', name: 'Bo\u001b[31m' },
    ],
  };
  opened = 0;
});
afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]) {
  const lines: { out: string[]; error: string[] } = { out: [], error: [] };
  vi.spyOn(console, 'log').mockImplementation((text) => void lines.out.push(text));
  vi.spyOn(console, 'error').mockImplementation((text) => void lines.error.push(text));
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean(lines.out.push(String(text))));
  const code = await runCommandLine<Shop>(
    {
      program: 'shop',
      nouns,
      notes: 'An ID is a number.',
      within: (work) => {
        opened += 1;
        return work(shop);
      },
      meaningOf: (error) => (error instanceof NotFound ? 'unknown' : null),
      present: (name, value) => (name === 'id' ? `#${value}` : value),
    },
    args,
  );
  return { code, out: lines.out.join('\n'), error: lines.error.join('\n') };
}

describe('a command line', () => {
  it('prints a table, or JSON, of presented values', async () => {
    expect((await run('customers', 'list', '--limit', '1')).out).toBe('id  name\n#1  Ada');
    expect((await run('customers', 'list', '--after', '00000000-0000-0000-0000-000000000000')).code).toBe(0);
    expect(JSON.parse((await run('customers', 'list', '--name', 'A', '--json')).out)).toEqual([
      { id: '#1', name: 'Ada' },
    ]);
    expect((await run('customers', 'list', '--name', 'Eve')).out).toBe('None.');
    expect((await run('customers', 'show', '1')).out).toBe('id    #1\nname  Ada');
  });

  it('lets no control character reach the terminal', async () => {
    expect((await run('customers', 'show', '2')).out).toBe('id    #2\nname  Bo�[31m');
  });

  it.each([
    [['shops', 'list'], 'There is no shops; there are customers.'],
    [['customers', 'sell'], 'customers has no sell; it has list, show, erase.'],
    [['customers', 'show'], 'customers show takes ID; got 0.'],
    [['customers', 'show', '1', '--colour'], "Unknown option '--colour'"],
  ])('opens nothing if it is wrong: %s', async (args, message) => {
    const { code, error } = await run(...args);
    expect([code, opened]).toEqual([2, 0]);
    expect(error).toContain(message);
    expect(error).toContain('`shop --help` lists the commands.');
  });

  it.each([
    ['--limit', '0', '--limit must be a number from 1 to 1000.'],
    ['--of', 'x', '--of must be an id.'],
  ])('refuses an option with a wrong value: %s %s', async (name, value, message) => {
    const { code, error } = await run('customers', 'list', name, value);
    expect([code, error]).toEqual([2, `${message}\n\`shop --help\` lists the commands.`]);
  });

  it('destroys nothing without the name or --yes', async () => {
    const refused = await run('customers', 'erase', '1');
    expect([refused.code, shop.customers.length]).toEqual([2, 2]);
    expect(refused.error).toContain('This destroys “Ada”: confirm with --yes.');
    expect(await run('customers', 'erase', '1', '--yes')).toEqual({ code: 0, out: 'Erased.', error: '' });
    expect(shop.customers).toHaveLength(1);
  });

  it('says what is not found, and what fails', async () => {
    expect(await run('customers', 'show', '9')).toEqual({ code: 1, out: '', error: 'Not found among customers: 9.' });
    vi.spyOn(shop.customers, 'find').mockImplementation(() => {
      throw new Error('The shop is closed.');
    });
    expect(await run('customers', 'show', '1')).toEqual({ code: 1, out: '', error: 'The shop is closed.' });
  });

  it('explains itself', async () => {
    expect((await run('--help')).out).toContain('customers show ID   shows a customer');
    expect((await run('customers', '--help')).out).toContain('An ID is a number.');
    expect((await run('customers', 'erase', '--help')).out).toMatch(/--yes\s+asks nothing/);
  });
});
