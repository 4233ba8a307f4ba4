import fc from 'fast-check';
import type { MutationTwin } from '#explorer-content';
import { eventStatuses } from '../../src/domain/event/event.entity.ts';
import { twins } from '../support/as-rest.ts';
import { mutationOf, toGraphql } from '../support/write-faces.ts';
import { type Asking, actors, type Batch, seldom } from './batch.ts';
import { expectSame, expectSameRefusal, PutOff, refusalOf } from './compare.ts';
import type { Answer } from './line.ts';
import { type Operation, operations, type Written } from './operations.ts';
import { resolve } from './references.ts';
import type { ActorRole, Side } from './world.ts';

/** A write in the words of REST, made on an object of one twin by REST, and on that of the other by GraphQL. */
export interface WriteCase {
  kind: 'write';
  actor: ActorRole | null;
  /** The twin that is written by REST. */
  restSide: 0 | 1;
  service: number;
  operation: string;
  written: Written;
  /** The guarded version; null guards none. */
  version: number | null;
  key: string | null;
}

const named = Object.entries(operations).flatMap(([name, { weight }]) => Array<string>(weight).fill(name));

export const writes: fc.Arbitrary<WriteCase> = fc.constantFrom(...named).chain((name) => {
  const { written, guarded } = operations[name] as Operation;
  return (
    fc
      .record({
        kind: fc.constant('write' as const),
        actor: actors({ owner: 8, manager: 8, member: 4 }),
        restSide: fc.constantFrom(0 as const, 1 as const),
        service: fc.nat(1),
        operation: fc.constant(name),
        written,
        version: guarded ? seldom(fc.integer({ min: 1, max: 4 }), 8) : fc.constant(null),
        key: seldom(fc.constantFrom('a', 'b', 'c', 'k'.repeat(255), 'k'.repeat(256), 'not ascii é'), 10),
      })
      // a key tells requests apart by their bytes, and a version stands among them in GraphQL alone
      .map((each) => (each.version === null ? each : { ...each, key: null }))
  );
});

/**
 * Makes the same write on both twins.
 *
 * @throws Difference if they answer differently, PutOff if one of them was put off
 */
export async function askWrite(batch: Batch, write: WriteCase): Promise<void> {
  const { actor, restSide, service, operation: name } = write;
  const operation = operations[name] as Operation;
  const twin = twins.mutations[operation.mutation] as MutationTwin;
  const graphqlSide = (1 - restSide) as 0 | 1;
  const rest = await askRest(batch, { actor, side: restSide, service }, twin, write);
  const graphql = await askGraphql(batch, { actor, side: graphqlSide, service: service + 1 }, twin, write);
  expectSameRefusal(rest, graphql, 'VALIDATION_ERROR');
  if (refusalOf(rest)) return;
  batch.count(name);
  const payload = (graphql.body as { data: Record<string, Record<string, unknown>> }).data[operation.mutation];
  if (operation.payload === null) return;
  const isEvent = operation.payload === 'event';
  const [made, twinMade] = [rest.body as Item, asRest(payload?.[operation.payload] as Item, isEvent)];
  const [ours, theirs] = [batch.side(restSide), batch.side(graphqlSide)];
  expectSame('the answer', stable(made, operation, ours), stable(twinMade, operation, theirs));
  batch.show(ours.organizationId, [made.id]);
  batch.show(theirs.organizationId, [twinMade.id]);
  if (!operation.makes || ours.ids[operation.makes].includes(made.id)) return;
  if (theirs.ids[operation.makes].includes(twinMade.id)) throw new PutOff();
  batch.add(ours, operation.makes, made.id);
  batch.add(theirs, operation.makes, twinMade.id);
  if (operation.makes === 'subscription') {
    for (const side of [ours, theirs]) {
      const event = (side === ours ? made : twinMade).event_id as string;
      side.eventOf.push(side.ids.event.indexOf(event));
    }
  }
}

type Item = Record<string, unknown> & { id: string };

function askRest(
  batch: Batch,
  asking: Asking,
  twin: MutationTwin,
  { written, version, key }: WriteCase,
): Promise<Answer> {
  const { object, event, fields } = resolve(written, batch.world, asking.side);
  const path = twin.path
    .replace('{event}', () =>
      encodeURIComponent(event ?? batch.eventOf(asking.side, written.object ?? '') ?? object ?? ''),
    )
    .replace(/\{\w+\}/, () => encodeURIComponent(object ?? ''));
  const headers = [
    ...(version === null ? [] : ['if-match', `"${version}"`]),
    ...(key === null ? [] : ['idempotency-key', Buffer.from(key).toString('latin1')]),
  ];
  const method = twin.method.toUpperCase();
  return batch.rest(asking, method, path, fields, headers);
}

function askGraphql(
  batch: Batch,
  asking: Asking,
  twin: MutationTwin,
  { operation: name, written, version, key }: WriteCase,
): Promise<Answer> {
  const { mutation, selection } = operations[name] as Operation;
  const { object, fields = {} } = resolve(written, batch.world, asking.side);
  const input = {
    ...toGraphql(fields, enums),
    ...(twin.object && object !== undefined ? { [twin.object.field]: object } : {}),
    ...(version === null ? {} : { ifVersion: version }),
  };
  const headers = key === null ? [] : ['idempotency-key', Buffer.from(key).toString('latin1')];
  return batch.graphql(asking, mutationOf(mutation, selection), { input }, headers);
}

const enums = ['status', 'visibility', 'registration', 'role', 'access', 'kinds', 'type'];

/** What GraphQL answers, with the values of REST. */
function asRest(item: Item, isEvent: boolean): Item {
  const member = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => member(name, each));
    if (name === 'status' && isEvent) return eventStatuses[value as keyof typeof eventStatuses];
    return enums.includes(name) && value !== null ? String(value).toLowerCase() : value;
  };
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, member(name, value)])) as Item;
}

/** What of an answer is the same on both twins: of times that the service sets, whether there is one. */
function stable(item: Item, { compared }: Operation, { marker }: Side): unknown {
  const values = compared.map((name) => [name, /_(at|since)$/.test(name) ? item[name] !== null : item[name]]);
  return JSON.parse(JSON.stringify(Object.fromEntries(values)).replaceAll(marker, 'the marker'));
}
