import { type FormEvent, Fragment, type ReactNode, useEffect, useState } from 'react';
import './page.css';
import { Refusal } from './Refusal.tsx';
import { service } from './service.ts';

/** Where a page begins: whatever is read from now on contains what the log tells up to the cursor. */
export interface Start {
  cursor: string;
  /** Begins anew, as when the session has ended or the log does not reach back to where the page was. */
  restart(): void;
}

interface Visit {
  person: string;
  organizations: { id: string; name: string }[];
  cursor: string;
}

/** Remembers that there is a session, not what it is: to ask without one is an error in the console. */
const signedIn = 'signed-in';

/** The frame of the examples: a form to sign in, and then the page, anew for each organization. */
export function Page({ title, children }: { title: string; children(start: Start): ReactNode }) {
  const [visit, setVisit] = useState<Visit | 'signed out' | 'loading'>('loading');
  const [failure, setFailure] = useState<Error | null>(null);
  const attempt = (work: Promise<unknown>) => {
    setFailure(null);
    work.catch((error: Error) => {
      setFailure(error);
      setVisit((visit) => (visit === 'loading' ? 'signed out' : visit));
    });
  };

  async function enter(organization = service.organization) {
    const { name, organizations } = await service.get('/auth/me');
    const chosen = organizations.find(({ id }) => id === organization) ?? organizations[0];
    service.switchOrganization(chosen?.id);
    localStorage.setItem(signedIn, 'yes');
    const { next } = await service.get('/changes', {
      params: { query: { since: 'now', kinds: ['event', 'subscription'] } },
    });
    setVisit({ person: name, organizations, cursor: next });
  }
  async function resume() {
    if (localStorage.getItem(signedIn) && (await service.resume())) await enter();
    else setVisit('signed out');
  }
  async function signIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    await service.signIn({ email: String(form.get('email')), password: String(form.get('password')) });
    await enter();
  }
  async function signOut() {
    setVisit('signed out');
    service.switchOrganization(undefined);
    localStorage.removeItem(signedIn);
    await service.signOut();
  }

  // the cookie remembers who was here
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is opened
  useEffect(() => attempt(resume()), []);

  return (
    <main>
      <h1>{title}</h1>
      {failure && <p role="alert">{failure.message}</p>}
      {visit === 'signed out' && (
        <form onSubmit={(event) => attempt(signIn(event))}>
          <label>
            E-mail address{' '}
            <input name="email" type="email" autoComplete="username" defaultValue="member@demo.example" />
          </label>
          <label>
            Password{' '}
            <input name="password" type="password" autoComplete="current-password" defaultValue="demo-events-2468" />
          </label>
          <button type="submit">Sign in</button>
        </form>
      )}
      {typeof visit === 'object' && (
        <>
          <p>
            Signed in as {visit.person}.{' '}
            <label>
              Organization{' '}
              <select value={service.organization} onChange={({ target }) => attempt(enter(target.value))}>
                {visit.organizations.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>{' '}
            <button type="button" onClick={() => attempt(signOut())}>
              Sign out
            </button>
          </p>
          {/* the key: what was read belongs to the organization and to the person */}
          <Fragment key={visit.cursor}>
            <Refusal>{children({ cursor: visit.cursor, restart: () => attempt(resume()) })}</Refusal>
          </Fragment>
        </>
      )}
    </main>
  );
}
