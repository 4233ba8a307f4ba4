import { z } from 'zod';
import { command } from '../../engine/command.ts';
import { displayName } from '../../kernel/input/text.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockMembers } from './lock.ts';
import { Organization, signupPolicies } from './organization.entity.ts';

const input = z.strictObject({
  name: displayName.optional().meta({ description: 'Name, 1 to 200 characters.' }),
  signup: z.enum(signupPolicies).optional().meta({ description: 'Who may join by sign-up.' }),
});

type Fields = z.output<typeof input>;

/** Changes the name of the organization or who may join it. Its slug stays, since links contain it. */
export const changeOrganization = command<'organization', Fields, void>({
  access: 'organization',
  role: 'owner',
  small: true,
  input,
  errors: ['NOT_FOUND'],
  run: async (tx, fields) => {
    await lockMembers(tx, 'owner');
    const { organizationId } = tx.membership;
    const organization = await tx.em.findOneOrFail(Organization, { id: organizationId });
    const changes = Object.entries(fields).filter(
      ([name, value]) => value !== undefined && value !== organization[name as keyof Fields],
    );
    if (changes.length === 0) return;
    const detail = Object.fromEntries(changes);
    Object.assign(organization, detail);
    const actorId = tx.viewer.userId;
    await recordAudit(tx, { action: 'organization.changed', organizationId, actorId, detail });
  },
});
