/**
 * Remembers, for the pages of this origin, that somebody signed in, and the id of the organization, but not who: to ask for a
 * session when there is none is an error in the browser's console. Each tab keeps its own organization; a new one begins in
 * that which was chosen last.
 */
export class SignedInFlag {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** Whether there may be a session; true where nothing can be remembered. */
  get mayBeSet(): boolean {
    return attempt(() => localStorage.getItem(this.#name) !== null) ?? true;
  }

  get organization(): string | undefined {
    const name = this.#name;
    return attempt(() => sessionStorage.getItem(name) ?? localStorage.getItem(name)) || undefined;
  }

  /** Without an organization, one that is remembered stays. */
  set(organization: string | undefined): void {
    const name = this.#name;
    attempt(() => {
      if (organization) sessionStorage.setItem(name, organization);
      localStorage.setItem(name, organization ?? localStorage.getItem(name) ?? '');
    });
  }

  clear(): void {
    attempt(() => {
      sessionStorage.removeItem(this.#name);
      localStorage.removeItem(this.#name);
    });
  }
}

/** Null where there is no storage, or it is blocked. */
function attempt<Value>(use: () => Value): Value | null {
  try {
    return typeof document === 'undefined' ? null : use();
  } catch {
    return null;
  }
}
