import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../user/user.entity.ts';

const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUIDv7()),
    user: () => p.manyToOne(User).ref().deleteRule('cascade').index(false),
    /** How often the refresh token was rotated: the counter of the newest token (decisions §3). */
    counter: p.integer().default(0),
    rotatedAt: p.datetime(3).nullable(),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
    lastUsedAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
    /** The absolute end, regardless of use. */
    expiresAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
    endReason: p.string().length(40).nullable(),
    ip: p.string().length(64).nullable(),
    userAgent: p.string().length(400).nullable(),
  },
  indexes: [
    { name: 'session_user_id_created_at_id_index', properties: ['user', 'createdAt', 'id'] },
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

/** One sign-in on one device. Nothing in the row lets anyone derive a token. */
export class Session extends SessionSchema.class {}
SessionSchema.setClass(Session);
