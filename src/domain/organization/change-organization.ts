import { z } from 'zod';
import type { Command } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import { displayName } from '../../kernel/input/text.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockingOrganization } from './lock.ts';
import { Organization, signupPolicies } from './organization.entity.ts';

const input = z.strictObject({
  name: displayName.optional().meta({ description: 'Name, 1 to 200 characters.' }),
  signup: z.enum(signupPolicies).optional().meta({ description: 'Who may join by sign-up.' }),
});

type Fields = z.output<typeof input>;

/** Changes the name of the organization, or who may join it. Its slug does not change, since links contain it. */
export const changeOrganization: Command<'organization', Fields, void> = {
  access: 'organization',
  role: 'owner',
  input,
  errors: ['NOT_FOUND'],
  run: change,
};

async function change(ctx: MemberContext, fields: Fields): Promise<void> {
  await lockingOrganization(ctx, 'owner', async ({ ctx: locked }) => {
    const { organizationId } = ctx.membership;
    const organization = await locked.em.findOneOrFail(Organization, { id: organizationId });
    const changes = Object.entries(fields).filter(
      ([name, value]) => value !== undefined && value !== organization[name as keyof Fields],
    );
    if (changes.length === 0) return;
    Object.assign(organization, Object.fromEntries(changes));
    const actorId = ctx.viewer.userId;
    const detail = Object.fromEntries(changes);
    await recordAudit(locked, { action: 'organization.changed', organizationId, actorId, detail });
  });
}
