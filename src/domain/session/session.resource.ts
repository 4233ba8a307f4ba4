import type { InferEntity } from '@mikro-orm/core';
import type { ListResource } from '../../engine/list/resource.ts';
import { field } from '../nouns/nouns.ts';
import type { Session } from './session.table.ts';

const fields = {
  id: field.id('session', 'Identifier of the session.'),
  created_at: field.timestamp('When the user signed in.'),
  last_used_at: field.timestamp('When the session was last refreshed; it ends after 30 days without a refresh.'),
  expires_at: field.timestamp('When the session ends at the latest.'),
  ip: field.text('The IP address that the user signed in from.', { nullable: true }),
  user_agent: field.text('The `User-Agent` header of the client.', { nullable: true }),
  current: field.flag('Whether this request belongs to the session.'),
};

export type SessionRow = Pick<InferEntity<typeof Session>, Exclude<keyof typeof fields, 'current'>> & {
  current: boolean;
};

export const sessionResource: ListResource<keyof SessionRow> = {
  name: 'session',
  table: 'session',
  order: 'created_at',
  fields,
};
