import type { Response } from 'express';
import { z } from 'zod';
import { EventStream, eventText, prefersEvents } from '#bounded-http';
import { awaitChanges } from '../../domain/change/await-changes.ts';
import { type ChangeRow, changeKinds, changeOps } from '../../domain/change/change.table.ts';
import type { StreamMessage } from '../../domain/change/change-stream.ts';
import { eventColumns } from '../../domain/event/event.resource.ts';
import { eventLoader } from '../../domain/event/event.ts';
import { subscriptionColumns } from '../../domain/subscription/subscription.resource.ts';
import { subscriptionLoader } from '../../domain/subscription/subscription.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { pick } from '../../kernel/objects.ts';
import {
  type ChangesQuery,
  changesBodyDoc,
  changesParameterDocs,
  lastEventIdDoc,
  readChangesBody,
  readChangesUrl,
  readStreamUrl,
} from '../server/changes-query.ts';
import { type Occurrence, presentProblem } from '../server/problem.ts';
import { eventView, subscriptionView } from '../server/resource.schemas.ts';
import { route, tagged } from '../server/route.ts';

const id = z.guid().nullable();

export const changeSchema = z
  .strictObject({
    id: z.guid().meta({ description: 'The id of the change, a UUIDv7.' }),
    kind: z.enum(changeKinds).meta({ description: 'What changed.' }),
    op: z.enum(changeOps).meta({
      description:
        '`hidden`: it left what you may see. `refetch`: too much of this kind changed to be listed; read the lists again.',
    }),
    object_id: id.meta({ description: 'The event, also for its form; the subscription; null for `refetch`.' }),
    event_id: id,
    version: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'The version of the event or form after the change; null for others, and if it is gone.' }),
    actor_id: id.meta({ description: 'Who did it; null if nobody did, as when the waiting list moves.' }),
    occurred_at: z.iso
      .datetime({ precision: 3 })
      .meta({ description: 'When it happened. Use the order of the log, not this, to sort.' }),
    object: z.union([eventView.schema, subscriptionView.schema]).nullable().optional().meta({
      description:
        'With `include=object`: the event, also for its form, or the subscription as it is now; null if it is gone or hidden, and for `refetch`.',
    }),
  })
  .meta({ id: 'Change' });

const envelope = z
  .strictObject({
    items: z.array(changeSchema),
    length: z.int().min(0).max(50).meta({ description: 'The number of items on this page.' }),
    has_more: z.boolean().meta({ description: 'Whether there are more changes behind `next` now; exact.' }),
    next: z.string().meta({ description: 'Cursor to read on from, also when nothing is there yet.' }),
    prev: z.null(),
  })
  .meta({ id: 'ChangeList' });

const shown = {
  access: 'organization' as const,
  response: envelope,
  errors: ['INVALID_QUERY', 'INVALID_CURSOR', 'CURSOR_EXPIRED'] satisfies ErrorCode[],
};

/** The log of changes (reference/changes.md). */
export const changeRoutes = ({ publicUrl }: { publicUrl: string }) =>
  tagged('changes', [
    route('GET /changes', 'listChanges', {
      ...shown,
      read: 'changes',
      summary: 'Lists the changes in the organization, oldest first, as the viewer sees them.',
      parameters: [...changesParameterDocs, lastEventIdDoc],
      entersWithin: (url) => entersWithin(new URLSearchParams(url.replace(/^[^?]*/, '')).get('wait')),
      further: {
        'text/event-stream': {
          schema: { type: 'string' },
          example: 'id: <cursor>\nevent: change\ndata: {"id":"…","kind":"event","op":"created",…}\n\n',
        },
      },
      handle: async ({ ctx, query, request, response }) => {
        response.vary('accept');
        // HEAD has no stream
        if (request.method !== 'GET' || !prefersEvents(request)) {
          return await list(ctx, readChangesUrl(query));
        }
        const followed = readStreamUrl(query, request.headersDistinct['last-event-id']);
        return await stream(ctx, followed, response, publicUrl);
      },
    }),
    route('POST /changes/query', 'queryChanges', {
      ...shown,
      safe: true,
      read: 'changes',
      summary: 'The same list, with the parameters in the body.',
      body: z.unknown().meta(changesBodyDoc),
      entersWithin: (_url, body) => entersWithin((body as { wait?: unknown } | null)?.wait),
      handle: ({ ctx, body }) => list(ctx, readChangesBody(body)),
    }),
  ]);

/** Answers a waiting request in time, even if the database hangs during authentication. */
function entersWithin(wait: unknown): number | null {
  const seconds = typeof wait === 'object' ? 0 : Number(wait);
  return Number.isInteger(seconds) && seconds > 0 ? seconds * 1000 + 500 : null;
}

async function list(ctx: MemberContext, query: ChangesQuery): Promise<z.output<typeof envelope>> {
  const { items: found, next, hasMore } = await awaitChanges(ctx, query, query.wait);
  const changes = found.map(({ change }) => change);
  const items = query.objects ? await withObjects(ctx, changes) : changes;
  return { items, length: items.length, has_more: hasMore, next, prev: null };
}

/** One statement for events, and one for subscriptions. */
async function withObjects(ctx: MemberContext, changes: readonly ChangeRow[]) {
  const events = eventLoader(ctx, eventColumns);
  const subscriptions = subscriptionLoader(ctx, subscriptionColumns);
  const objectOf = async ({ kind, object_id: id }: ChangeRow) => {
    if (id === null) return null;
    if (kind === 'subscription') return pickFound(await subscriptions.load(id), subscriptionColumns);
    return pickFound(await events.load(id), eventColumns);
  };
  return await Promise.all(changes.map(async (change) => ({ ...change, object: await objectOf(change) })));
}

function pickFound(row: object | null, columns: readonly string[]) {
  return row && pick(row, columns);
}

/** Sends changes until the stream ends (reference/changes.md#streams); refusals come before it begins. */
async function stream(ctx: MemberContext, query: ChangesQuery, response: Response, publicUrl: string): Promise<void> {
  const messages = await ctx.services.changeStreams.follow(ctx, query);
  const events = new EventStream(response);
  await events.write('retry: 2000\n\n');
  for await (const message of messages) {
    const text = textOf(message, { requestId: ctx.client.requestId, publicUrl });
    if (text) await events.write(text);
    if (!events.isOpen) break;
  }
  events.end();
}

/** Null if the end needs no event. */
function textOf(message: StreamMessage, occurrence: Occurrence): string | null {
  if (message.type === 'change') return eventText({ id: message.cursor, event: 'change', data: message.change });
  if (message.type === 'caught up') return eventText({ id: message.cursor, event: 'caught-up', data: {} });
  if (message.reason === 'expired') return eventText({ event: 'reauthenticate', data: {} });
  return message.error && eventText({ event: 'error', data: presentProblem(message.error, occurrence) });
}
