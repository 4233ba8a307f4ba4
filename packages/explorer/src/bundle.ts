import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The files of a bundle. Their names contain a hash of their content, so that clients may cache them forever. */
export interface Bundle {
  script: string;
  /** For the page's policy and `integrity`: `sha256-…`. */
  scriptHash: string;
  style: string;
  /** By Monaco's label of the worker. */
  workers: Record<'editor' | 'json' | 'graphql', string>;
  /** The page of the REST reference. */
  reference: { nonce: string; script: string; style: string };
}

/** The bundle in a folder, or null if none was built. Read for each page, so that a new one needs no restart. */
export async function readBundle(folder: string): Promise<Bundle | null> {
  try {
    return JSON.parse(await readFile(path.join(folder, 'bundle.json'), 'utf8')) as Bundle;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
