import { cancelMove, moveOrganization } from '../../db/move/move-organization.ts';
import {
  addOwner,
  deleteOrganization,
  listOrganizations,
  showOrganization,
} from '../../domain/operator/organizations.ts';
import { type Noun, nameAt, pageOptions, readPage, readText, UsageError } from './verb.ts';

export const organizations: Noun = {
  list: {
    takes: [],
    does: 'lists organizations, the newest first',
    options: { search: { value: 'TEXT', does: 'only those with this in their name or slug' }, ...pageOptions },
    run: async (ctx, given) => ({
      rows: await listOrganizations(ctx, { search: readText(given, 'search') }, readPage(given)),
    }),
  },
  show: {
    takes: ['ID'],
    does: 'shows an organization, with its owners and how much it has',
    run: async (ctx, given) => ({ row: await showOrganization(ctx, nameAt(given, 0)) }),
  },
  'add-owner': {
    takes: ['ID', 'USER'],
    does: 'makes a person an owner, whether they are a member yet or not',
    run: async (ctx, given) => {
      await addOwner(ctx, nameAt(given, 0), nameAt(given, 1));
      return { row: await showOrganization(ctx, nameAt(given, 0)) };
    },
  },
  move: {
    takes: ['ID'],
    does: 'moves an organization, by id or slug, to the database of another service, while it is written to',
    options: {
      to: { value: 'DATABASE_URL', does: 'the other database, as the role that owns its tables and without a pooler' },
      url: { value: 'URL', does: 'where clients reach the service of the other database' },
      cancel: { does: 'opens it again, if a move that was interrupted has not come to the other database' },
    },
    run: async (ctx, given, tools) => {
      const to = readText(given, 'to');
      if (to === null || !URL.canParse(to)) throw new UsageError('--to must be a connection string.');
      const wanted = { given: nameAt(given, 0), to, address: addressOf(readText(given, 'url')) };
      if (given.options.cancel) {
        const id = await cancelMove(wanted, tools);
        return { done: 'Cancelled; it is open again.', json: { cancelled: id } };
      }
      const { address } = wanted;
      if (address === null) throw new UsageError('--url must be an address with http or https.');
      const moved = await moveOrganization(ctx, { ...wanted, address }, tools);
      const { rows, fenced } = moved;
      return {
        done: `Moved to ${moved.address}: ${rows} rows; writes were refused for ${fenced} ms.`,
        json: { ...moved },
      };
    },
  },
  delete: {
    takes: ['ID'],
    does: 'deletes an organization with everything in it; the service deletes the rows, step by step',
    destroys: async (ctx, given) => (await showOrganization(ctx, nameAt(given, 0))).name,
    run: async (ctx, given) => {
      await deleteOrganization(ctx, nameAt(given, 0));
      return { done: 'Deleted; a running service deletes its rows now.', json: { deleted: nameAt(given, 0) } };
    },
  },
};

/** An address as it is stored, without a slash at the end; null unless it is one of the web. */
function addressOf(text: string | null): string | null {
  if (text === null || !URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) return null;
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}`;
}
