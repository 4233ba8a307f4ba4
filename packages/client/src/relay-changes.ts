import {
  ConnectionHandler,
  type HandleFieldPayload,
  type RecordProxy,
  type RecordSourceProxy,
  type RecordSourceSelectorProxy,
} from 'relay-runtime';
import { type ListArguments, placeIn, type Read } from './lists.ts';

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
/** Objects that changed or went lately: a page that was asked for before may come after the change. */
const changedField = '__eventsGatewayChanged';
const goneField = '__eventsGatewayGone';
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
  for (const id of gone(root)) ConnectionHandler.deleteNode(connection, id);
  for (const object of root.getLinkedRecords(changedField) ?? []) if (object) settle(store, connection, object);
}

const gone = (root: RecordProxy) => (root.getValue(goneField) ?? []) as string[];

/** Remembers an object for pages that are still on their way. */
function remember(root: RecordProxy, id: string, object: RecordProxy | null): void {
  const changed = (root.getLinkedRecords(changedField) ?? []).filter((each) => each && each.getDataID() !== id);
  root.setLinkedRecords((object ? [...changed, object] : changed).slice(-most), changedField);
  const others = gone(root).filter((each) => each !== id);
  root.setValue((object ? others : [...others, id]).slice(-most), goneField);
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
  const [kind, op, id] = ['kind', 'op', 'objectGlobalId'].map((name) => change.getValue(name));
  if (op === 'REFETCH') {
    store.invalidateStore();
    return;
  }
  if (kind === 'FORM') return;
  const type = kind === 'SUBSCRIPTION' ? 'EventSubscription' : 'Event';
  const object = change.getLinkedRecord(type === 'Event' ? 'event' : 'subscription');
  if (!object) {
    remember(store.getRoot(), String(id), null);
    for (const connection of connectionsOf(store)) ConnectionHandler.deleteNode(connection, String(id));
    store.delete(String(id));
    return;
  }
  // its owner's newest subscription may be in a filter of events
  const event = type === 'EventSubscription' ? object.getLinkedRecord('event') : null;
  for (const each of [object, event]) {
    if (!each) continue;
    remember(store.getRoot(), each.getDataID(), each);
    const settled = connectionsOf(store).map((connection) => settle(store, connection, each));
    if (settled.includes(false)) store.invalidateStore();
  }
}

/** Puts an object at its place in a connection, or takes it out. @returns false if the store cannot decide */
function settle(store: RecordSourceProxy, connection: RecordProxy, object: RecordProxy): boolean {
  const list = listOf(connection);
  if (list?.type !== object.getType()) return true;
  if (list.event && list.event !== object.getLinkedRecord('event')?.getDataID()) return true;
  const id = object.getDataID();
  const edges = connection.getLinkedRecords('edges') ?? [];
  const others = edges.filter((edge) => edge?.getLinkedRecord('node')?.getDataID() !== id);
  const pageInfo = connection.getLinkedRecord('pageInfo');
  const at = placeIn(
    {
      kind: list.type === 'Event' ? 'event' : 'subscription',
      args: list.args,
      items: others.map((edge) => reader(edge?.getLinkedRecord('node'))),
      hasPreviousPage: Boolean(pageInfo?.getValue('hasPreviousPage')),
      hasNextPage: Boolean(pageInfo?.getValue('hasNextPage')),
    },
    reader(object),
  );
  if (at === 'unknown') return false;
  if (typeof at === 'number') {
    const edge = edges.find((each) => !others.includes(each));
    others.splice(at, 0, edge ?? ConnectionHandler.createEdge(store, connection, object, `${list.type}Edge`));
  }
  connection.setLinkedRecords(others, 'edges');
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
