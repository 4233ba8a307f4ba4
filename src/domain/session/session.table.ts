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
    /** Rotations of the refresh token: the counter of the newest one (reference/sign-in.md#refresh). */
    counter: p.integer().default(0),
    rotated_at: timestamp().strictNullable(),
    created_at: created_at(),
    last_used_at: timestamp().defaultRaw('now()'),
    expires_at: timestamp(),
    ended_at: timestamp().strictNullable(),
    end_reason: p.string().length(40).strictNullable(),
    ip: p.string().length(64).strictNullable(),
    user_agent: p.string().length(400).strictNullable(),
  },
  indexes: [
    { properties: ['user_id', 'created_at', 'id'] },
    { properties: ['ended_at'], where: '"ended_at" is not null' },
    { properties: ['last_used_at'], where: '"ended_at" is null' },
  ],
});
