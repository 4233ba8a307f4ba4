import { type ReactNode, useState } from 'react';
import { Problem } from './Problem.tsx';
import { type Answered, type Form, Questions } from './Questions.tsx';
import { timeOf } from './when.ts';

/** What is shown of an event in a list and on its page; each example selects it in its own way. */
export interface ShownEvent {
  id: string;
  name: string;
  dateStart: string;
  timezone: string;
  status: string;
  capacity?: number | null;
  acceptedCount: number;
  availability: string;
  viewerSubscription?: { id: string; status: string; waitingPosition?: number | null } | null;
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

/** What the page of an event has beyond the item of a list. */
export interface EventDetails {
  description?: string | null;
  location?: string | null;
  url?: string | null;
}

export interface EventItemProps {
  event: ShownEvent;
  /** On the event's own page. */
  details?: EventDetails | undefined;
  /** The month, on its first event in a list. */
  month?: string | undefined;
  /** While the answer to a write is expected, but not there. */
  busy: boolean;
  /** What the last write was refused with, in whatever form the library has it. */
  error: { message: string } | null | undefined;
  /** Reads the form as it is now; null if there is nothing to ask. */
  readForm(): Promise<Form | null>;
  /** @param given the answers, if the event has questions */
  onSubscribe(given?: Answered): void;
  onCancel(subscriptionId: string): void;
  children?: ReactNode;
}

export function EventItem(props: EventItemProps) {
  const { event, details, month, busy, error, readForm, onSubscribe, onCancel, children } = props;
  const { id, name, status, capacity, acceptedCount, availability, viewerSubscription: own } = event;
  const isLive = own && ['ACCEPTED', 'WAITLISTED', 'PENDING'].includes(own.status);
  const offer = isLive ? undefined : offers[availability];
  const [form, setForm] = useState<Form | null>(null);
  const [failure, setFailure] = useState<Error>();
  // the questions may have changed since the list was read
  const ask = async () => {
    const asked = await readForm();
    if (asked) setForm(asked);
    else onSubscribe();
  };
  const cancel = () => {
    setForm(null);
    if (own) onCancel(own.id);
  };
  return (
    <li aria-busy={busy}>
      {month && <p className="month">{month}</p>}
      <article className="card">
        <h2>{details ? name : <a href={`#${encodeURIComponent(id)}`}>{name}</a>}</h2>
        <p className="when">
          <time dateTime={event.dateStart}>{timeOf(event)}</time>
          {status !== 'ACTIVE' && <strong> {status.toLowerCase()}</strong>}
        </p>
        {details?.location && <p className="quiet">Where: {details.location}</p>}
        <p className="place">
          <output>
            {(own && subscriptions[own.status]) ?? refusals[availability]}
            {own?.waitingPosition != null && ` Your position is ${own.waitingPosition}.`}
          </output>
          <span>
            {acceptedCount}
            {capacity != null && ` of ${capacity}`} places taken
          </span>
          {offer && !form && (
            <button className="offer" type="button" disabled={busy} onClick={() => ask().catch(setFailure)}>
              {offer}
            </button>
          )}
          {isLive && (
            <button type="button" disabled={busy} onClick={cancel}>
              Cancel
            </button>
          )}
        </p>
        {form && <Questions form={form} hidden={!offer} error={error} onAnswer={onSubscribe} />}
        {!form && <Problem error={error ?? failure} />}
        {details?.description && <p className="description">{details.description}</p>}
        {details?.url && (
          <p>
            <a href={details.url}>Public page</a>
          </p>
        )}
        {children}
      </article>
    </li>
  );
}
