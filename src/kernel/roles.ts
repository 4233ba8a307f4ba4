import { DomainError } from './errors.ts';

export const organizationRoles = ['owner', 'manager', 'member'] as const;
/**
 * The role of a user in an organization; owners and managers see and change everything in it
 * (interface/resources.md#who-sees-what).
 */
export type OrganizationRole = (typeof organizationRoles)[number];

interface WithRole {
  role: OrganizationRole;
}

const rank: Record<OrganizationRole, number> = { member: 0, manager: 1, owner: 2 };

/** Whether a role is `least` or higher. */
export function hasRole(role: OrganizationRole, least: OrganizationRole): boolean {
  return rank[role] >= rank[least];
}

/** @throws DomainError FORBIDDEN if the viewer has a lower role in the organization */
export function requireRole({ membership }: { membership: WithRole | null }, least: OrganizationRole): void {
  if (!membership || !hasRole(membership.role, least)) throw new DomainError('FORBIDDEN');
}

/** Owners and managers see and change everything in their organization (interface/resources.md#who-sees-what). */
export function isManager(membership: WithRole): boolean {
  return membership.role !== 'member';
}
