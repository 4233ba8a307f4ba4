import { field, type ListResource } from '../list/resource.ts';

/** A session as its user reads it (decisions §3). */
export interface SessionRow {
  id: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
  ip: string | null;
  user_agent: string | null;
  current: boolean;
}

/** What can be asked of the own sessions. */
export const sessionResource: ListResource<keyof SessionRow> = {
  name: 'session',
  table: 'session',
  order: 'created_at',
  fields: {
    id: field.id('Session', 'Identifier of the session.'),
    created_at: field.timestamp('When the user signed in.'),
    last_used_at: field.timestamp('When the session was refreshed last; 30 days later it ends.'),
    expires_at: field.timestamp('When the session ends, whatever use is made of it.'),
    ip: field.text('Address from which the user signed in.', { nullable: true }),
    user_agent: field.text('What the client said that it is.', { nullable: true }),
    current: field.flag('Whether it is the session of this request.'),
  },
};
