import type { AnyCommand } from '../../engine/command.ts';
import type { Viewer } from '../../kernel/request.ts';
import type { ReadArgument } from './arguments.ts';

/**
 * A viewer; also an organization; an organization only if the request names one; or nobody, for what is public of an
 * organization.
 */
export type Access = 'viewer' | 'organization' | 'organization if named' | 'public';

/** The access that a root field needs, from its raw arguments; the viewer is null if nobody is signed in. */
export type FieldAccess = (argument: ReadArgument, viewer: Viewer | null) => Access;

/**
 * The number of nodes that a field costs, per parent. It may depend on numbers among the arguments and on the length of
 * lists, and on nothing else: costs are remembered for those.
 */
export type FieldCost = (argument: ReadArgument) => number;

/** Metadata of our fields; the executor ignores it, `selection`, `cost` and `access` read it. */
export type FieldExtensions = {
  /** The columns of its row that a field needs. */
  columns?: readonly string[];
  /** The number of nodes that the field costs, per parent. */
  cost?: FieldCost;
  /** The access that a root field needs. */
  access?: Access | FieldAccess;
  /** Whether a request for this root field may have 1 MiB. */
  largeInput?: boolean;
  /** The command that a mutation runs. */
  command?: AnyCommand;
};
