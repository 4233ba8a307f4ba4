import type { MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { clientNetwork } from '../../kernel/limits/client-network.ts';
import { type Party, partiesOf, partyKey } from '../../kernel/limits/parties.ts';

/** How many streams may be open on each process (interface/changes.md#bounds-of-streams). */
export interface StreamBounds {
  perUser: number;
  perOrganization: number;
  total: number;
}

/** Seconds after which a place may be free. */
const retryAfter = 10;

/** The share of the process that the streams of one network can take. */
const networkShare = 2 / 5;

/** Who the detail of a refusal says has too many streams. */
const named: Partial<Record<Party['kind'], string>> = {
  user: 'One user',
  organization: 'One organization',
  maker: 'All organizations that one user has created together',
};

/** Counts the open streams. */
export class StreamSlots {
  readonly #bounds: StreamBounds;
  readonly #limited: boolean;
  readonly #open = new Map<string, number>();
  #total = 0;

  /** @param limited whether users, organizations and networks are limited */
  constructor(bounds: StreamBounds, limited: boolean) {
    this.#bounds = bounds;
    this.#limited = limited;
  }

  /** The number of open streams. */
  get total(): number {
    return this.#total;
  }

  /**
   * Takes a place for a stream.
   *
   * @returns gives it back
   * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE
   */
  take({ viewer, membership, client }: Pick<MemberContext, 'viewer' | 'membership' | 'client'>): () => void {
    if (this.#total >= this.#bounds.total) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter });
    const parties: Party[] = [
      { kind: 'user', id: viewer.userId },
      ...partiesOf(membership),
      { kind: 'network', id: clientNetwork(client.ip) },
    ];
    if (this.#limited) for (const party of parties) this.#requireRoom(party);
    const keys = parties.map(partyKey);
    this.#total += 1;
    for (const key of keys) this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    return () => {
      this.#total -= 1;
      for (const key of keys) {
        const left = (this.#open.get(key) ?? 1) - 1;
        if (left > 0) this.#open.set(key, left);
        else this.#open.delete(key);
      }
    };
  }

  #requireRoom(party: Party): void {
    const { perUser, perOrganization, total } = this.#bounds;
    const open = this.#open.get(partyKey(party)) ?? 0;
    if (party.kind === 'network') {
      if (open < Math.max(1, total * networkShare)) return;
      throw new DomainError('SERVICE_UNAVAILABLE', { detail: 'Your network has too many streams open.', retryAfter });
    }
    const most = party.kind === 'user' ? perUser : perOrganization * (party.times ?? 1);
    if (open < most) return;
    const detail = `${named[party.kind]} can have at most ${most} streams open.`;
    throw new DomainError('RATE_LIMITED', { detail, retryAfter });
  }
}
