import { z } from 'zod';
import { text } from '#input-values';
import { prepared } from '#postgres-access';
import { command } from '../../engine/command.ts';
import { DomainError } from '../../kernel/errors.ts';
import { hashToken } from '../../kernel/secret-token.ts';
import { recordAudit } from '../audit/audit.ts';
import { addMember } from '../organization/add-member.ts';
import { lockOrganization } from '../organization/lock.ts';
import { tables } from '../tables/tables.ts';
import { Invitation } from './invitation.entity.ts';
import { acceptable } from './invitation.policy.ts';

const accept = prepared((at: { hash: string; userId: string }) =>
  tables
    .deleteFrom('invitation as i')
    .using('user as u')
    .where('i.hash', '=', at.hash)
    .where(acceptable('i'))
    .where('u.id', '=', at.userId)
    .where('u.verified_at', 'is not', null)
    .whereRef('u.mailbox', '=', 'i.mailbox')
    .returning(['i.id', 'i.organization_id', 'i.role']),
);

/**
 * Returns the id of the joined organization. One statement consumes the token and checks the address, so that one of several
 * concurrent attempts succeeds and a token in the wrong hands is not used up. A member keeps their role.
 * INVALID_INVITATION_TOKEN also if the inviter may no longer give the role.
 */
export const acceptInvitation = command({
  name: 'acceptInvitation',
  description:
    "Joins an organization with the token of an invitation, which must have been sent to the viewer's address.",
  access: 'user',
  input: z.strictObject({ token: text.meta({ description: 'The token from the link in the mail.' }) }),
  errors: ['INVALID_INVITATION_TOKEN'],
  run: async (tx, { token }) => {
    const { userId } = tx.viewer;
    const hash = hashToken(token);
    const invited = await tx.em.findOne(Invitation, { hash }, { fields: ['organization_id'] });
    if (!invited) throw new DomainError('INVALID_INVITATION_TOKEN');
    // the inviter's role may be changing concurrently
    await lockOrganization(tx.db, invited.organization_id);
    const accepted = await tx.db.row(accept({ hash, userId }));
    if (!accepted) throw new DomainError('INVALID_INVITATION_TOKEN');
    const { id, organization_id, role } = accepted;
    await addMember(tx, { organization_id, user_id: userId, role });
    const place = { organizationId: organization_id, actorId: userId, subjectId: userId };
    await recordAudit(tx, { ...place, action: 'invitation.accepted', detail: { invitation: id, role } });
    tx.afterCommit(() => tx.services.access.forgetUser(userId));
    return { organization_id };
  },
});
