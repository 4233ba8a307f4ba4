import { settleRestore } from '../../domain/operator/restored.ts';
import type { AdminNoun } from './verb.ts';

export const databaseNoun: AdminNoun = {
  restored: {
    takes: [],
    does: 'after a restore to an earlier time: has caches ask again, and webhooks tell their receivers to read the lists again',
    run: async (ctx) => {
      const { webhooks, changes } = await settleRestore(ctx);
      return {
        done: `Caches ask again; ${webhooks} webhooks tell their receivers to read the lists again; ${changes} changes came from another cluster.`,
        json: { webhooks, changes },
      };
    },
  },
};
