import { defineEntity, p } from '@mikro-orm/core';
import { timestamp } from './columns.ts';

/** How far the primary's log had come when a user last wrote, while there are replicas (note 0073). Unlogged: replicas lack it. */
export const LastWrite = defineEntity({
  name: 'LastWrite',
  tableName: 'last_write',
  properties: {
    /** Without a foreign key: the rows are deleted an hour later. */
    user_id: p.uuid().primary(),
    position: p.string().columnType('pg_lsn'),
    written_at: timestamp(),
  },
  indexes: [{ name: 'last_write_written_at_index', properties: ['written_at'] }],
});
