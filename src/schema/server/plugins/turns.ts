import type { Documents } from '#compiled-graphql';
import { inTurn, Turns } from '../../../kernel/turns/turns.ts';
import type { Served, ServedPlugin } from './served.ts';

/** More is expensive: thousands of nodes block the process for 50 ms. Organizations take turns (note 0030). */
const cheap = { nodes: 500, tokens: 200 };

/** Refuses with RATE_LIMITED, SERVICE_UNAVAILABLE if the turn does not come in time. @param patience in milliseconds */
export function useTurns(documents: Documents, patience: number): ServedPlugin {
  const shares = { userShare: 100, organizationShare: 100, patience };
  const validating = new Turns({ connections: 1, ...shares });
  // one per organization, and two in total
  const executing = new Turns({ connections: 2, ...shares });
  return {
    onParams({ context: { ctx, operation } }) {
      const document = operation?.document;
      if (!document || document.errors !== null || document.tokens <= cheap.tokens) return;
      return inTurn(ctx, validating, () => void documents.validate(document));
    },
    onContextBuilding({ context: { ctx, execution }, extendContext }) {
      const isCheap = execution.cost <= cheap.nodes;
      extendContext({ inTurn: (work) => (isCheap ? work() : inTurn(ctx, executing, work)) });
    },
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((args) => (args.contextValue as Served).inTurn(async () => executeFn(args)));
    },
  };
}
