import type { Limits } from '../kernel/limits/limits.ts';
import type { Membership, Requester, Viewer } from '../kernel/request.ts';
import type { CursorCodec } from './cursor.ts';
import type { Database } from './database.ts';
import type { Loaders } from './loaders.ts';
import type { Snapshots } from './snapshot.ts';

/** What all requests share for the lifetime of the process; the domain adds what its nouns need (`domain/services.ts`). */
export interface Services {
  cursors: CursorCodec;
  limits: Limits;
  snapshots: Snapshots;
}

/** Everything that the domain needs to know about a request. */
export interface Context extends Requester {
  db: Database;
  services: Services;
  loaders: Loaders;
  /** The time of the request; fixed, so that everything derived from it is consistent. */
  now: Date;
}

/** A context whose request is signed in. */
export interface ViewerContext extends Context {
  viewer: Viewer;
}

/** A context whose request is signed in and scoped to one of the viewer's organizations. */
export interface MemberContext extends ViewerContext {
  membership: Membership;
}

/** The context of a request that must be signed in. */
export function withViewer(ctx: Context): ViewerContext {
  if (!ctx.viewer) throw new Error('this needs a viewer');
  return ctx as ViewerContext;
}

/** The context of a request that must be scoped to an organization. */
export function withMembership(ctx: Context): MemberContext {
  if (!ctx.viewer || !ctx.membership) throw new Error('this needs an organization');
  return ctx as MemberContext;
}
