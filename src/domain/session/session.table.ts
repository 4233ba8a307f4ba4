import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp } from '../../engine/columns.ts';
import { User } from '../user/user.entity.ts';

/** One sign-in on one device. No token can be derived from the row. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: id(),
    user_id: () => p.manyToOne(User).mapToPk().deleteRule('cascade').index(false),
    /** How many times the refresh token was rotated: the counter of the newest token (reference/sign-in.md#refresh). */
    counter: p.integer().default(0),
    rotated_at: timestamp().nullable(),
    created_at: created_at(),
    last_used_at: timestamp().defaultRaw('now()'),
    /** The absolute end, regardless of use. */
    expires_at: timestamp(),
    ended_at: timestamp().nullable(),
    end_reason: p.string().length(40).nullable(),
    ip: p.string().length(64).nullable(),
    user_agent: p.string().length(400).nullable(),
  },
  indexes: [
    { name: 'session_user_id_created_at_id_index', properties: ['user_id', 'created_at', 'id'] },
    {
      name: 'session_ended_at_index',
      expression: 'create index "session_ended_at_index" on "session" ("ended_at") where "ended_at" is not null',
    },
    {
      name: 'session_last_used_at_index',
      expression: 'create index "session_last_used_at_index" on "session" ("last_used_at") where "ended_at" is null',
    },
  ],
});
