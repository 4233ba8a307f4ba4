import { listAuditEntries } from '../../domain/operator/audit.ts';
import { endApiKey, listKeys, showKey } from '../../domain/operator/keys.ts';
import { endNamedSession, listSessions } from '../../domain/operator/sessions.ts';
import { type AdminNoun, nameAt, ofOrganization, pageOptions, readId, readPageOptions, readText } from './verb.ts';

export const sessions: AdminNoun = {
  list: {
    takes: [],
    does: 'lists active sessions, the newest first',
    options: { user: { value: 'ID', does: 'only those of this user' }, ...pageOptions },
    run: async (ctx, given) => ({
      rows: await listSessions(ctx, { userId: readId(given, 'user') }, readPageOptions(given)),
    }),
  },
  end: {
    takes: ['ID'],
    does: 'ends a session, with its access tokens',
    run: async (ctx, given) => {
      await endNamedSession(ctx, nameAt(given, 0));
      return { done: 'Ended.', json: { ended: nameAt(given, 0) } };
    },
  },
};

export const audit: AdminNoun = {
  list: {
    takes: [],
    does: 'lists who did what, the newest first',
    options: {
      request: {
        value: 'ID',
        does: 'only what this request did: `requestId` in the log, `x-request-id` of the response',
      },
      ...ofOrganization,
      ...pageOptions,
    },
    run: async (ctx, given) => ({
      rows: await listAuditEntries(
        ctx,
        { requestId: readText(given, 'request'), organizationId: readId(given, 'organization') },
        readPageOptions(given),
      ),
    }),
  },
};

export const keys: AdminNoun = {
  list: {
    takes: [],
    does: 'lists the API keys that have not ended, the newest first',
    options: { ...ofOrganization, ...pageOptions },
    run: async (ctx, given) => ({
      rows: await listKeys(ctx, { organizationId: readId(given, 'organization') }, readPageOptions(given)),
    }),
  },
  end: {
    takes: ['ID'],
    does: 'ends an API key for good',
    destroys: async (ctx, given) => (await showKey(ctx, nameAt(given, 0))).name,
    run: async (ctx, given) => {
      await endApiKey(ctx, nameAt(given, 0));
      return { done: 'Ended.', json: { ended: nameAt(given, 0) } };
    },
  },
};
