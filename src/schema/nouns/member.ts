import { members } from '../../domain/organization/membership.ts';
import { MembershipRef } from './organization.ts';
import { organizationList } from './organization-list.ts';

organizationList('members', {
  type: MembershipRef,
  items: 'memberships',
  description:
    'The members that the viewer may see, oldest first: managers and owners see all, members only themselves.',
  list: members,
});
