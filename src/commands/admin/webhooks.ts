import { listWebhooks, replayWebhookSince, setWebhookStatus } from '../../domain/operator/webhooks.ts';
import {
  type AdminNoun,
  nameAt,
  ofOrganization,
  pageOptions,
  readId,
  readPageOptions,
  readText,
  UsageError,
  type Verb,
} from './verb.ts';

function statusVerb(status: 'active' | 'paused', does: string): Verb {
  return {
    takes: ['ID'],
    does,
    run: async (ctx, given) => {
      await setWebhookStatus(ctx, nameAt(given, 0), status);
      return { done: status === 'paused' ? 'Paused.' : 'Active.', json: { id: nameAt(given, 0), status } };
    },
  };
}

export const webhooksNoun: AdminNoun = {
  list: {
    takes: [],
    does: 'lists webhooks, the newest first, with how much each has to send',
    options: {
      failing: { does: 'only those that fail or were disabled' },
      ...ofOrganization,
      ...pageOptions,
    },
    run: async (ctx, given) => {
      const filter = { organizationId: readId(given, 'organization'), failing: given.options.failing === true };
      return { rows: await listWebhooks(ctx, filter, readPageOptions(given)) };
    },
  },
  pause: statusVerb('paused', 'stops sending; what comes waits'),
  resume: statusVerb('active', 'goes on sending where it stopped, also after it was disabled'),
  replay: {
    takes: ['ID'],
    does: 'sends again what has changed since a time',
    options: { since: { value: 'TIME', does: 'such as 2026-01-31T18:00:00Z, or `start` for all that is kept' } },
    run: async (ctx, given) => {
      const since = readText(given, 'since');
      if (since === null) throw new UsageError('--since is missing.');
      await replayWebhookSince(ctx, nameAt(given, 0), since);
      return { done: `Sending everything since ${since} again.`, json: { id: nameAt(given, 0), since } };
    },
  },
};
