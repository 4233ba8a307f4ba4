import type { ExecutionResult, GraphQLResolveInfo } from 'graphql';
import { argumentsOf, WrittenAnswer } from '#compiled-graphql';
import { writesOf } from '../../../engine/command.ts';
import { answerOnce } from '../../../engine/idempotency/idempotency.ts';
import { onlyValue } from '../../../http/incoming.ts';
import { DomainError } from '../../../kernel/errors.ts';
import type { Root } from '../../execution/operation.ts';
import type { Served, ServedPlugin } from './served.ts';

/**
 * Makes the mutation atomic. Mutations that change the own account, or wait for another server, ignore the key, so they cannot be
 * combined with others.
 */
export function useIdempotency(): ServedPlugin {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const served = args.contextValue as Served;
      if (!served.body || served.execution.operation.node.operation !== 'mutation') return;
      const { roots } = served;
      const commands = roots.flatMap(({ extensions }) => extensions.command ?? []);
      const ignoring = commands.filter(({ ofAccount, callsOut }) => ofAccount || callsOut);
      if (ignoring.length > 0 && ignoring.length === commands.length) return;
      const { method, originalUrl, headersDistinct } = served.incoming;
      const asked = {
        key: onlyValue(headersDistinct['idempotency-key']),
        request: [method, originalUrl, served.body],
        writes: countWrites(roots, served.execution.args.variableValues),
        needs: commands,
        secret: commands.some(({ secret }) => secret),
      };
      setExecuteFn(async () => {
        if (ignoring.length > 0) {
          const detail =
            'With an `Idempotency-Key`, send mutations of your own account and tests of webhooks on their own.';
          throw new DomainError('INVALID_QUERY', { detail });
        }
        let failed: ExecutionResult | null = null;
        const { answer, replayed } = await answerOnce(served.ctx, asked, async (ctx) => {
          const made: ExecutionResult = await executeFn({ ...args, contextValue: { ...served, ctx, atomic: true } });
          failed = made.errors ? { ...made, data: null } : null;
          return { answer: { outcome: 200, attributes: {}, body: JSON.stringify(made) }, keep: failed === null };
        });
        if (replayed) served.incoming.res?.setHeader('idempotency-replayed', 'true');
        return failed ?? new WrittenAnswer(answer.body);
      });
    },
  };
}

function countWrites(roots: readonly Root[], { coerced }: GraphQLResolveInfo['variableValues']): number {
  return roots.reduce((sum, { node, extensions: { command = {} } }) => {
    return sum + writesOf(command, argumentsOf(node, () => coerced)('input'));
  }, 0);
}
