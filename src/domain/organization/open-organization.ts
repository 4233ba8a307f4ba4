import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import { tables } from '../tables/tables.ts';

export const openOrganization = prepared((at: { id: string }) =>
  tables.selectFrom('organization').select('name').where('id', '=', at.id).where('signup', '=', sql.lit('open')),
);
