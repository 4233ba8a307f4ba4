import { expect } from 'vitest';
import { type Change, type ChangePage, openStream } from './changes.ts';
import { everyItemAt } from './exports.ts';
import { type Answer, type Caller, graphql, send } from './send.ts';
import type { Person } from './server.ts';

type Row = Record<string, unknown>;
type Server = { url: string };

interface GraphqlPage {
  nodes: Change[];
  pageInfo: { endCursor: string; hasNextPage: boolean };
}

const selection = `changes(after: $after, first: $first, since: $since) {
  nodes { id kind op object_id: objectDatabaseId event_id: eventDatabaseId version actor_id: actorDatabaseId occurred_at: occurredAt }
  pageInfo { endCursor hasNextPage } }`;

/** A client that keeps a copy of what a viewer sees, by the rules of reference/changes.md#no-gaps. */
export class Copy {
  /** Events, forms and subscriptions by their paths. */
  readonly rows = new Map<string, Row>();
  readonly #person: Person;
  readonly #servers: Server[];
  readonly #random: (below: number) => number;
  #token: string | null = null;
  /** The ids of all changes since it last began. */
  #told = new Set<string>();

  /** @param random chooses the face, the process and the size of each page */
  constructor(person: Person, servers: Server[], random: (below: number) => number) {
    this.#person = person;
    this.#servers = servers;
    this.#random = random;
  }

  /** Begins with the lists as they are. */
  async beginNow(): Promise<void> {
    const begun = await this.#get<ChangePage>('/changes?since=now');
    this.#token = begun.body.next;
    this.#told = new Set();
    for (const kind of ['event', 'subscription'] as const) await this.#readAgain(kind);
  }

  /** Applies a page; returns whether more follows. */
  async step(): Promise<boolean> {
    const page = await this.#page();
    if (page === null) {
      await this.beginNow();
      return true;
    }
    for (const change of page.items) await this.#apply(change);
    this.#token = page.next;
    return page.has_more;
  }

  async rest(): Promise<void> {
    while (await this.step());
  }

  /** Follows a stream for a while. */
  async follow(milliseconds: number): Promise<void> {
    const query = this.#token === null ? '' : `token=${this.#token}`;
    const stream = await openStream(this.#server(), this.#person, query);
    if (stream.response.status !== 200) {
      stream.close();
      return;
    }
    await Promise.race([stream.closed, new Promise((resolve) => setTimeout(resolve, milliseconds))]);
    stream.close();
    for (const { id, event, data } of [...stream.events]) {
      if (event === 'change') await this.#apply(data as unknown as Change);
      this.#token = id ?? this.#token;
    }
  }

  /** What the lists say to the viewer now, in the form of the copy. */
  async expected(): Promise<Copy> {
    const lists = new Copy(this.#person, this.#servers, this.#random);
    await lists.beginNow();
    return lists;
  }

  #server(): Server {
    return this.#servers[this.#random(this.#servers.length)] as Server;
  }

  #get<Body>(path: string): Promise<Answer<Body>> {
    return send<Body>(this.#server(), this.#person, `GET ${path}`);
  }

  /** Null where the cursor has expired. */
  async #page(): Promise<ChangePage | null> {
    const limit = [1, 3, 50][this.#random(3)] as number;
    if (this.#random(2) === 0) {
      const begin = this.#token === null ? 'since=start' : `token=${this.#token}`;
      const answer = await this.#get<ChangePage>(`/changes?${begin}&limit=${limit}`);
      if (answer.status === 410) return null;
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    }
    const variables = { after: this.#token, first: limit, since: this.#token === null ? 'START' : null };
    const document = `query ($after: String, $first: Int, $since: ChangeSince) { ${selection} }`;
    const answer = await graphql(this.#server(), this.#person as Caller, document, variables);
    if (answer.errors?.[0]?.extensions.code === 'CURSOR_EXPIRED') return null;
    expect(answer.errors, answer.text).toBeUndefined();
    const { changes } = answer.data as unknown as { changes: GraphqlPage };
    const { nodes, pageInfo } = changes;
    const items = nodes.map((each) => ({
      ...each,
      kind: each.kind.toLowerCase() as Change['kind'],
      op: each.op.toLowerCase() as Change['op'],
    }));
    return { items, length: items.length, has_more: pageInfo.hasNextPage, next: pageInfo.endCursor, prev: null };
  }

  async #apply({ id, kind, op, object_id: objectId, event_id: eventId }: Change): Promise<void> {
    expect(this.#told.has(id), `change ${id} came twice`).toBe(false);
    this.#told.add(id);
    if (op === 'refetch') return await this.#readAgain(kind);
    const event = `/events/${kind === 'event' ? objectId : eventId}`;
    if (kind === 'form') await this.#read(`${event}/form`);
    else if (kind === 'subscription') await this.#read(`${event}/subscriptions/${objectId}`);
    else {
      await this.#read(event);
      // an event that is published brings its form and subscriptions without changes of their own
      if (op === 'created') {
        await this.#read(`${event}/form`);
        this.#setAll(await this.#list(`${event}/subscriptions`));
      }
      if (op === 'hidden' || op === 'deleted') this.#forget((path) => path.startsWith(event));
    }
  }

  /** What has become invisible in the meantime is told later. */
  async #read(path: string): Promise<void> {
    const { status, body } = await this.#get<Row>(path);
    if (status === 200) this.rows.set(path, body);
    else this.rows.delete(path);
  }

  #forget(isGone: (path: string) => boolean): void {
    for (const path of this.rows.keys()) if (isGone(path)) this.rows.delete(path);
  }

  #setAll(subscriptions: Row[]): void {
    for (const row of subscriptions) this.rows.set(`/events/${row.event_id}/subscriptions/${row.id}`, row);
  }

  async #readAgain(kind: Change['kind']): Promise<void> {
    const gone = { event: /^\/events\/[^/]+(\/form)?$/, form: /\/form$/, subscription: /\/subscriptions\// }[kind];
    this.#forget((path) => gone.test(path));
    if (kind === 'subscription') return this.#setAll(await this.#list('/subscriptions'));
    for (const row of await this.#list('/events')) {
      if (kind === 'event') this.rows.set(`/events/${row.id}`, row);
      await this.#read(`/events/${row.id}/form`);
    }
  }

  #list(path: string): Promise<Row[]> {
    return everyItemAt(this.#server(), this.#person, path);
  }
}
