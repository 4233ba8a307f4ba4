import { globalId } from '../support/send.ts';
import type { Asking, Batch } from './batch.ts';
import type { HostileCase } from './hostile.ts';
import type { Sent } from './line.ts';
import { resolve } from './references.ts';

/** Sends it; whatever the answer, it is none of the service's failing, and has no rows of another organization. */
export async function askHostile(batch: Batch, each: HostileCase): Promise<void> {
  const sent = written(batch, each);
  const side = batch.side(each.asking.side);
  const { text, status, body: read } = await batch.line.send(each.asking.service, sent);
  const whose = each.organization === 'as it is' ? side.organizationId : null;
  batch.check(text, whose, `${decodeLoosely(sent.path)} ${sent.path} ${Buffer.from(sent.body ?? '').toString()}`);
  const isProblem = status >= 400 && sent.method !== 'HEAD' && status !== 304;
  if (isProblem && !/"code":"[A-Z_]+"/.test(text) && read !== null)
    throw new Error(`a refusal without a code: ${status} ${text.slice(0, 300)}`);
}

function written(batch: Batch, each: HostileCase): Sent {
  const { method, body } = each;
  const { side } = each.asking;
  const encoded = (value: string) => encodeLoosely(resolve(value, batch.world, side));
  const target = each.parameters.reduce((text, value) => text.replace(/\{\w+\}/, () => encoded(value)), each.path);
  const search = each.query.map(([name, value]) => `${encodeLoosely(name)}=${encoded(value)}`).join('&');
  // the header of the session, and that of the organization
  const all = batch.headers(each.asking);
  const [authorization, organizationId] = [all.slice(0, -2), all.slice(-2)];
  const organizations = {
    'as it is': organizationId,
    none: [],
    twice: [...organizationId, 'x-organization-id', batch.world.third.organizationId],
    nonsense: ['x-organization-id', 'nonsense'],
  }[each.organization];
  const withType = body === null || body.type === '' ? [] : ['content-type', body.type];
  return {
    method,
    path: search ? `${target}?${search}` : target,
    headers: [...authorization, ...organizations, ...withType, ...each.headers.flat()],
    body:
      body === null || method === 'GET' || method === 'HEAD'
        ? undefined
        : breakAt(withIds(body.text, batch, side), each.broken),
  };
}

/** References in a text as ids; those to objects of another organization are global ids at times. */
function withIds(text: string, batch: Batch, side: Asking['side']): string {
  return text.replaceAll(/@(\w+):\d+(?::(?:twin|third))?/g, (each, noun: string) => {
    const id = resolve(each, batch.world, side);
    const type = { event: 'Event', subscription: 'EventSubscription', membership: 'Membership' }[noun];
    return type && text.includes('node') ? globalId(type, id) : id;
  });
}

/** The body with a byte that is not UTF-8 at a place, or cut off there. */
function breakAt(text: string, at: number | null): string | Uint8Array {
  if (at === null) return text;
  const bytes = Buffer.from(text);
  const place = at % (bytes.length + 1);
  if (at % 2 === 0) return bytes.subarray(0, place);
  if (place < bytes.length) bytes[place] = 0xff;
  return bytes;
}

/** As a path can have it; what is no text stays raw as far as it may. */
function encodeLoosely(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '%ED%A0%80';
  }
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
