import { expect } from 'vitest';
import { type Caller, callerHeaders, type Page, send } from './send.ts';

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

  const walk = (path: string) => everyItemAt(server, reader, path);

  return { download, textOf, lines, walk };
}

/** Every item of a list, page by page; none of what is not found. */
export async function everyItemAt<Item>(server: { url: string }, caller: Caller, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let token: string | null = ''; token !== null; ) {
    const more: string = token && `${path.includes('?') ? '&' : '?'}token=${token}`;
    const { status, body } = await send<Page<Item>>(server, caller, `GET ${path}${more}`);
    if (status === 404) break;
    items.push(...body.items);
    token = body.next;
  }
  return items;
}
