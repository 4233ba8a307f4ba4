import { z } from 'zod';
import { eventColumns, eventResource } from '../../domain/event/event.resource.ts';
import { exportEvents } from '../../domain/event/export-events.ts';
import {
  type AnswerKeys,
  type ExportedSubscription,
  exportSubscriptions,
} from '../../domain/subscription/export-subscriptions.ts';
import { subscriptionOfEventResource, subscriptionResource } from '../../domain/subscription/subscription.resource.ts';
import { relatedUserColumns } from '../../domain/user/user.ts';
import type { MemberContext } from '../../engine/context.ts';
import { pick } from '../../kernel/objects.ts';
import {
  type CsvColumn,
  exportDocs,
  fieldColumn,
  namedColumn,
  readExportQuery,
  writeExport,
} from '../server/export.ts';
import type { Projection } from '../server/list-query.ts';
import { exportedEventView, exportedSubscriptionView } from '../server/resource.schemas.ts';
import { type RouteCall, route, tagged } from '../server/route.ts';

/** All rows have the same event. */
const ofEvent = { ...exportedSubscriptionView, resource: subscriptionOfEventResource, relations: ['user'] };

const file = {
  access: 'organization',
  role: 'manager',
  response: z.string(),
  content: { 'text/csv': { schema: { type: 'string' } }, 'application/x-ndjson': { schema: { type: 'string' } } },
} as const;

/** Exports of whole lists as files (reference/calendars-and-exports.md#exports). */
export const exportRoutes = [
  ...tagged('events', [
    route('GET /events/export', 'exportEvents', {
      ...file,
      summary: 'All events of the list, as a file; for managers and owners.',
      filters: eventResource,
      parameters: exportDocs(exportedEventView),
      errors: ['INVALID_QUERY', 'RATE_LIMITED'],
      handle: async ({ ctx, query, response }) => {
        const { where, direction, fields, ...form } = readExportQuery(exportedEventView, query);
        const input = { where, direction, columns: fields, format: form.format };
        await exportEvents(ctx, input, async (batches, delivery) => {
          const columns = fields.map((name) => fieldColumn(name, eventResource.fields[name as 'id']));
          const name = `events-${ctx.now.toISOString().slice(0, 10)}`;
          await writeExport({ response, delivery }, form, name, columns, batches, (row) => pick(row, fields));
        });
      },
    }),
  ]),
  ...tagged('subscriptions', [
    route('GET /events/{event}/subscriptions/export', 'exportSubscriptions', {
      ...file,
      summary: 'All subscriptions of the list, as a file; for managers and owners.',
      filters: ofEvent.resource,
      parameters: exportDocs(ofEvent),
      errors: ['INVALID_QUERY', 'RATE_LIMITED', 'NOT_FOUND'],
      handle: (call) => exportList(call, ofEvent, call.params.event ?? ''),
    }),
    route('GET /subscriptions/export', 'exportOrganizationSubscriptions', {
      ...file,
      summary: 'All subscriptions of the organization in the list, as a file; for managers and owners.',
      filters: subscriptionResource,
      parameters: exportDocs(exportedSubscriptionView),
      errors: ['INVALID_QUERY', 'RATE_LIMITED'],
      handle: (call) => exportList(call, exportedSubscriptionView, null),
    }),
  ]),
];

/** @param event null for the subscriptions of the organization */
async function exportList(
  { ctx, query, response }: RouteCall<MemberContext, unknown>,
  projection: Projection,
  event: string | null,
): Promise<void> {
  const { where, direction, fields, include, ...form } = readExportQuery(projection, query);
  const relations = {
    user: include.includes('user') ? relatedUserColumns(ctx) : [],
    event: include.includes('event') ? eventColumns : [],
  };
  const input = {
    ...{ where, direction, columns: fields, format: form.format },
    ...{ userColumns: relations.user, eventColumns: relations.event },
    answerKeys: form.format === 'csv' && fields.includes('answers'),
  };
  await exportSubscriptions(ctx, event, input, async (batches, { answers, event: found, delivery }) => {
    const columns = [
      ...fields.flatMap((name) =>
        name === 'answers' ? answerColumns(answers) : [fieldColumn(name, subscriptionResource.fields[name as 'id'])],
      ),
      ...relations.user.map((name) => namedColumn(`user.${name}`, name !== 'id', `user__${name}`)),
      ...relations.event.map((name) =>
        namedColumn(`event.${name}`, eventResource.fields[name].type === 'text', `event__${name}`),
      ),
    ];
    const name = `subscriptions-${found?.slug ?? ctx.now.toISOString().slice(0, 10)}`;
    const present = (row: ExportedSubscription) => presentRow(row, fields, relations);
    await writeExport({ response, delivery }, form, name, columns, batches, present);
  });
}

type Relations = Record<'user' | 'event', readonly string[]>;

function presentRow(row: ExportedSubscription, fields: readonly string[], relations: Relations): object {
  const item = pick(row, fields);
  for (const relation of ['user', 'event'] as const) {
    const names = relations[relation];
    if (names.length > 0) item[relation] = Object.fromEntries(names.map((name) => [name, row[`${relation}__${name}`]]));
  }
  return item;
}

function answerColumns({ keys, more }: AnswerKeys): CsvColumn[] {
  const own = keys.map(answerColumn);
  if (!more) return own;
  const named = new Set(keys);
  const value = ({ answers }: Record<string, unknown>) => {
    const others = Object.entries(answers ?? {}).filter(([key]) => !named.has(key));
    return others.length > 0 ? Object.fromEntries(others) : null;
  };
  return [...own, { header: 'answers', text: false, value }];
}

function answerColumn(key: string): CsvColumn {
  const value = ({ answers }: Record<string, unknown>) => {
    // `hasOwn`, since every object inherits keys such as `constructor`
    return answers instanceof Object && Object.hasOwn(answers, key) ? (answers as Record<string, unknown>)[key] : null;
  };
  return { header: `answers.${key}`, text: true, value };
}
