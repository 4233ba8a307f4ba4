import { z } from 'zod';
import { eventResource } from '../../domain/event/event.resource.ts';
import { exportEvents } from '../../domain/event/export-events.ts';
import {
  type AnswerKeys,
  type ExportedSubscription,
  exportSubscriptions,
} from '../../domain/subscription/export-subscriptions.ts';
import { subscriptionResource } from '../../domain/subscription/subscription.resource.ts';
import { relatedUserColumns } from '../../domain/user/user.policy.ts';
import { pick } from '../../kernel/pick.ts';
import { type CsvColumn, exportDocs, fieldColumn, readExportQuery, writeExport } from '../server/export.ts';
import { type Route, route } from '../server/route.ts';

const ofEvents = { resource: eventResource, relations: [] };
const ofSubscriptions = { resource: subscriptionResource, relations: ['user'] };

const file = { 'text/csv': { schema: { type: 'string' } }, 'application/x-ndjson': { schema: { type: 'string' } } };

/** Exports of whole lists as files (interface/calendars-and-exports.md#exports). */
export const exportRoutes: Route[] = [
  route({
    method: 'get',
    path: '/events/export',
    operationId: 'exportEvents',
    summary: 'All events of the list, as a file; for managers and owners.',
    tag: 'events',
    access: 'organization',
    role: 'manager',
    parameters: exportDocs(ofEvents),
    response: z.string(),
    content: file,
    errors: ['INVALID_QUERY'],
    handle: async ({ ctx, request, response }) => {
      const { where, direction, fields, ...form } = readExportQuery(ofEvents, request.url);
      const input = { where, direction, columns: fields, format: form.format };
      await exportEvents(ctx, input, async (batches, delivery) => {
        const columns = fields.map((name) => fieldColumn(name, eventResource.fields[name as 'id']));
        await writeExport(
          { response, delivery },
          form,
          `events-${ctx.now.toISOString().slice(0, 10)}`,
          columns,
          items(batches, fields),
        );
      });
      response.end();
    },
  }),
  route({
    method: 'get',
    path: '/events/{event}/subscriptions/export',
    operationId: 'exportSubscriptions',
    summary: 'All subscriptions of the list, as a file; for managers and owners.',
    tag: 'subscriptions',
    access: 'organization',
    role: 'manager',
    parameters: exportDocs(ofSubscriptions),
    response: z.string(),
    content: file,
    errors: ['INVALID_QUERY', 'NOT_FOUND'],
    handle: async ({ ctx, params, request, response }) => {
      const { where, direction, fields, include, ...form } = readExportQuery(ofSubscriptions, request.url);
      const userColumns = include.includes('user') ? relatedUserColumns(ctx) : [];
      const answerKeys = form.format === 'csv' && fields.includes('answers');
      const input = { where, direction, columns: fields, format: form.format, userColumns, answerKeys };
      await exportSubscriptions(ctx, params.event ?? '', input, async (batches, { answers, event, delivery }) => {
        const columns = [
          ...fields.flatMap((name) =>
            name === 'answers'
              ? answerColumns(answers)
              : [fieldColumn(name, subscriptionResource.fields[name as 'id'])],
          ),
          ...userColumns.map(userColumn),
        ];
        const shown = items(batches, fields, (row) => withUser(row, userColumns));
        await writeExport({ response, delivery }, form, `subscriptions-${event.slug}`, columns, shown);
      });
      response.end();
    },
  }),
];

async function* items<Row extends object>(
  batches: AsyncIterable<Row[]>,
  fields: readonly string[],
  further: (row: Row) => object = () => ({}),
): AsyncIterable<Record<string, unknown>[]> {
  for await (const rows of batches) yield rows.map((row) => ({ ...pick(row, fields), ...further(row) }));
}

function withUser(row: ExportedSubscription, columns: readonly string[]): object {
  if (columns.length === 0) return {};
  return { user: Object.fromEntries(columns.map((name) => [name, row[`user__${name}`]])) };
}

function userColumn(name: string): CsvColumn {
  const value = (item: Record<string, unknown>) => (item.user as Record<string, unknown>)[name];
  return { header: `user.${name}`, text: name !== 'id', value };
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
