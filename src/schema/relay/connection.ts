import type { ObjectRef } from '@pothos/core';
import type { Selection } from '#compiled-graphql';
import { type Context, withMembership } from '../../engine/context.ts';
import { type Count, greatestCap, parseCap } from '../../engine/list/count.ts';
import { rowCursor } from '../../engine/list/list.ts';
import { itemCursor, type Page } from '../../engine/list/page.ts';
import type { ListResource } from '../../engine/list/resource.ts';
import { builder, type ObjectFields, type Types } from '../builder/builder.ts';
import type { PageArguments } from './list-arguments.ts';

/** Also if a cursor is given, so that it is checked. */
export function needsPage(selection: Selection, args: PageArguments): boolean {
  const selected = selection.has('edges') || selection.has('nodes') || selection.has('pageInfo');
  return selected || Boolean(args.after) || Boolean(args.before);
}

export function itemReads(selection: Selection): { columns: string[]; cursors: boolean; flags: boolean } {
  const info = selection.below('pageInfo');
  const shows = (...names: string[]) => names.some((name) => info?.has(name));
  return {
    columns: [...new Set(itemSelections(selection).flatMap((each) => each.columns()))].sort(),
    cursors: selection.below('edges')?.has('cursor') || shows('startCursor', 'endCursor'),
    flags: shows('hasNextPage', 'hasPreviousPage'),
  };
}

export function itemSelections(selection: Selection): Selection[] {
  return [selection.below('nodes'), selection.below('edges')?.below('node')].filter(
    (each) => each !== null && each !== undefined,
  );
}

/** Like {@link itemSelections}, but one for each response key, as the executor sees them. */
export function itemPlaces(selection: Selection): Selection[] {
  const fieldsOf = (parent: Selection, field: string) =>
    parent
      .relations()
      .filter(({ node }) => node.name.value === field)
      .flatMap(({ key, types }) => types.map((type) => parent.under(key, type)));
  return [...fieldsOf(selection, 'nodes'), ...fieldsOf(selection, 'edges').flatMap((edge) => fieldsOf(edge, 'node'))];
}

class Edge<Row> {
  readonly node: Row;
  private readonly page: Page<Row>;

  constructor(page: Page<Row>, node: Row) {
    this.page = page;
    this.node = node;
  }

  get cursor(): string {
    return itemCursor(this.page, this.node);
  }
}

class PageInfo<Row> {
  private readonly page: Page<Row> | null;

  constructor(page: Page<Row> | null) {
    this.page = page;
  }

  get hasNextPage(): boolean {
    return this.page?.hasNext ?? false;
  }

  get hasPreviousPage(): boolean {
    return this.page?.hasPrevious ?? false;
  }

  get startCursor(): string | null {
    return this.cursor(this.page?.items[0]);
  }

  get endCursor(): string | null {
    return this.cursor(this.page?.items.at(-1));
  }

  private cursor(row: Row | undefined): string | null {
    return this.page && row ? itemCursor(this.page, row) : null;
  }
}

/** Everything is computed only if selected: a cursor costs a MAC, the total a statement. */
export class Connection<Row> {
  private readonly page: Page<Row> | null;
  /** Up to `max` if given. */
  readonly count: (max?: number) => Promise<Count>;

  /** @param page null if it was not selected, or if its parent no longer exists */
  constructor(page: Page<Row> | null, count: (max?: number) => Promise<Count>) {
    this.page = page;
    this.count = count;
  }

  get nodes(): Row[] {
    return this.page?.items ?? [];
  }

  get edges(): Edge<Row>[] {
    const { page } = this;
    return page ? page.items.map((row) => new Edge(page, row)) : [];
  }

  get pageInfo(): PageInfo<Row> {
    return new PageInfo(this.page);
  }
}

/** By connection type. */
const edges = new WeakMap<object, ObjectRef<Types, { node: unknown; cursor: string }>>();

interface NewEdge<Row> {
  node: Row;
  cursor: string;
}

/** For clients that append the new object to a list (Relay's `@appendEdge`). */
export function newEdge<Parent, Row>(
  t: ObjectFields<Parent>,
  connection: ObjectRef<Types, Connection<Row>>,
  description: string,
  resolve: (parent: Parent, ctx: Context) => NewEdge<Row> | Promise<NewEdge<Row>>,
) {
  const type = edges.get(connection);
  if (!type) throw new Error('this connection has no edge type');
  return t.field({
    type,
    description,
    extensions: { cost: 1 },
    resolve: (parent, _args, ctx) => resolve(parent as Parent, ctx) as never,
  });
}

/** Of the organization's unfiltered list. */
export function ownEdge(resource: ListResource) {
  return <Row extends { id: string }>(node: Row, ctx: Context): NewEdge<Row> => ({
    node,
    cursor: rowCursor(withMembership(ctx), resource, node),
  });
}

const CountType = builder.objectRef<Count>('Count');

CountType.implement({
  description: 'The number of items in a list, counted up to a cap if one is given.',
  fields: (t) => ({
    value: t.exposeInt('value', { description: 'The number of items; never above the cap.' }),
    exact: t.exposeBoolean('exact', { description: 'Whether the number is exact; if not, there are more items.' }),
  }),
});

const capArgument = builder.args((t) => ({
  max: t.int({
    description: `Stops counting at this number, 1 to ${greatestCap}, which limits the cost. Without it, the number is always exact.`,
  }),
}));

export function connectionType<Row>(type: ObjectRef<Types, Row>, items: string): ObjectRef<Types, Connection<Row>> {
  const name = type.name;
  const own = (parent: object) => parent as Connection<Row>;
  const edge = builder.edgeObject({
    type,
    name: `${name}Edge`,
    description: `An item of a page of ${items}, with its cursor.`,
  });
  const ref = builder.connectionObject(
    {
      type,
      name: `${name}Connection`,
      description: `A page of ${items}.`,
      fields: (t) => ({
        nodes: t.field({
          type: [type],
          description: 'The items.',
          resolve: (parent) => own(parent).nodes as never,
        }),
        totalCount: t.int({
          description: "The number of items in the whole list; the same as REST's `…/count`.",
          resolve: async (parent) => (await own(parent).count()).value,
        }),
        count: t.field({
          type: CountType,
          description:
            "The number of items in the whole list, up to `max` if given; the same as REST's `…/count?max=`.",
          args: capArgument,
          resolve: (parent, args) => own(parent).count(parseCap(args.max)),
        }),
      }),
    },
    edge,
  );
  edges.set(ref, edge as never);
  return ref as unknown as ObjectRef<Types, Connection<Row>>;
}
