/** A payer of a limited resource. */
export interface Party {
  kind: 'user' | 'organization' | 'maker' | 'members' | 'network' | 'event' | 'deliveries';
  id: string;
  /** A factor for the bound; 1 if absent. */
  times?: number;
}

export interface Made {
  organizationId: string;
  /** Who created the organization; null for imported ones. */
  makerId: string | null;
}

/** The bound of all organizations of one maker, in bounds of one organization. */
const makerTimes = 3;

/** An organization pays itself, and so does its maker, who can create many (reference/limits.md#makers). */
export function partiesOf({ organizationId, makerId }: Made): Party[] {
  const organization: Party = { kind: 'organization', id: organizationId };
  return makerId === null ? [organization] : [organization, { kind: 'maker', id: makerId, times: makerTimes }];
}

/** Deliveries of webhooks are paid separately: every member causes them, and must not be able to block managers. */
export function deliveryPartiesOf(made: Made): Party[] {
  return partiesOf(made).map((party) => ({ ...party, kind: 'deliveries' }));
}

export function partyKey({ kind, id }: Party): string {
  return `${kind} ${id}`;
}
