import type { ReadName } from '../../domain/reads.ts';
import type { AnyCommand } from '../../engine/command.ts';
import type { Viewer } from '../../kernel/request.ts';
import type { ReadArgument } from './arguments.ts';

/**
 * What a field requires: a signed-in viewer; a viewer and an organization; a viewer, and an organization only if the request
 * names one; or, for public data, an organization but no sign-in.
 */
export type RequiredAccess = 'viewer' | 'organization' | 'organization if named' | 'public';

/** The access that a root field needs, from its raw arguments; the viewer is null if nobody is signed in. */
export type FieldAccess = (argument: ReadArgument, viewer: Viewer | null) => RequiredAccess;

/** The number of nodes that a field costs, per parent. */
export type FieldCost = (argument: ReadArgument) => number;

/** Metadata of our fields, read by `selection`, `cost` and `access`; the executor ignores it. */
export type FieldExtensions = {
  /** The columns of the row that the field needs. */
  columns?: readonly string[];
  /** The number of nodes that the field costs, per parent. */
  cost?: FieldCost;
  /** The access that a root field needs. */
  access?: RequiredAccess | FieldAccess;
  /** The command that a mutation runs. */
  command?: AnyCommand;
  /** What the field reads, if REST reads it, too. */
  read?: ReadName;
};
