import { useState } from 'react';
import { type Answered, type Form, formOf, issueOf, Questions } from './Questions.tsx';
import type { Refused } from './refused.ts';

/** What an item of the list shows; each example selects it in its own way. */
export interface EventFields {
  id: string;
  name: string;
  dateStart: string;
  timezone: string;
  status: string;
  capacity?: number | null;
  acceptedCount: number;
  availability: string;
  viewerSubscription?: { id: string; status: string } | null;
}

const subscriptions: Record<string, string> = {
  ACCEPTED: 'You have a place.',
  WAITLISTED: 'You are on the waiting list.',
  PENDING: 'A manager decides about your request.',
  DECLINED: 'Your request was declined.',
};

const offers: Record<string, string> = {
  OPEN: 'Subscribe',
  WAITING_LIST: 'Join the waiting list',
  APPROVAL: 'Ask for a place',
};

const refusals: Record<string, string> = { FULL: 'Full.', CLOSED: 'Closed.' };

export interface EventItemProps {
  event: EventFields;
  /** While the answer to a write is expected, but not there. */
  busy: boolean;
  /** Why the last write was refused. */
  refused: Refused | undefined;
  /** @param given the answers, if the event has questions */
  onSubscribe(given?: Answered): void;
  onCancel(subscriptionId: string): void;
}

/** The time where the event is, as its own page says it. */
function timeIn(timeZone: string, time: string): string {
  return new Date(time).toLocaleString(undefined, {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
}

export function EventItem({ event, busy, refused, onSubscribe, onCancel }: EventItemProps) {
  const { name, dateStart, timezone, status, capacity, acceptedCount, availability, viewerSubscription: own } = event;
  const isLive = own && ['ACCEPTED', 'WAITLISTED', 'PENDING'].includes(own.status);
  const offer = isLive ? undefined : offers[availability];
  const [form, setForm] = useState<Form>();
  const [failure, setFailure] = useState<Error>();
  const isBesideQuestion = form?.questions.some(({ key }) => issueOf(refused, key));
  const problem = (!isBesideQuestion && refused?.message) || failure?.message;
  // the questions may have changed since the list was read
  const ask = async () => {
    const asked = await formOf(event.id);
    if (asked) setForm(asked);
    else onSubscribe();
  };
  return (
    <li aria-busy={busy}>
      <h2>{name}</h2>
      <p>
        <time dateTime={dateStart}>{timeIn(timezone, dateStart)}</time>
        {status !== 'ACTIVE' && <strong> {status.toLowerCase()}</strong>}, {acceptedCount}
        {capacity != null && ` of ${capacity}`} places taken
      </p>
      <p>
        <output>{(own && subscriptions[own.status]) ?? refusals[availability]}</output>{' '}
        {offer && !form && (
          <button type="button" disabled={busy} onClick={() => ask().catch(setFailure)}>
            {offer}
          </button>
        )}
        {isLive && (
          <button
            type="button"
            disabled={busy}
            onClick={() => {
              setForm(undefined);
              onCancel(own.id);
            }}
          >
            Cancel
          </button>
        )}
      </p>
      {form && <Questions form={form} hidden={!offer} refused={refused} onAnswer={onSubscribe} />}
      {problem && <p role="alert">{problem}</p>}
    </li>
  );
}
