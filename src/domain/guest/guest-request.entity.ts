import { randomUUIDv7 } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { Event } from '../event/event.entity.ts';

const GuestRequestSchema = defineEntity({
  name: 'GuestRequest',
  tableName: 'guest_request',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUIDv7()),
    event: () => p.manyToOne(Event).ref().deleteRule('cascade').index(false),
    /** What the address delivers to, to find other requests by. */
    mailbox: p.string().length(400),
    email: p.string().length(320),
    name: p.string().length(200),
    answers: p.json<Record<string, unknown>>().nullable(),
    formVersion: p.integer().nullable(),
    /** SHA-256 of the token, base64url; null until the mail leaves. */
    hash: p.string().length(43).nullable().unique('guest_request_hash_unique').hidden(),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
    expiresAt: p.datetime(3).index('guest_request_expires_at_index'),
  },
  indexes: [{ name: 'guest_request_event_id_mailbox_index', properties: ['event', 'mailbox'] }],
});

/** A subscription that somebody asked for whose mailbox is not proven yet; it is all that there is of them. */
export class GuestRequest extends GuestRequestSchema.class {}
GuestRequestSchema.setClass(GuestRequest);
