import { uuidOf } from './random.ts';

export type SubscriptionStatus = 'pending' | 'accepted' | 'declined' | 'waitlisted' | 'cancelled';

/** A change of status: by the holder, by a manager, or (null) because the waiting list moved up. */
export interface JourneyStep {
  to: SubscriptionStatus;
  by: string | null;
  at: Date;
}

export interface JourneyInput {
  /** Identifies the subscription, the same each time the demo is created. */
  key: string;
  event: string;
  user: string;
  steps: readonly [JourneyStep, ...JourneyStep[]];
  answers?: Record<string, unknown> | null;
  checkIn?: { by: string; at: Date } | null;
}

/** A subscription and its history. */
export function journey({ key, event, user, steps, answers = null, checkIn = null }: JourneyInput) {
  const id = uuidOf(`demo subscription ${key}`);
  const last = steps.at(-1) ?? steps[0];
  const changes = steps.map((step, index) => ({
    ...{ kind: 'status' as 'status' | 'check_in', status_from: steps[index - 1]?.to ?? null, status_to: step.to },
    ...{ actor_id: step.by, created_at: step.at.toISOString() },
  }));
  if (checkIn) {
    const { to } = last;
    const created_at = checkIn.at.toISOString();
    changes.push({ kind: 'check_in', status_from: to, status_to: to, actor_id: checkIn.by, created_at });
  }
  return {
    subscription: {
      ...{ id, event_id: event, user_id: user, answers, status: last.to },
      waiting_since: last.to === 'waitlisted' ? last.at.toISOString() : null,
      checked_in_at: checkIn?.at.toISOString() ?? null,
      created_at: steps[0].at.toISOString(),
      updated_at: (checkIn ?? last).at.toISOString(),
    },
    changes: changes.map((change, index) => ({
      ...{ id: uuidOf(`demo change ${key} ${index}`), subscription_id: id },
      ...change,
    })),
  };
}

export type Journey = ReturnType<typeof journey>;
