import { done, listVerb, type Nouns, readId, readText, rowVerb, UsageError, type Verb, verb } from '#command-line';
import { readLinkUrl } from '../../config/settings.ts';
import { listAuditEntries } from '../../domain/operator/audit.ts';
import { endApiKey, listKeys, showKey } from '../../domain/operator/keys.ts';
import {
  addOwner,
  deleteNamedOrganization,
  listOrganizations,
  showOrganization,
} from '../../domain/operator/organizations.ts';
import { settleRestore } from '../../domain/operator/restored.ts';
import { endNamedSession, listSessions } from '../../domain/operator/sessions.ts';
import {
  endUserSessions,
  eraseUser,
  listUsers,
  mailPasswordLink,
  makePasswordToken,
  showUser,
  verifyUser,
} from '../../domain/operator/users.ts';
import { listWebhooks, replayWebhookSince, setWebhookStatus } from '../../domain/operator/webhooks.ts';
import type { Context } from '../../engine/context.ts';

/** Users are named by id or by e-mail address. */
const user = ['USER'];
const id = ['ID'];

const ofOrganization = { organization: { value: 'ID', does: 'only those of this organization' } };
const searchIn = (fields: string) => ({
  search: { value: 'TEXT', does: `only those with this in their ${fields}` },
});

function statusVerb(status: 'active' | 'paused', does: string): Verb<Context> {
  return verb(id, does, async (ctx, { names: [webhook] }) => {
    await setWebhookStatus(ctx, webhook, status);
    return done(status === 'paused' ? 'Paused.' : 'Active.', { id: webhook, status });
  });
}

export const nouns: Nouns<Context> = {
  users: {
    list: listVerb(
      'lists people, the newest first',
      { ...searchIn('address or name'), ...ofOrganization },
      (ctx, given, page) =>
        listUsers(ctx, { search: readText(given, 'search'), organizationId: readId(given, 'organization') }, page),
    ),
    show: rowVerb(user, 'shows a person, with their organizations and roles', showUser),
    verify: rowVerb(user, 'verifies the address, as the link in the mail does', verifyUser),
    'password-link': {
      takes: user,
      does: 'prints a link that sets a new password once, within an hour',
      options: { send: { does: 'mails such a link instead' } },
      run: async (ctx, { names: [name], options }) => {
        if (options.send) {
          const email = await mailPasswordLink(ctx, name);
          return done(`The service mails a link to ${email}.`, { mailed_to: email });
        }
        const base = readLinkUrl();
        const link = `${base}/reset-password?token=${await makePasswordToken(ctx, name)}`;
        return done(link, { link });
      },
    },
    'end-sessions': verb(
      user,
      'ends all sessions of a person, who must sign in again',
      async (ctx, { names: [name] }) => {
        const ended = await endUserSessions(ctx, name);
        return done(`Ended ${ended} ${ended === 1 ? 'session' : 'sessions'}.`, { ended });
      },
    ),
    erase: {
      takes: user,
      does: 'erases a person for good (docs/reference/leaving.md says what stays)',
      destroys: async (ctx, name) => String((await showUser(ctx, name)).email),
      run: async (ctx, { names: [name] }) => {
        await eraseUser(ctx, name);
        return done('Erased.', { erased: name });
      },
    },
  },
  organizations: {
    list: listVerb('lists organizations, the newest first', searchIn('name or slug'), (ctx, given, page) =>
      listOrganizations(ctx, { search: readText(given, 'search') }, page),
    ),
    show: rowVerb(id, 'shows an organization, with its owners and how much it has', showOrganization),
    'add-owner': verb(
      ['ID', 'USER'],
      'makes a person an owner, whether they are a member yet or not',
      async (ctx, { names: [organization, name] }) => {
        await addOwner(ctx, organization, name);
        return { row: await showOrganization(ctx, organization) };
      },
    ),
    delete: {
      takes: id,
      does: 'deletes an organization with everything in it; the service deletes the rows, step by step',
      options: { moved: { does: 'for one that continues elsewhere: cancels no events with mails to their holders' } },
      destroys: async (ctx, name) => (await showOrganization(ctx, name)).name,
      run: async (ctx, { names: [name], options }) => {
        await deleteNamedOrganization(ctx, name, { moved: options.moved === true });
        return done('Deleted; a running service deletes its rows now.', { deleted: name });
      },
    },
  },
  sessions: {
    list: listVerb(
      'lists active sessions, the newest first',
      { user: { value: 'ID', does: 'only those of this user' } },
      (ctx, given, page) => listSessions(ctx, { userId: readId(given, 'user') }, page),
    ),
    end: verb(id, 'ends a session, with its access tokens', ending(endNamedSession)),
  },
  keys: {
    list: listVerb('lists the API keys that have not ended, the newest first', ofOrganization, (ctx, given, page) =>
      listKeys(ctx, { organizationId: readId(given, 'organization') }, page),
    ),
    end: {
      takes: id,
      does: 'ends an API key for good',
      destroys: async (ctx, name) => (await showKey(ctx, name)).name,
      run: ending(endApiKey),
    },
  },
  audit: {
    list: listVerb(
      'lists who did what, the newest first',
      {
        request: {
          value: 'ID',
          does: 'only what this request did: `requestId` in the log, `x-request-id` of the response',
        },
        ...ofOrganization,
      },
      (ctx, given, page) => {
        const filter = { requestId: readText(given, 'request'), organizationId: readId(given, 'organization') };
        return listAuditEntries(ctx, filter, page);
      },
    ),
  },
  webhooks: {
    list: listVerb(
      'lists webhooks, the newest first, with how much each has to send',
      { failing: { does: 'only those that fail or were disabled' }, ...ofOrganization },
      (ctx, given, page) => {
        const filter = { organizationId: readId(given, 'organization'), failing: given.options.failing === true };
        return listWebhooks(ctx, filter, page);
      },
    ),
    pause: statusVerb('paused', 'stops sending; changes made meanwhile are sent on resume'),
    resume: statusVerb('active', 'continues sending where it stopped, also after it was disabled'),
    replay: {
      takes: id,
      does: 'resends the changes since a time',
      options: { since: { value: 'TIME', does: 'such as 2026-01-31T18:00:00Z, or `start` for all stored changes' } },
      run: async (ctx, given) => {
        const since = readText(given, 'since');
        if (since === null) throw new UsageError('--since is missing.');
        const [webhook] = given.names;
        await replayWebhookSince(ctx, webhook, since);
        return done(`Sending everything since ${since} again.`, { id: webhook, since });
      },
    },
  },
  database: {
    restored: verb(
      [],
      'after a restore to an earlier time: has caches ask again, and webhooks tell their receivers to read the lists again',
      async (ctx) => {
        const { webhooks, changes } = await settleRestore(ctx);
        const text = `Caches ask again; ${webhooks} webhooks tell their receivers to read the lists again; ${changes} changes came from another cluster.`;
        return done(text, { webhooks, changes });
      },
    ),
  },
};

function ending(end: (ctx: Context, name: string) => Promise<void>): Verb<Context>['run'] {
  return async (ctx, { names: [name] }) => {
    await end(ctx, name);
    return done('Ended.', { ended: name });
  };
}
