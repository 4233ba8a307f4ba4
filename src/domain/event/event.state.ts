import { type EventStatus, eventStatuses } from './event.entity.ts';

const { DRAFT, ACTIVE, CANCELLED, ARCHIVED } = eventStatuses;

/** The condition of a change of status. */
type Condition = 'always' | 'without subscriptions';

/** The allowed changes of status (reference/events.md#status). Descriptions and tests are generated from this table. */
export const eventTransitions: Readonly<Record<EventStatus, Partial<Record<EventStatus, Condition>>>> = {
  [DRAFT]: { [ACTIVE]: 'always', [ARCHIVED]: 'always' },
  [ACTIVE]: { [DRAFT]: 'without subscriptions', [CANCELLED]: 'always', [ARCHIVED]: 'always' },
  [CANCELLED]: { [ACTIVE]: 'always', [ARCHIVED]: 'always' },
  [ARCHIVED]: { [ACTIVE]: 'always', [DRAFT]: 'without subscriptions' },
};

/** The statuses in words that suit both faces. */
export const statusWords: Readonly<Record<EventStatus, string>> = {
  [DRAFT]: 'draft',
  [ACTIVE]: 'active',
  [CANCELLED]: 'cancelled',
  [ARCHIVED]: 'archived',
};

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** The table in words. */
export const describedTransitions = Object.entries(eventTransitions)
  .map(([from, targets]) => {
    const named = Object.entries(targets).map(
      ([to, condition]) => wordOf(to) + (condition === 'always' ? '' : ` (${condition})`),
    );
    return `from ${wordOf(from)} to ${alternatives.format(named)}`;
  })
  .join('; ');

function wordOf(status: string): string {
  return statusWords[Number(status) as EventStatus];
}

/** The statuses that a new event may have. */
export const initialStatuses = [DRAFT, ACTIVE] as const;
