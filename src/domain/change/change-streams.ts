import type { MemberContext } from '../../engine/context.ts';
import { ChangeStream, type StreamMessage } from './change-stream.ts';
import type { ChangesInput } from './changes.ts';
import { OrganizationReader, type ReaderOptions } from './organization-reader.ts';
import { type StreamBounds, StreamSlots } from './stream-slots.ts';

export interface ChangeStreamsOptions extends ReaderOptions {
  bounds: StreamBounds;
  /** Whether users, organizations and networks are limited. */
  limited: boolean;
}

/** The open streams of this process. */
export class ChangeStreams {
  readonly #options: ChangeStreamsOptions;
  readonly #slots: StreamSlots;
  readonly #readers = new Map<string, OrganizationReader>();

  constructor(options: ChangeStreamsOptions) {
    this.#options = options;
    this.#slots = new StreamSlots(options.bounds, options.limited);
  }

  /** The number of open streams. */
  get open(): number {
    return this.#slots.total;
  }

  /**
   * Opens a stream of changes without end (interface/changes.md#streams). Everything that can be refused is refused before it
   * begins; iterate over the messages, or call `return`.
   *
   * @throws DomainError INVALID_CURSOR, CURSOR_EXPIRED, RATE_LIMITED, SERVICE_UNAVAILABLE
   */
  async follow(ctx: MemberContext, input: ChangesInput): Promise<AsyncGenerator<StreamMessage, void>> {
    const { organizationId } = ctx.membership;
    const giveBack = this.#slots.take(ctx);
    try {
      const stream = new ChangeStream(ctx, input, this.#readerOf(organizationId));
      await stream.begin();
      return stream.messages(() => {
        giveBack();
        if (!this.#readerOf(organizationId).isFollowed) this.#readers.delete(organizationId);
      });
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  #readerOf(organizationId: string): OrganizationReader {
    const reader = this.#readers.get(organizationId) ?? new OrganizationReader(organizationId, this.#options);
    this.#readers.set(organizationId, reader);
    return reader;
  }
}
