import { z } from 'zod';
import { ImportFaults, type Tables } from '../src/index.ts';

const id = z.string().length(36);

export const tables = {
  authors: {
    table: 'author',
    keys: {
      ...{ id, name: z.string().min(1), slug: z.string(), born: z.int().default(1900) },
      ...{ password: z.string().optional(), version: z.int().default(1) },
    },
    refused: { books: 'are counted' },
    unstored: ['password'],
    unique: { slug: ['slug'] },
    referable: 'not deleted',
    complete: (row, report) => {
      if (row.name === 'nobody') report('name', 'is nobody');
      if (row.password !== undefined) row.hash = `hash of ${row.password}`;
    },
    computed: { hash: '"row".hash' },
    following: (changed) => ({ version: `author.version + case when ${changed} then 1 else 0 end` }),
  },
  books: {
    table: 'book',
    identity: ['author_id', 'title'],
    keys: { author_id: id, title: z.string(), pages: z.int().nullish() },
    references: { author_id: 'authors' },
  },
} as const satisfies Tables<string>;

export function check(schema: z.ZodType, value: unknown) {
  const { success, data, error } = schema.safeParse(value);
  return success ? { value: data } : { issues: error.issues.map(({ message }) => ({ pointer: '', detail: message })) };
}

export async function faultsOf(act: () => unknown): Promise<string[]> {
  try {
    await act();
  } catch (error) {
    if (error instanceof ImportFaults) return error.faults;
    throw error;
  }
  return [];
}
