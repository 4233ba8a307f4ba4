import type { Requester } from '../request.ts';
import { clientNetworks } from './client-network.ts';
import type { Payer } from './kept-bytes.ts';

/** How many customers the larger networks of an IPv6 address count as, narrowest first. */
const shares = [1, 2, 5];

/**
 * Who pays for what the writes of a request keep: its user and organization or, for a stranger, the networks. The members
 * together have half of their organization's bytes: anybody may join one that is open, and none of them may stop its managers.
 */
export function payersOf({ viewer, membership, client }: Pick<Requester, 'viewer' | 'membership' | 'client'>): Payer[] {
  if (!viewer)
    return clientNetworks(client.ip).map((id, index) => ({ kind: 'network', id, times: shares[index] ?? 1 }));
  const user: Payer = { kind: 'user', id: viewer.userId };
  if (!membership) return [user];
  const { organizationId: id, role } = membership;
  const organization: Payer = { kind: 'organization', id };
  return role === 'member' ? [user, organization, { kind: 'members', id, times: 1 / 2 }] : [user, organization];
}
