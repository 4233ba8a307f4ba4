import { settleRestore } from '../../domain/operator/restored.ts';
import type { Noun } from './verb.ts';

export const database: Noun = {
  restored: {
    takes: [],
    does: 'after a restore to an earlier time: caches ask again, and webhooks say that the lists have to be read',
    run: async (ctx) => {
      const webhooks = await settleRestore(ctx);
      return { done: `Caches ask again; ${webhooks} webhooks say that the lists have to be read.`, json: { webhooks } };
    },
  },
};
