/**
 * Remembers, for the pages of this origin, that somebody signed in, but not who: to ask for a session when there is none is
 * an error in the browser's console.
 */
export class SignedInFlag {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** Whether there may be a session; true where nothing can be remembered. */
  get mayBeSet(): boolean {
    try {
      return typeof document === 'undefined' || localStorage.getItem(this.#name) !== null;
    } catch {
      return true;
    }
  }

  set(signedIn: boolean): void {
    if (typeof document === 'undefined') return;
    try {
      if (signedIn) localStorage.setItem(this.#name, 'signed in');
      else localStorage.removeItem(this.#name);
    } catch {
      // storage is blocked
    }
  }
}
