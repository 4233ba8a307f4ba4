import { endingReads, type ReadName } from '../../domain/reads.ts';
import { deprecationReason } from '../../kernel/deprecation.ts';

/** The options of a field that reads this: that it is going to end, if it is. */
export function ending(read: ReadName): { deprecationReason?: string } {
  const deprecation = endingReads[read];
  return deprecation ? { deprecationReason: deprecationReason(deprecation) } : {};
}
