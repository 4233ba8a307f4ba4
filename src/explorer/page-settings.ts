import type { RestTwins } from './rest-twins.ts';

/** An account that anyone may use, one click away. */
export interface DemoAccount {
  role: string;
  email: string;
  password: string;
  /** The id of its organization, which a guest of the page looks at. */
  organization: string;
}

/** What the service tells its page. */
export interface PageSettings {
  /** Where the assets are: a path that is relative to the page, with a slash at the end. */
  assets: string;
  /** Where the service is, likewise. */
  base: string;
  /** The names of Monaco's workers, below `assets`. */
  workers: Record<string, string>;
  demo: readonly DemoAccount[];
  maxCost: number;
  twins: RestTwins;
}
