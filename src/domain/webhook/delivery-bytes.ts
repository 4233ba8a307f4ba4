import type { Limits } from '../../kernel/limits/limits.ts';
import { deliveryPartiesOf, type Made } from '../../kernel/limits/parties.ts';
import type { ChangeRow } from '../change/change-view.ts';

/** What a row costs beside its values, as in the transactions of requests (note 0056). */
const rowBytes = 128;

/** What is kept of a change or an attempt: the change and, after a failure, the beginning of the answer. */
interface Kept {
  change: ChangeRow;
  response?: string | null;
}

/** The organization of a webhook, as far as limits know it. */
export function madeOf(row: { organization_id: string | null; maker_id: string | null }): Made {
  return { organizationId: row.organization_id as string, makerId: row.maker_id };
}

/** What is kept of deliveries counts for the organization and its maker (interface/webhooks.md#deliveries). */
export function chargeDeliveries(limits: Limits, made: Made, kept: readonly Kept[]): void {
  if (kept.length === 0) return;
  const bytesOf = ({ change, response }: Kept) => rowBytes + JSON.stringify(change).length + (response?.length ?? 0);
  const bytes = kept.reduce((sum, each) => sum + bytesOf(each), 0);
  limits.keptBytes.spend(deliveryPartiesOf(made), bytes);
}
