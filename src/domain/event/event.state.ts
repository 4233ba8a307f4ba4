import { type EventStatus, eventStatuses } from './event.entity.ts';

const { DRAFT, ACTIVE, CANCELLED, ARCHIVED } = eventStatuses;

type Condition = 'always' | 'without subscriptions';

/** Descriptions and tests are generated from this table (reference/events.md#status). */
export const eventTransitions: Readonly<Record<EventStatus, Partial<Record<EventStatus, Condition>>>> = {
  [DRAFT]: { [ACTIVE]: 'always', [ARCHIVED]: 'always' },
  [ACTIVE]: { [DRAFT]: 'without subscriptions', [CANCELLED]: 'always', [ARCHIVED]: 'always' },
  [CANCELLED]: { [ACTIVE]: 'always', [ARCHIVED]: 'always' },
  [ARCHIVED]: { [ACTIVE]: 'always', [DRAFT]: 'without subscriptions' },
};

/** By status: draft, active, … */
export const statusWords = Object.keys(eventStatuses).map((name) => name.toLowerCase());

const wordOf = (status: string) => statusWords[Number(status)];
const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

export const describedTransitions = Object.entries(eventTransitions)
  .map(([from, targets]) => {
    const named = Object.entries(targets).map(
      ([to, condition]) => `${wordOf(to)}${condition === 'always' ? '' : ` (${condition})`}`,
    );
    return `from ${wordOf(from)} to ${alternatives.format(named)}`;
  })
  .join('; ');

export const initialStatuses = [DRAFT, ACTIVE] as const;
