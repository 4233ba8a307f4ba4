import { z } from 'zod';
import { command, forOwners } from '../../engine/command.ts';
import { requireVersion } from '../../engine/version-guard.ts';
import { pick } from '../../kernel/objects.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockMembers } from './lock.ts';
import { Organization } from './organization.entity.ts';
import { organizationFields } from './organization.input.ts';
import { organizationColumns } from './organization.resource.ts';

const input = z.strictObject(organizationFields).partial();

type Fields = z.output<typeof input>;

/** The audit trail keeps their new values; of others, which may be long, only the names. */
const audited: readonly string[] = ['name', 'signup'];

/** The slug stays, since links contain it. */
export const changeOrganization = command({
  name: 'changeOrganization',
  description:
    'Changes the organization: its name, who can join it, and what its public pages show; absent fields keep their values. For owners.',
  versioned: true,
  ...forOwners,
  small: true,
  input,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  run: async (tx, fields, { guard }) => {
    const role = await lockMembers(tx, 'owner');
    const { organizationId } = tx.membership;
    const organization = await tx.em.findOneOrFail(Organization, { id: organizationId });
    requireVersion(guard, organization.version);
    const changes = Object.entries(fields).filter(
      ([name, value]) => value !== undefined && value !== organization[name as keyof Fields],
    );
    if (changes.length > 0) {
      Object.assign(organization, Object.fromEntries(changes));
      organization.version += 1;
      const told = changes.filter(([name]) => audited.includes(name));
      const others = changes.map(([name]) => name).filter((name) => !audited.includes(name));
      const detail = { ...Object.fromEntries(told), ...(others.length > 0 ? { fields: others } : {}) };
      const actorId = tx.viewer.userId;
      await recordAudit(tx, { action: 'organization.changed', organizationId, actorId, detail });
    }
    return pick({ ...organization, role }, organizationColumns);
  },
});
