import fc from 'fast-check';
import type { Answer, Line } from './line.ts';
import { elsewhere } from './references.ts';
import { type ActorRole, type FuzzNoun, nouns, type Side, sideOf, type Which, type World } from './world.ts';

/** Who asks for which organization, and at which of the services. */
export interface Asking {
  /** Null asks without a token; what is no role is a token of an account. */
  actor: ActorRole | null | { token: string };
  side: Which;
  service: number;
}

/** Who asks, each so often; seldom somebody of another organization, or nobody. */
export function actors(
  weights: Readonly<Record<'owner' | 'manager' | 'member', number>>,
): fc.Arbitrary<ActorRole | null> {
  const insiders = Object.entries(weights).flatMap(([role, weight]) =>
    Array<ActorRole>(weight).fill(role as ActorRole),
  );
  return fc.constantFrom(...insiders, 'outsider' as const, null);
}

/** Seldom a value, and else null. */
export const seldom = <Value>(arbitrary: fc.Arbitrary<Value>, others = 12) =>
  fc.oneof({ weight: others, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

/** Somebody who reads: mostly from one of the twins. */
export const readers = (weights: Parameters<typeof actors>[0]) =>
  fc.record({
    actor: actors(weights),
    side: fc.constantFrom<Asking['side'][]>(0, 0, 0, 0, 1, 1, 1, 1, 'third'),
    service: fc.nat(1),
  });

/** A world and the way to it; knows whose every row is, and lets none pass to anybody else. */
export class Batch {
  readonly line: Line;
  readonly world: World;
  /** The ids that lists and writes have shown, by the organization that was asked for. */
  readonly shown = new Map<string, Set<string>>();
  readonly #owners = new Map<string, string>();

  constructor(line: Line, world: World) {
    this.line = line;
    this.world = world;
    for (const side of this.#sides()) {
      this.shown.set(side.organizationId, new Set());
      for (const noun of nouns) {
        // a viewer sees their own membership in each organization, whichever they ask for
        if (noun === 'membership') continue;
        for (const id of side.ids[noun]) this.#owners.set(id, side.organizationId);
      }
    }
  }

  side(which: Which): Side {
    return sideOf(this.world, which);
  }

  #sides(): Side[] {
    const { twins, ground, third } = this.world;
    return [...twins, ground, third];
  }

  /** An object that a write has made; the next of its noun. */
  add(side: Side, noun: FuzzNoun, id: string): void {
    side.ids[noun].push(id);
    this.#owners.set(id, side.organizationId);
  }

  headers({ actor, side }: Asking): string[] {
    const { token } = (typeof actor === 'string' ? this.world.actors[actor] : actor) ?? { token: null };
    const authorization = token === null ? [] : ['authorization', `Bearer ${token}`];
    return [...authorization, 'x-organization-id', this.side(side).organizationId];
  }

  /** The event of the subscription that a reference names, which REST has in its path; null for another reference. */
  eventOf(side: Which, reference: string): string | null {
    const [, place, of] = /^@subscription:(\d+)(?::(twin|third))?$/.exec(reference) ?? [];
    if (place === undefined) return null;
    const { ids, eventOf } = this.side(elsewhere(side, of));
    return ids.event[eventOf[Number(place) % eventOf.length] as number] ?? null;
  }

  /**
   * The cursor of the first page: one that is given, or, for what begins with `@`, a real one.
   *
   * @param pathOf where it is taken from, for whoever asks there
   */
  async firstCursor(
    cursor: string | null,
    asking: Asking,
    pathOf: (cursor: string, asking: Asking) => string,
  ): Promise<string | null> {
    if (!cursor?.startsWith('@')) return cursor;
    const asked = cursor === '@twin' ? { ...asking, side: elsewhere(asking.side, 'twin') } : asking;
    const { body } = await this.rest(asked, 'GET', pathOf(cursor, asked));
    const { next } = (body ?? {}) as { next?: string | null };
    return next ? (cursor === '@cut' ? next.slice(0, -3) : next) : 'none';
  }

  async rest(asking: Asking, method: string, path: string, body?: unknown, headers: string[] = []): Promise<Answer> {
    const sent = {
      method,
      path,
      headers: [
        ...this.headers(asking),
        ...(body === undefined ? [] : ['content-type', 'application/json']),
        ...headers,
      ],
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const answer = await this.line.send(asking.service, sent);
    this.check(answer.text, this.side(asking.side).organizationId, `${path} ${sent.body ?? ''}`);
    return answer;
  }

  async graphql(
    asking: Asking,
    query: string,
    variables: Record<string, unknown>,
    headers: string[] = [],
  ): Promise<Answer> {
    const body = JSON.stringify({ query, variables });
    const answer = await this.line.send(asking.service, {
      method: 'POST',
      path: '/graphql',
      headers: [...this.headers(asking), 'content-type', 'application/json', ...headers],
      body,
    });
    this.check(answer.text, this.side(asking.side).organizationId, body);
    return answer;
  }

  /**
   * @param organizationId whose rows may be in an answer
   * @param named what the request says itself, which a fault may repeat
   * @throws Error if there are rows of another organization
   */
  check(text: string, organizationId: string | null, named: string): void {
    for (const { organizationId: owner, marker } of this.#sides()) {
      if (owner !== organizationId && text.includes(marker) && !named.includes(marker)) {
        throw new Error(`shows an event of another organization: ${text.slice(0, 500)}`);
      }
    }
    for (const id of idsIn(text)) {
      const owner = this.#owners.get(id);
      if (owner === undefined || owner === organizationId) continue;
      if (!idsIn(named).has(id))
        throw new Error(`shows ${id}, which is of another organization: ${text.slice(0, 500)}`);
    }
  }

  /** Takes note of what both faces have answered. */
  count(what: string): void {
    const { compared } = this.line.counts;
    compared[what] = (compared[what] ?? 0) + 1;
  }

  show(organizationId: string, ids: readonly string[]): void {
    for (const id of ids) this.shown.get(organizationId)?.add(id);
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** The ids in a text, also those in the global ids of GraphQL. */
export function idsIn(text: string): Set<string> {
  const decoded = (text.match(/[A-Za-z0-9+/]{40,}={0,2}/g) ?? []).map((each) => Buffer.from(each, 'base64').toString());
  return new Set([text, ...decoded].flatMap((each) => each.match(uuid) ?? []).map((id) => id.toLowerCase()));
}
