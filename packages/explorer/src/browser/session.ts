import type { PageSettings } from '../content.ts';

/** `GET /auth/me`. */
export interface BrowserProfile {
  id: string;
  name: string;
  email: string;
  organizations: { id: string; name: string; role: string }[];
}

export interface SessionState {
  /** Null if nobody is signed in. */
  profile: BrowserProfile | null;
  /** The organization that requests are scoped to. */
  organization: string | null;
  /** Why a sign-in failed. */
  problem: string;
}

/** How many milliseconds before it expires an access token is renewed. */
const margin = 60_000;

/**
 * The signed-in user of the page. The access token stays in memory; the refresh cookie, which no script can read,
 * renews it before it expires and after a refusal.
 */
export class BrowserSession {
  state: SessionState;
  readonly #base: string;
  /** The default while nobody is signed in. */
  readonly #organization: string | null;
  readonly #remembered: { signedIn: string; organization: string };
  readonly #listeners = new Set<() => void>();
  #token: { value: string; expires: number } | null = null;
  #renewal: Promise<boolean> | null = null;

  constructor({ base, id, demo }: Pick<PageSettings, 'base' | 'id' | 'demo'>) {
    this.#base = base;
    this.#organization = demo[0]?.organization ?? null;
    this.#remembered = { signedIn: `${id}.signed-in`, organization: `${id}.organization` };
    const organization = localStorage.getItem(this.#remembered.organization) ?? this.#organization;
    this.state = { profile: null, organization, problem: '' };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Continues the session of an earlier visit, if there was one: otherwise the browser would log a refused request. */
  async resume(): Promise<void> {
    if (localStorage.getItem(this.#remembered.signedIn)) await this.#renew();
  }

  async signIn(credentials: { email: string; password: string }): Promise<void> {
    this.#change({ problem: '' });
    try {
      await this.#enter(await this.#post('auth/login', credentials));
    } catch (failure) {
      const { detail, title } = failure as { detail?: string; title?: string };
      this.#change({ problem: detail ?? title ?? 'The service cannot be reached. Try again.' });
    }
  }

  async signOut(): Promise<void> {
    const authorization = `Bearer ${this.#token?.value}`;
    this.#leave();
    await this.#post('auth/logout', {}, { authorization });
  }

  choose(organization: string): void {
    localStorage.setItem(this.#remembered.organization, organization);
    this.#change({ organization });
  }

  /**
   * Sends a request with the access token, renewed if necessary. The request's own `authorization` takes precedence.
   */
  async fetch(url: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    if (headers.has('authorization')) return await fetch(url, init);
    if (this.#token && this.#token.expires - Date.now() < margin) await this.#renew();
    const response = await fetch(url, { ...init, headers: this.#identified(headers) });
    if (!this.#token || !(await isRefused(response)) || !(await this.#renew())) return response;
    return await fetch(url, { ...init, headers: this.#identified(headers) });
  }

  #identified(given: Headers): Headers {
    const headers = new Headers(given);
    const { organization } = this.state;
    if (this.#token) headers.set('authorization', `Bearer ${this.#token.value}`);
    if (organization && !headers.has('x-organization-id')) headers.set('x-organization-id', organization);
    return headers;
  }

  /** Returns whether the cookie gave a new access token. Concurrent requests share one renewal. */
  #renew(): Promise<boolean> {
    this.#renewal ??= this.#post('auth/refresh', {})
      .then((response) => this.#enter(response))
      .then(
        () => true,
        () => {
          this.#leave();
          return false;
        },
      )
      .finally(() => {
        this.#renewal = null;
      });
    return this.#renewal;
  }

  async #enter(response: Response): Promise<void> {
    const answer = await response.json();
    if (!response.ok) throw answer;
    const { access_token: value, expires } = answer as { access_token: string; expires: number };
    const authorization = `Bearer ${value}`;
    const profile: BrowserProfile = await (await fetch(`${this.#base}auth/me`, { headers: { authorization } })).json();
    this.#token = { value, expires };
    localStorage.setItem(this.#remembered.signedIn, 'yes');
    const chosen = profile.organizations.find(({ id }) => id === this.state.organization) ?? profile.organizations[0];
    this.#change({ profile, organization: chosen?.id ?? null, problem: '' });
  }

  #leave(): void {
    this.#token = null;
    localStorage.removeItem(this.#remembered.signedIn);
    this.#change({ profile: null, organization: this.state.organization ?? this.#organization });
  }

  #change(changes: Partial<SessionState>): void {
    this.state = { ...this.state, ...changes };
    for (const listener of this.#listeners) listener();
  }

  #post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.#base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }
}

/** Both APIs return this code for a token that is no longer valid. */
async function isRefused(response: Response): Promise<boolean> {
  if (response.status === 401) return true;
  if (!response.headers.get('content-type')?.includes('json')) return false;
  return (await response.clone().text()).includes('"code":"INVALID_TOKEN"');
}
