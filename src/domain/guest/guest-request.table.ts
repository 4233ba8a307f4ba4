import { defineEntity, p } from '@mikro-orm/core';
import { created_at, id, timestamp } from '../../engine/columns.ts';
import { Event } from '../event/event.entity.ts';

/** From a mailbox that is not proven yet. Nothing else is stored about the person. */
export const GuestRequest = defineEntity({
  name: 'GuestRequest',
  tableName: 'guest_request',
  properties: {
    id: id(),
    event_id: () => p.manyToOne(Event).mapToPk().deleteRule('cascade').index(false),
    /** To find other requests of the mailbox that the address delivers to. */
    mailbox: p.string().length(400),
    email: p.string().length(320),
    name: p.string().length(200),
    answers: p.json<Record<string, unknown>>().strictNullable(),
    form_version: p.integer().strictNullable(),
    /** SHA-256 of the token, base64url; null until the mail is sent. */
    hash: p.string().length(43).nullable().unique().hidden(),
    created_at: created_at(),
    expires_at: timestamp().index(),
  },
  indexes: [{ properties: ['event_id', 'mailbox'] }],
});
