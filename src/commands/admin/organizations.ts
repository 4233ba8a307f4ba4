import {
  addOwner,
  deleteNamedOrganization,
  listOrganizations,
  showOrganization,
} from '../../domain/operator/organizations.ts';
import { type AdminNoun, nameAt, pageOptions, readPageOptions, readText } from './verb.ts';

export const organizations: AdminNoun = {
  list: {
    takes: [],
    does: 'lists organizations, the newest first',
    options: { search: { value: 'TEXT', does: 'only those with this in their name or slug' }, ...pageOptions },
    run: async (ctx, given) => ({
      rows: await listOrganizations(ctx, { search: readText(given, 'search') }, readPageOptions(given)),
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
  delete: {
    takes: ['ID'],
    does: 'deletes an organization with everything in it; the service deletes the rows, step by step',
    options: { moved: { does: 'for one that continues elsewhere: cancels no events with mails to their holders' } },
    destroys: async (ctx, given) => (await showOrganization(ctx, nameAt(given, 0))).name,
    run: async (ctx, given) => {
      await deleteNamedOrganization(ctx, nameAt(given, 0), { moved: given.options.moved === true });
      return { done: 'Deleted; a running service deletes its rows now.', json: { deleted: nameAt(given, 0) } };
    },
  },
};
