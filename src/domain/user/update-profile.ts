import { z } from 'zod';
import type { Command } from '../../engine/command.ts';
import type { ViewerContext } from '../../engine/context.ts';
import { transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { displayName } from '../../kernel/input/text.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockUser } from './lock-user.ts';

/** Changes the name of the viewer. INVALID_TOKEN if the account was deleted concurrently. */
export const updateProfile: Command<'user', { name: string }, void> = {
  access: 'user',
  ofAccount: true,
  input: z.strictObject({ name: displayName.meta({ description: 'Name, 1 to 200 characters.' }) }),
  errors: [],
  run: update,
};

async function update(ctx: ViewerContext, { name }: { name: string }): Promise<void> {
  const { userId } = ctx.viewer;
  await transaction(ctx, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new DomainError('INVALID_TOKEN');
    if (user.name === name) return;
    user.name = name;
    const detail = { fields: ['name'] };
    await recordAudit(tx, { action: 'profile.changed', actorId: userId, subjectId: userId, detail });
  });
}
