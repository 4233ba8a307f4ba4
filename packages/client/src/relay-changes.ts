import {
  ConnectionHandler,
  type HandleFieldPayload,
  type RecordProxy,
  type RecordSourceProxy,
  type RecordSourceSelectorProxy,
} from 'relay-runtime';
import { growthOf, isGone, type ListArguments, type LoadedList, placeIn, type Read } from './lists.ts';

/** The lists that follow changes, by their field, with the type of their nodes. */
const followed: Record<string, 'Event' | 'EventSubscription'> = {
  events: 'Event',
  eventSubscriptions: 'EventSubscription',
  subscriptions: 'EventSubscription',
};

/** What a connection's record keeps of its list, as JSON. */
interface List {
  type: 'Event' | 'EventSubscription';
  /** The event of a list below one. */
  event: string | null;
  args: ListArguments;
}

const listsField = '__eventsGatewayLists';
/** Objects that changed lately: a page that was asked for before may come after the change, and lack them. */
const changedField = '__eventsGatewayChanged';
const most = 1_000;
const argumentsField = '__eventsGatewayArguments';

/** Notes which list a connection is, after a page of it was read. */
export function rememberList(
  store: RecordSourceProxy,
  { dataID, fieldKey, handleKey, args }: HandleFieldPayload,
): void {
  const name = fieldKey.split('(')[0] ?? '';
  const type = followed[name];
  const connection = store.get(dataID)?.getLinkedRecord(handleKey);
  if (!type || !connection) return;
  const { where, orderBy, from, after, before } = args as ListArguments & { after?: unknown; before?: unknown };
  // a later page leaves the list where it begins; an earlier one takes it back beyond that
  const begin = after ? (listOf(connection)?.args.from ?? null) : before ? null : (from ?? null);
  const event = name === 'subscriptions' ? dataID : null;
  const list: List = { type, event, args: { where, orderBy, from: begin } };
  connection.setValue(JSON.stringify(list), argumentsField);
  const known = connectionsOf(store).filter((each) => each.getDataID() !== connection.getDataID());
  const root = store.getRoot();
  root.setLinkedRecords([...known, connection], listsField);
  for (const object of root.getLinkedRecords(changedField) ?? []) if (object) settle(store, connection, object, 'READ');
}

/** Remembers an object for pages that are still on their way. */
function remember(root: RecordProxy, object: RecordProxy): void {
  const others = (root.getLinkedRecords(changedField) ?? []).filter((each) => each?.getDataID() !== object.getDataID());
  root.setLinkedRecords([...others, object].slice(-most), changedField);
}

function listOf(connection: RecordProxy): List | null {
  const text = connection.getValue(argumentsField);
  return typeof text === 'string' ? (JSON.parse(text) as List) : null;
}

const connectionsOf = (store: RecordSourceProxy): RecordProxy[] =>
  (store.getRoot().getLinkedRecords(listsField) ?? []).filter((each) => each !== null);

/**
 * The updater of a subscription to `changes(after: $after)`: the object is added, moved or removed in each connection by its
 * filter and order. If the store cannot decide about one, it is invalidated: `useSubscribeToInvalidationState` says when.
 *
 * The change has `kind op objectGlobalId` and the `id` of `event` or `subscription`, and in these what the lists show and
 * filter by; the `subscription` with its `event`.
 */
export function applyChange(store: RecordSourceSelectorProxy): void {
  const change = store.getRootField('changes')?.getLinkedRecord('change');
  if (!change) return;
  const read = (name: string) => String(change.getValue(name));
  const [kind, op, id] = [read('kind'), read('op'), read('objectGlobalId')];
  if (op === 'REFETCH') {
    store.invalidateStore();
    return;
  }
  if (kind === 'FORM') return;
  const type = kind === 'SUBSCRIPTION' ? 'EventSubscription' : 'Event';
  const object = change.getLinkedRecord(type === 'Event' ? 'event' : 'subscription');
  if (!object) {
    const gone = store.get(id) ?? store.create(id, type);
    for (const connection of connectionsOf(store)) settle(store, connection, gone, 'DELETED');
    store.delete(id);
    return;
  }
  // its owner's newest subscription may be in a filter of events
  const event = type === 'EventSubscription' ? object.getLinkedRecord('event') : null;
  for (const each of [object, event]) {
    if (!each) continue;
    remember(store.getRoot(), each);
    const settled = connectionsOf(store).map((connection) =>
      settle(store, connection, each, each === object ? op : 'CHANGED'),
    );
    if (settled.includes(false)) store.invalidateStore();
  }
}

/**
 * Puts an object at its place in a connection, or takes it out.
 *
 * @param op of the change of the object
 * @returns false if the store cannot decide
 */
function settle(store: RecordSourceProxy, connection: RecordProxy, object: RecordProxy, op: string): boolean {
  const list = listOf(connection);
  if (list?.type !== object.getType()) return true;
  const id = object.getDataID();
  const edges = connection.getLinkedRecords('edges') ?? [];
  const others = edges.filter((edge) => edge?.getLinkedRecord('node')?.getDataID() !== id);
  const index = edges.findIndex((edge) => !others.includes(edge));
  if (index < 0 && list.event && list.event !== object.getLinkedRecord('event')?.getDataID()) return true;
  const pageInfo = connection.getLinkedRecord('pageInfo');
  const loaded: LoadedList = {
    kind: list.type === 'Event' ? 'event' : 'subscription',
    args: list.args,
    items: others.map((edge) => reader(edge?.getLinkedRecord('node'))),
    index,
    hasPreviousPage: Boolean(pageInfo?.getValue('hasPreviousPage')),
    hasNextPage: Boolean(pageInfo?.getValue('hasNextPage')),
  };
  const at = isGone(op) ? 'none' : placeIn(loaded, reader(object));
  if (at === 'unknown') return false;
  if (typeof at === 'number') {
    const edge = edges[index] ?? ConnectionHandler.createEdge(store, connection, object, `${list.type}Edge`);
    others.splice(at, 0, edge);
  }
  connection.setLinkedRecords(others, 'edges');
  const total = connection.getValue('totalCount');
  if (typeof total === 'number') connection.setValue(total + growthOf(loaded, reader(object), op, at), 'totalCount');
  if (at === 'before') pageInfo?.setValue(true, 'hasPreviousPage');
  if (at === 'after') pageInfo?.setValue(true, 'hasNextPage');
  return true;
}

/** Fields that are links; Relay reads them otherwise than values. */
const links = ['viewerSubscription', 'event', 'user'];

/** Reads a field of a record, below a link with a dot. */
function reader(record: RecordProxy | null | undefined): Read {
  return (path) =>
    path.split('.').reduce<unknown>((at, name) => {
      if (!at) return at;
      const from = at as RecordProxy;
      return links.includes(name) ? from.getLinkedRecord(name) : from.getValue(name);
    }, record);
}
