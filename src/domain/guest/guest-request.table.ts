import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp } from '../../kernel/columns.ts';
import { Event } from '../event/event.entity.ts';

/** A subscription that somebody asked for whose mailbox is not proven yet; it is all that there is of them. */
export const GuestRequest = defineEntity({
  name: 'GuestRequest',
  tableName: 'guest_request',
  properties: {
    id: id(),
    event_id: () => p.manyToOne(Event).mapToPk().deleteRule('cascade').index(false),
    /** What the address delivers to, to find other requests by. */
    mailbox: p.string().length(400),
    email: p.string().length(320),
    name: p.string().length(200),
    answers: p.json<Record<string, unknown>>().nullable(),
    form_version: p.integer().nullable(),
    /** SHA-256 of the token, base64url; null until the mail leaves. */
    hash: p.string().length(43).nullable().unique('guest_request_hash_unique').hidden(),
    created_at: created_at(),
    expires_at: timestamp().index('guest_request_expires_at_index'),
  },
  indexes: [{ name: 'guest_request_event_id_mailbox_index', properties: ['event_id', 'mailbox'] }],
});
