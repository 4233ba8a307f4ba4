import type { ListField } from '../../src/engine/list/resource.ts';
import { camelCase } from '../../src/schema/relay/dialect.ts';
import { outputName } from '../../src/schema/relay/node-fields.ts';
import { toGraphqlWhere, type Where } from '../support/faces.ts';
import { enumsOf, type List, lists, withIds } from '../support/lists.ts';
import type { Asking, Batch } from './batch.ts';
import { expectSame, expectSameRefusal, refusalOf } from './compare.ts';
import { asRestValue, comparableFields } from './fields.ts';
import type { Answer } from './line.ts';
import type { ReadCase } from './reads.ts';
import { resolve } from './references.ts';

/** A page as either face gives it. */
interface Page {
  items: Record<string, unknown>[];
  ids: string[];
  hasNext: boolean;
  next: string | null;
  hasPrevious: boolean;
  /** The cursor for the page before. */
  previous: string | null;
  /** Null if there was no room for it. */
  total: number | null;
}

/** Where a page stands. */
interface Place {
  limit: number;
  token: string | null;
  /** The page before the one that the cursor is of. */
  back: boolean;
}

const plain = { type: 'integer' } as ListField;
const plainly = (...names: string[]) => names.map((name): [string, ListField] => [name, plain]);
/** What REST returns only if `fields` names it, by the type of GraphQL; null: an enum there. */
const computedOf: Record<string, [string, ListField | null][]> = {
  Event: [['availability', null], ...plainly('places_left', 'url')],
  PublicEvent: plainly('places_left', 'url'),
  EventSubscription: plainly('waiting_position'),
};

/** A list query, asked by both faces. */
export class Question {
  readonly #batch: Batch;
  readonly #read: ReadCase;
  readonly #list: List;
  readonly #where: Where | null;
  /** By the name of REST. */
  readonly #fields: [string, ListField | null][];
  readonly #from: string | null;

  constructor(batch: Batch, read: ReadCase) {
    this.#batch = batch;
    this.#read = read;
    this.#list = lists[read.list as keyof typeof lists];
    const { side } = read.asking;
    this.#where = resolve(read.where, batch.world, side);
    const all = comparableFields(this.#list);
    const computed = computedOf[this.#list.type] ?? [];
    this.#fields = read.fields
      ? [...new Set(read.fields)].map(
          (number) => [...all, ...computed][number % (all.length + computed.length)] as (typeof all)[0],
        )
      : all;
    this.#fields = [...new Map(this.#fields)];
    // elsewhere a list has one order in GraphQL, so its end is asked for, and `from` bounds its beginning
    this.#from = this.#turned || read.cursor !== null ? null : read.from;
  }

  /** Whether GraphQL reads the list from its end. */
  get #turned(): boolean {
    return this.#read.sort === -1 && this.#list.type !== 'Event';
  }

  /** What stands in place of the first cursor. */
  async cursor(): Promise<string | null> {
    return await this.#batch.firstCursor(this.#read.cursor, this.#read.asking, (cursor, { side }) => {
      const path = cursor === '@other' ? '/members' : resolved(this.#list.path, this.#batch, side);
      return `${path}?limit=1`;
    });
  }

  /** A page by both faces; null if they refuse it. */
  async page(place: Place): Promise<Page | null> {
    const { asking } = this.#read;
    const rest = await this.#restAnswer(place);
    const graphql = await this.#graphqlAnswer({ ...asking, service: asking.service + 1 }, place);
    const [refused, refusal] = [refusalOf(rest), refusalOf(graphql)];
    // an object that cannot be seen is null there, whatever is asked about it (reference/graphql.md#ids)
    const holder = (graphql.body as { data?: { holder?: object | null } }).data?.holder;
    if (holder === null && refused && !refusal) return null;
    expectSameRefusal(rest, graphql, 'INVALID_QUERY');
    if (refused) return null;
    this.#batch.count(this.#read.list);
    const [ours, theirs] = [this.#restPage(rest), this.#graphqlPage(graphql)];
    expectSame('the page', { ...ours, total: null, previous: null }, { ...theirs, total: null, previous: null });
    this.#batch.show(this.#batch.side(asking.side).organizationId, ours.ids);
    return { ...theirs, previous: ours.previous };
  }

  /** Compares the counts with that of a page. */
  async count(page: Page | null): Promise<void> {
    const { max, asking } = this.#read;
    const query = new URLSearchParams();
    if (this.#where) query.set('where', JSON.stringify(this.#where));
    if (max !== null) query.set('max', String(max));
    const answer = await this.#batch.rest(
      asking,
      'GET',
      `${resolved(this.#list.path, this.#batch, asking.side)}/count?${query}`,
    );
    const refused = refusalOf(answer);
    if (page === null) return;
    expectSame('the refusal of the count', refused, null);
    expectSame('the count', answer.body, max === null ? page.total : Math.min(max, page.total ?? 0));
  }

  #restAnswer({ limit, token }: Place): Promise<Answer> {
    const { asking, sort, fields, include, posted } = this.#read;
    const relations = include ? this.#list.relations : [];
    const query = {
      ...(this.#where ? { where: this.#where } : {}),
      ...(this.#from === null || token !== null ? {} : { from: this.#from }),
      ...(token === null ? {} : { token }),
      ...(fields ? { fields: ['id', ...this.#fields.map(([name]) => name)].join(' ') } : {}),
      ...(relations.length > 0 ? { include: relations.join(' ') } : {}),
      ...{ sort, limit },
    };
    const path = resolved(this.#list.path, this.#batch, asking.side);
    if (posted) return this.#batch.rest(asking, 'POST', `${path}/query`, query);
    const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, text(value)]));
    return this.#batch.rest(asking, 'GET', `${path}?${search}`);
  }

  #graphqlAnswer(asking: Asking, { limit, token, back }: Place): Promise<Answer> {
    const { open, type, where: whereType, resource, relations } = this.#list;
    const ordered = type === 'Event';
    const backwards = this.#turned !== back;
    const variables = {
      where: this.#where && toGraphqlWhere(this.#where, enumsOf(resource)),
      ...(this.#from === null || token !== null ? {} : { from: this.#from }),
      ...(ordered ? { orderBy: { direction: this.#read.sort === 1 ? 'ASC' : 'DESC' } } : {}),
      ...(backwards ? { last: limit, before: token } : { first: limit, after: token }),
    };
    const selection = this.#fields.map(([name, field]) => (name === 'id' ? '' : ownName(name, field))).join(' ');
    const related = this.#read.include ? relations.map((name) => `${name} { id: databaseId name }`).join(' ') : '';
    const opened = resolved(open, this.#batch, this.#read.asking.side);
    const document = `query ($where: ${whereType}, $from: DateTime, ${ordered ? '$orderBy: EventOrder, ' : ''}$first: Int, $after: String, $last: Int, $before: String) {
      ${opened}(where: $where, from: $from, ${ordered ? 'orderBy: $orderBy, ' : ''}first: $first, after: $after, last: $last, before: $before) {
        totalCount edges { cursor node { id: databaseId ${selection} ${related} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      } ${'}'.repeat(open.split('{').length)}`;
    return this.#batch.graphql(asking, document, variables);
  }

  #restPage({ body }: Answer): Page {
    const { items, has_more, next, prev } = body as { items: Item[]; has_more: boolean; next: string; prev: string };
    const names = new Set(['id', ...this.#fields.map(([name]) => name)]);
    const related = this.#read.include ? this.#list.relations : [];
    return {
      items: items.map((item) => ({
        ...Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name))),
        ...Object.fromEntries(related.map((name) => [name, idAndName(item[name] as Item | null)])),
      })),
      ids: items.map(({ id }) => id),
      ...{ hasNext: has_more, next, hasPrevious: prev !== null, previous: prev, total: null },
    };
  }

  #graphqlPage({ body }: Answer): Page {
    const { holder, ...bare } = (body as { data: { holder?: { connection: Connection }; connection: Connection } })
      .data;
    const { edges, pageInfo, totalCount } = holder?.connection ?? bare.connection;
    const nodes = edges.map(({ node }) => this.#asRest(node));
    const items = this.#turned ? nodes.toReversed() : nodes;
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo;
    const [hasNext, hasPrevious] = this.#turned ? [hasPreviousPage, hasNextPage] : [hasNextPage, hasPreviousPage];
    const [next, previous] = this.#turned ? [startCursor, endCursor] : [endCursor, startCursor];
    return {
      ...{ items, ids: items.map(({ id }) => id), hasNext, hasPrevious, total: totalCount },
      // REST has cursors only where they lead to something
      ...{ next: hasNext ? next : null, previous: hasPrevious ? previous : null },
    };
  }

  /** A node with the values and the order of REST. */
  #asRest(node: Item): Item {
    const related = this.#read.include ? this.#list.relations : [];
    const fields = this.#fields.map(([name, field]) => [
      name,
      asRestValue(field, node[name === 'id' ? 'id' : ownName(name, field)]),
    ]);
    return { id: node.id, ...Object.fromEntries(fields), ...pickFrom(node, related) } as Item;
  }
}

const ownName = (name: string, field: ListField | null) => (field ? outputName(name, field) : camelCase(name));

type Item = Record<string, unknown> & { id: string };

interface Connection {
  totalCount: number;
  edges: { cursor: string; node: Item }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

const pickFrom = (item: Item, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, item[name]]));
const idAndName = (item: Item | null) => item && { id: item.id, name: item.name };

/** The path or opening of a list with the ids of one organization. */
const resolved = (text: string, batch: Batch, side: Asking['side']) =>
  withIds(text, (noun) => resolve(`@${noun}:0`, batch.world, side));
