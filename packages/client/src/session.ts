import { ApiError, errorOf } from './problem.ts';
import type { components } from './rest-types.ts';
import { SignedInFlag } from './signed-in-flag.ts';

type Credentials = components['schemas']['Credentials'];

/** Who the requests are from, and for which organization. */
export interface SessionState {
  signedIn: boolean;
  organization: string | undefined;
  /** Why the session ended, if the service ended it. */
  reason?: ApiError;
}

interface Token {
  value: string;
  /** Unix milliseconds. */
  expires: number;
}

/** What a tab tells the others. */
interface Told {
  token: Token | null;
  /** Why the service ended the session. */
  ended?: Pick<ApiError, 'code' | 'message' | 'status'> | undefined;
}

/** Milliseconds before its end at which a token is renewed. */
const margin = 30_000;
/** Milliseconds for which a tab keeps the lock after it has sent the token to the others, so that they have it before they ask. */
const told = 50;

/**
 * The access token, only in memory, and the organization, which the flag remembers for the next time that the page is loaded.
 * The cookie that renews the token is kept by the browser; in Node.js, which has no place for cookies, it is kept here.
 */
export class Session {
  readonly #url: string;
  readonly #fetch: typeof fetch;
  readonly #channel: BroadcastChannel | null;
  readonly #flag: SignedInFlag;
  readonly #listeners = new Set<(state: SessionState) => void>();
  #token: Token | null = null;
  #cookie: string | null = null;
  #renewal: Promise<boolean> | null = null;
  readonly #initial: string | undefined;
  #organization: string | undefined;
  #scope = new AbortController();

  constructor(url: string, send: typeof fetch, organization: string | undefined) {
    this.#url = url;
    this.#fetch = send;
    this.#initial = organization;
    this.#organization = organization;
    const name = `events-gateway ${url}`;
    this.#flag = new SignedInFlag(name);
    // tabs of a browser share the cookie, and so its access token; clients in Node.js do not
    this.#channel = typeof document === 'undefined' ? null : new BroadcastChannel(name);
    if (this.#channel)
      this.#channel.onmessage = ({ data }: MessageEvent<Told>) =>
        this.#accept(data.token, data.ended && new ApiError(data.ended));
  }

  get signedIn(): boolean {
    return this.#token !== null;
  }

  get organization(): string | undefined {
    return this.#organization;
  }

  /** Aborts once the organization is switched, or the user signs out. */
  get scope(): AbortSignal {
    return this.#scope.signal;
  }

  onChange(listener: (state: SessionState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  switchOrganization(organization: string | undefined): void {
    if (organization === this.#organization) return;
    this.#organization = organization;
    if (this.#token) this.#flag.set(organization);
    this.#cancel('The organization was switched.');
    this.#notify();
  }

  async signIn(credentials: { email: string; password: string }): Promise<void> {
    const response = await this.#post('login', credentials);
    if (!response.ok) throw await errorOf(response, { operation: 'POST /auth/login', path: '/auth/login' });
    // another person's data must not stay
    if (this.#token) this.#accept(null);
    this.#flag.clear();
    this.#tell(await this.#enter(response));
  }

  async signOut(): Promise<void> {
    const headers: Record<string, string> = this.#token ? { authorization: `Bearer ${this.#token.value}` } : {};
    this.#tell(null);
    const response = await this.#post('logout', {}, headers);
    this.#cookie = null;
    if (!response.ok) throw await errorOf(response, { operation: 'POST /auth/logout', path: '/auth/logout' });
  }

  /** Continues the session that the cookie remembers. @returns whether there is one */
  async resume(): Promise<boolean> {
    return this.#flag.mayBeSet ? await this.renew(null) : false;
  }

  /** The token to send, renewed if it is about to expire; null if nobody is signed in. */
  async token(): Promise<string | null> {
    const token = this.#token;
    if (token && token.expires - Date.now() < margin) await this.renew(token.value);
    return this.#token?.value ?? null;
  }

  /**
   * Renews the token, once for all who ask at the same time, in this tab and in others.
   *
   * @param refused the token that is no longer good; if there is a newer one already, that is it
   */
  renew(refused: string | null): Promise<boolean> {
    if (this.#token && this.#token.value !== refused) return Promise.resolve(true);
    this.#renewal ??= this.#renewInTurn(refused).finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  async #renewInTurn(refused: string | null): Promise<boolean> {
    if (!this.#channel || !navigator.locks) return await this.#refresh();
    return await new Promise((resolve, reject) => {
      navigator.locks
        .request(`events-gateway ${this.#url}`, async () => {
          // another tab has renewed it while this one waited
          if (this.#token && this.#token.value !== refused) return resolve(true);
          resolve(await this.#refresh());
          await new Promise((heard) => setTimeout(heard, told));
        })
        .catch(reject);
    });
  }

  async #refresh(): Promise<boolean> {
    const response = await this.#post('refresh', {});
    if (response.ok) {
      this.#tell(await this.#enter(response));
      return true;
    }
    const error = await errorOf(response, { operation: 'POST /auth/refresh', path: '/auth/refresh' });
    // the session is over; any other failure leaves it as it is
    if (error.code !== 'INVALID_TOKEN' && error.code !== 'TOKEN_NOT_FOUND') throw error;
    this.#tell(null, error);
    return false;
  }

  async #enter(response: Response): Promise<Token> {
    const { access_token: value, expires } = (await response.json()) as Credentials;
    const [cookie] = response.headers.getSetCookie();
    if (cookie) this.#cookie = cookie.split(';')[0] ?? null;
    return { value, expires };
  }

  /** Takes the token, and sends it to the other tabs. */
  #tell(token: Token | null, reason?: ApiError): void {
    this.#accept(token, reason);
    const ended = reason && { code: reason.code, message: reason.message, status: reason.status };
    this.#channel?.postMessage({ token, ended } satisfies Told);
  }

  #accept(token: Token | null, reason?: ApiError): void {
    const changes = (token === null) !== (this.#token === null);
    this.#token = token;
    if (!token) this.#forget();
    if (!changes) return;
    if (token) {
      this.#organization ??= this.#flag.organization;
      this.#flag.set(this.#organization);
    }
    // requests of a session that the service ended get its 401, which says why
    if (!token && !reason) this.#cancel('The user signed out.');
    this.#notify(reason);
  }

  #forget(): void {
    this.#organization = this.#initial;
    this.#flag.clear();
  }

  #cancel(message: string): void {
    const ended = this.#scope;
    this.#scope = new AbortController();
    ended.abort(new ApiError({ code: 'CANCELLED', message, status: 0 }));
  }

  #notify(reason?: ApiError): void {
    const { signedIn, organization } = this;
    for (const listener of [...this.#listeners]) listener({ signedIn, organization, ...(reason && { reason }) });
  }

  async #post(name: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const init: RequestInit = {
      method: 'POST',
      credentials: 'include',
      headers: { 'content-type': 'application/json', ...(this.#cookie ? { cookie: this.#cookie } : {}), ...headers },
      body: JSON.stringify(body),
    };
    const ask = () => this.#fetch(`${this.#url}/auth/${name}`, init);
    // a lost answer may be asked for again: within seconds the same cookie gives the same token
    const again = name === 'refresh' ? () => ask() : (cause: unknown) => Promise.reject(cause);
    return await ask()
      .catch(again)
      .catch((cause: unknown) => {
        throw new ApiError({ code: 'UNREACHABLE', message: 'The service cannot be reached.', status: 0, cause });
      });
  }
}
