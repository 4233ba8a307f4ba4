/** Somebody whose use of a limited resource is counted together. */
export interface Party {
  kind: 'user' | 'organization' | 'maker' | 'members' | 'network' | 'event' | 'deliveries';
  id: string;
  /** A factor for the bound; 1 if absent. */
  times?: number;
}

/** An organization, as far as limits know it. */
export interface Made {
  organizationId: string;
  /** Who created it; null for imported ones. */
  makerId: string | null;
}

/** How many times the bound of one organization all organizations that one user has created have together. */
const makerTimes = 3;

/**
 * Who pays for what an organization uses: itself and, since one account can create many, its maker
 * (reference/limits.md#makers).
 */
export function partiesOf({ organizationId, makerId }: Made): Party[] {
  const organization: Party = { kind: 'organization', id: organizationId };
  return makerId === null ? [organization] : [organization, { kind: 'maker', id: makerId, times: makerTimes }];
}

/**
 * Who pays for what the deliveries of an organization's webhooks leave behind: likewise, but apart from its requests, since any member
 * causes deliveries, and must not be able to block its managers.
 */
export function deliveryPartiesOf(made: Made): Party[] {
  return partiesOf(made).map((party) => ({ ...party, kind: 'deliveries' }));
}

/** The key that a party is counted under. */
export function partyKey({ kind, id }: Party): string {
  return `${kind} ${id}`;
}
