import type { SubscriptionStatus } from '../../domain/subscription/subscription.entity.ts';
import type { ChangeKind } from '../../domain/subscription/subscription-change.entity.ts';
import { uuidOf } from '../random.ts';

/** One change of status: by the holder, by a manager, or (null) because the waiting list moved. */
export interface Step {
  to: SubscriptionStatus;
  by: string | null;
  at: Date;
}

export interface JourneyInput {
  /** Which one it is, the same at each start. */
  key: string;
  event: string;
  user: string;
  steps: readonly [Step, ...Step[]];
  answers?: Record<string, unknown> | null;
  checkIn?: { by: string; at: Date } | null;
}

/** A subscription and the history that led to it. */
export function journey({ key, event, user, steps, answers = null, checkIn = null }: JourneyInput) {
  const id = uuidOf(`demo subscription ${key}`);
  const last = steps.at(-1) ?? steps[0];
  const changes = steps.map((step, index) => ({
    ...{ kind: 'status' as ChangeKind, statusFrom: steps[index - 1]?.to ?? null, statusTo: step.to },
    ...{ actorId: step.by, createdAt: step.at },
  }));
  if (checkIn) {
    const { to } = last;
    changes.push({ kind: 'check_in', statusFrom: to, statusTo: to, actorId: checkIn.by, createdAt: checkIn.at });
  }
  return {
    subscription: {
      ...{ id, event, user, answers, status: last.to },
      waitingSince: last.to === 'waitlisted' ? last.at : null,
      checkedInAt: checkIn?.at ?? null,
      createdAt: steps[0].at,
      updatedAt: checkIn?.at ?? last.at,
    },
    changes: changes.map((change, index) => ({
      ...{ id: uuidOf(`demo change ${key} ${index}`), subscription: id },
      ...change,
    })),
  };
}

export type Journey = ReturnType<typeof journey>;
