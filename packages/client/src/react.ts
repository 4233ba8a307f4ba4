import { useEffect, useId, useMemo, useState } from 'react';
import type { Client, components, SessionState } from './index.ts';
import { type ApiError, apiErrorOf } from './problem.ts';

type Profile = components['schemas']['Profile'];

export interface Session {
  /** `loading` until it is known whether the browser remembers a session. */
  status: 'loading' | 'signed out' | 'signed in';
  /** The user, with their organizations; null unless signed in. */
  user: Profile | null;
  /** The organization of the requests; null unless signed in. */
  organization: Profile['organizations'][number] | null;
  /** Changes with the session and the organization: the `key` of whatever holds a cache. */
  key: string;
  /** Why the last `signIn` failed, or why the service ended the session. */
  error: ApiError | null;
  signIn(credentials: { email: string; password: string }): Promise<void>;
  signOut(): Promise<void>;
  switchOrganization(id: string): void;
  /** Begins again with new caches, as after a stream ended with `CURSOR_EXPIRED`. Does nothing after other reasons. */
  restart(reason: unknown): void;
}

/** The session of a client: it resumes when the page is loaded, and begins in the user's first organization. */
export function useSession(client: Client): Session {
  const [status, setStatus] = useState<Session['status']>('loading');
  const [user, setUser] = useState<Profile | null>(null);
  const [organization, setOrganization] = useState(client.organization);
  const [round, setRound] = useState(0);
  const [error, setError] = useState<ApiError | null>(null);

  useEffect(() => {
    let isCurrent = true;
    const giveUp = (reason: unknown) => {
      if (!isCurrent) return;
      setError(apiErrorOf(reason) ?? null);
      setStatus('signed out');
    };
    const enter = async () => {
      const profile = await client.get('/auth/me');
      const chosen = profile.organizations.find(({ id }) => id === client.organization) ?? profile.organizations[0];
      client.switchOrganization(chosen?.id);
      if (!isCurrent) return;
      setUser(profile);
      setOrganization(chosen?.id);
      setRound((each) => each + 1);
      setError(null);
      setStatus('signed in');
    };
    let signedIn = client.signedIn;
    const hear = (state: SessionState) => {
      setOrganization(state.organization);
      if (state.signedIn === signedIn) return;
      signedIn = state.signedIn;
      if (signedIn) return void enter().catch(giveUp);
      setUser(null);
      setError(state.reason ?? null);
      setStatus('signed out');
    };
    const stop = client.onSessionChange(hear);
    const begin = async () => {
      if (client.signedIn) await enter();
      else if (!(await client.resume()) && isCurrent) setStatus('signed out');
    };
    begin().catch(giveUp);
    return () => {
      isCurrent = false;
      stop();
    };
  }, [client]);

  return useMemo(() => {
    const attempt = (work: Promise<void>) => work.catch((reason: unknown) => setError(apiErrorOf(reason) ?? null));
    return {
      status,
      user,
      organization: user?.organizations.find(({ id }) => id === organization) ?? null,
      key: `${organization} ${round}`,
      error,
      signIn: (credentials) => attempt(client.signIn(credentials)),
      signOut: () => attempt(client.signOut()),
      switchOrganization: (id) => client.switchOrganization(id),
      restart: (reason) => {
        const code = apiErrorOf(reason)?.code;
        if (code === 'CURSOR_EXPIRED' || code === 'INVALID_CURSOR') setRound((each) => each + 1);
      },
    };
  }, [client, status, user, organization, round, error]);
}

export interface FormErrors {
  /** What belongs to no field of the form; null if nothing does. */
  message: string | null;
  /** The error of a field, by its pointer, such as `/answers/dish`. */
  field(pointer: string): FieldError;
}

export interface FieldError {
  message: string | null;
  /** The id of the element that shows the message. */
  id: string;
  /** For the input. */
  props: { 'aria-invalid'?: true; 'aria-describedby'?: string };
}

/**
 * The errors of a form by field.
 *
 * @param error what the last write failed with, in any library; null or undefined if it did not
 * @param pointers of the fields that show their own errors: all others go into `message`
 */
export function useFormErrors(error: unknown, pointers: readonly string[]): FormErrors {
  const prefix = useId();
  const failure = apiErrorOf(error);
  const issues = failure?.issues ?? [];
  const others = issues.filter(({ pointer }) => !pointers.includes(pointer)).map(({ detail }) => detail);
  const whole = issues.length === 0 && error ? (failure ?? (error as Error)).message : null;
  return {
    message: others.length > 0 ? others.join(' ') : whole,
    field(pointer) {
      const found = issues.filter((each) => each.pointer === pointer).map(({ detail }) => detail);
      const id = `${prefix}${pointer}`;
      const isWrong = found.length > 0;
      return {
        message: isWrong ? found.join(' ') : null,
        id,
        props: isWrong ? { 'aria-invalid': true, 'aria-describedby': id } : {},
      };
    },
  };
}

/**
 * The answers to a form's questions, as both APIs take them: an empty one is left out, a number is a number.
 *
 * @param typed of a form whose inputs are named by the keys of the questions, the box of a `consent` without a value
 */
export function answersOf(
  questions: readonly { key: string; type: string }[],
  typed: FormData,
): Record<string, unknown> {
  const answered = questions.flatMap(({ key, type }) => {
    const given = typed.getAll(key).filter((each) => each !== '');
    return given.length > 0 ? [[key, answerOf(type.toLowerCase(), given)] as const] : [];
  });
  return Object.fromEntries(answered);
}

function answerOf(type: string, given: readonly FormDataEntryValue[]): unknown {
  if (type === 'choices') return given;
  if (type === 'consent') return true;
  return type === 'number' ? Number(given[0]) : given[0];
}
