import type { RestTwins } from './rest-twins.ts';

/** An account that anyone may use, one click away. */
export interface DemoSignIn {
  role: string;
  email: string;
  password: string;
  /** The id of its organization, the default while nobody is signed in. */
  organization: string;
}

/** The settings that the service passes to its page. */
export interface PageSettings {
  /** The path of the assets, relative to the page, with a slash at the end. */
  assets: string;
  /** The path of the service, relative to the page, with a slash at the end. */
  base: string;
  /** The names of Monaco's workers, below `assets`. */
  workers: Record<string, string>;
  demo: readonly DemoSignIn[];
  maxCost: number;
  twins: RestTwins;
}
