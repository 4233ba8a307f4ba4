import sql from 'sql-template-tag';
import { z } from 'zod';
import { recordAudit } from '../audit/audit.ts';
import type { ViewerContext } from '../context.ts';
import { row } from '../database.ts';
import { DomainError } from '../errors.ts';
import { displayName } from '../input/text.ts';

export const updateProfileInput = z.strictObject({ name: displayName });

/**
 * Changes the name of the viewer.
 *
 * @throws DomainError INVALID_TOKEN where the account was removed in this very moment
 */
export async function updateProfile(ctx: ViewerContext, input: z.output<typeof updateProfileInput>): Promise<void> {
  const { userId } = ctx.viewer;
  await ctx.em.transactional(async (em) => {
    const updated = await row(
      em,
      sql`update "user" set name = ${input.name}, updated_at = now() where id = ${userId}::uuid returning id`,
    );
    if (!updated) throw new DomainError('INVALID_TOKEN');
    const detail = { fields: ['name'] };
    await recordAudit({ ...ctx, em }, { action: 'profile.changed', actorId: userId, subjectId: userId, detail });
  });
}
