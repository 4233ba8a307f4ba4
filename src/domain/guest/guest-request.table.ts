import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp } from '../../engine/columns.ts';
import { Event } from '../event/event.entity.ts';

/** A request for a subscription from a mailbox that is not proven yet. Nothing else is stored about the person. */
export const GuestRequest = defineEntity({
  name: 'GuestRequest',
  tableName: 'guest_request',
  properties: {
    id: id(),
    event_id: () => p.manyToOne(Event).mapToPk().deleteRule('cascade').index(false),
    /** The mailbox that the address delivers to, to find other requests. */
    mailbox: p.string().length(400),
    email: p.string().length(320),
    name: p.string().length(200),
    answers: p.json<Record<string, unknown>>().nullable(),
    form_version: p.integer().nullable(),
    /** SHA-256 of the token, base64url; null until the mail is sent. */
    hash: p.string().length(43).nullable().unique('guest_request_hash_unique').hidden(),
    created_at: created_at(),
    expires_at: timestamp().index('guest_request_expires_at_index'),
  },
  indexes: [{ name: 'guest_request_event_id_mailbox_index', properties: ['event_id', 'mailbox'] }],
});
