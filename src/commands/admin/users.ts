import { readLinkUrl } from '../../config/settings.ts';
import {
  endUserSessions,
  eraseUser,
  listUsers,
  mailPasswordLink,
  makePasswordToken,
  showUser,
  verifyUser,
} from '../../domain/operator/users.ts';
import { type AdminNoun, nameAt, ofOrganization, pageOptions, readId, readPageOptions, readText } from './verb.ts';

/** Users are named by id or by e-mail address. */
const user = ['USER'];

export const users: AdminNoun = {
  list: {
    takes: [],
    does: 'lists people, the newest first',
    options: {
      search: { value: 'TEXT', does: 'only those with this in their address or name' },
      ...ofOrganization,
      ...pageOptions,
    },
    run: async (ctx, given) => {
      const filter = { search: readText(given, 'search'), organizationId: readId(given, 'organization') };
      return { rows: await listUsers(ctx, filter, readPageOptions(given)) };
    },
  },
  show: {
    takes: user,
    does: 'shows a person, with their organizations and roles',
    run: async (ctx, given) => ({ row: await showUser(ctx, nameAt(given, 0)) }),
  },
  verify: {
    takes: user,
    does: 'verifies the address, as the link in the mail does',
    run: async (ctx, given) => ({ row: await verifyUser(ctx, nameAt(given, 0)) }),
  },
  'password-link': {
    takes: user,
    does: 'prints a link that sets a new password once, within an hour',
    options: { send: { does: 'mails such a link instead' } },
    run: async (ctx, given) => {
      if (given.options.send) {
        const email = await mailPasswordLink(ctx, nameAt(given, 0));
        return { done: `The service mails a link to ${email}.`, json: { mailed_to: email } };
      }
      const base = readLinkUrl();
      const link = `${base}/reset-password?token=${await makePasswordToken(ctx, nameAt(given, 0))}`;
      return { done: link, json: { link } };
    },
  },
  'end-sessions': {
    takes: user,
    does: 'ends all sessions of a person, who must sign in again',
    run: async (ctx, given) => {
      const ended = await endUserSessions(ctx, nameAt(given, 0));
      return { done: `Ended ${ended} ${ended === 1 ? 'session' : 'sessions'}.`, json: { ended } };
    },
  },
  erase: {
    takes: user,
    does: 'erases a person for good (docs/interface/leaving.md says what stays)',
    destroys: async (ctx, given) => String((await showUser(ctx, nameAt(given, 0))).email),
    run: async (ctx, given) => {
      await eraseUser(ctx, nameAt(given, 0));
      return { done: 'Erased.', json: { erased: nameAt(given, 0) } };
    },
  },
};
