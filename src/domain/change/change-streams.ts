import type { MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { clientNetwork } from '../../kernel/limits/client-network.ts';
import { type Party, partiesOf, partyKey } from '../../kernel/limits/parties.ts';
import { Tally } from '../../kernel/tally.ts';
import { ChangeStream, type StreamMessage } from './change-stream.ts';
import type { ChangesInput } from './changes.ts';
import { OrganizationReader, type ReaderOptions } from './organization-reader.ts';

interface ChangeStreamsOptions extends ReaderOptions {
  /** How many streams may be open on each process (reference/changes.md#bounds-of-streams). */
  bounds: { perUser: number; perOrganization: number; total: number };
  /** Whether users, organizations and networks are limited. */
  limited: boolean;
}

/** Seconds after which there may be room for a stream. */
const retryAfter = 10;

/** The key of the streams of all parties. */
const all = 'all';

/** The share of all streams that one network can have. */
const networkShare = 2 / 5;

const named: Partial<Record<Party['kind'], string>> = {
  user: 'One user',
  organization: 'One organization',
  maker: 'All organizations that one user has created together',
};

/** The open streams of this process. */
export class ChangeStreams {
  readonly #options: ChangeStreamsOptions;
  readonly #readers = new Map<string, OrganizationReader>();
  /** By party, and of all. */
  readonly #counts = new Tally();

  constructor(options: ChangeStreamsOptions) {
    this.#options = options;
  }

  /** How many streams are open. */
  get open(): number {
    return this.#counts.of(all);
  }

  /**
   * Opens an endless stream of changes (reference/changes.md#streams). It stays open until its messages end, or `return` is called.
   *
   * @throws DomainError INVALID_CURSOR, CURSOR_EXPIRED, RATE_LIMITED, SERVICE_UNAVAILABLE
   */
  async follow(ctx: MemberContext, input: ChangesInput): Promise<AsyncGenerator<StreamMessage, void>> {
    const { organizationId } = ctx.membership;
    const close = this.#count(ctx);
    try {
      const stream = new ChangeStream(ctx, input, this.#readerOf(organizationId));
      await stream.begin();
      return stream.messages(() => {
        close();
        if (!this.#readerOf(organizationId).isFollowed) this.#readers.delete(organizationId);
      });
    } catch (error) {
      close();
      throw error;
    }
  }

  #readerOf(organizationId: string): OrganizationReader {
    const reader = this.#readers.get(organizationId) ?? new OrganizationReader(organizationId, this.#options);
    this.#readers.set(organizationId, reader);
    return reader;
  }

  /** Counts a stream; returns what ends that. @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE */
  #count({ viewer, membership, client }: MemberContext): () => void {
    const { bounds, limited } = this.#options;
    if (this.open >= bounds.total) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter });
    const parties: Party[] = [
      { kind: 'user', id: viewer.userId },
      ...partiesOf(membership),
      { kind: 'network', id: clientNetwork(client.ip) },
    ];
    if (limited) for (const party of parties) this.#requireRoom(party);
    return this.#counts.begin(all, ...parties.map(partyKey));
  }

  #requireRoom(party: Party): void {
    const { perUser, perOrganization, total } = this.#options.bounds;
    const open = this.#counts.of(partyKey(party));
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
