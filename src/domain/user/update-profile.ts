import { z } from 'zod';
import { recordAudit } from '../audit/audit.ts';
import type { Command } from '../command.ts';
import type { ViewerContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { displayName } from '../input/text.ts';
import { transaction } from '../transaction.ts';
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
