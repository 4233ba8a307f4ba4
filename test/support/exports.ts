import { expect } from 'vitest';
import { type Caller, callerHeaders, send } from './send.ts';

/** Downloads exports, and reads the lists that they are compared with. */
export function exportsOf(server: { url: string }, reader: Caller) {
  const download = (person: Caller, path: string, signal?: AbortSignal) =>
    fetch(server.url + path, { headers: callerHeaders(person), ...(signal ? { signal } : {}) });

  const textOf = async (path: string, person = reader) => {
    const response = await download(person, path);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
    expect(response.status, text).toBe(200);
    return { response, text };
  };

  const lines = async (path: string) =>
    (await textOf(path)).text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  /** Every item of a list, page by page. */
  const walk = async (path: string) => {
    const items: unknown[] = [];
    let token = '';
    do {
      const { body } = await send<{ items: unknown[]; next: string | null }>(server, reader, `GET ${path}${token}`);
      items.push(...body.items);
      token = body.next ? `&token=${encodeURIComponent(body.next)}` : '';
    } while (token !== '');
    return items;
  };

  return { download, textOf, lines, walk };
}
