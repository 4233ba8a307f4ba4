import type { ReadArgument } from '#compiled-graphql';
import type { ReadName } from '../../domain/reads.ts';
import type { AnyCommand } from '../../engine/command.ts';
import type { Viewer } from '../../kernel/request.ts';

/** `organization if named`: only if the request names one; `public`: an organization, but no sign-in; `anyone`: neither. */
export type RequiredAccess = 'viewer' | 'organization' | 'organization if named' | 'public' | 'anyone';

/** From the raw arguments; the viewer is null if nobody is signed in. */
export type FieldAccess = (argument: ReadArgument, viewer: Viewer | null) => RequiredAccess;

/** Nodes per parent. */
export type FieldCost = number | ((argument: ReadArgument) => number);

/** Read by `selection`, `cost` and `access`; the executor ignores it. */
export type FieldExtensions = {
  /** Columns of the row that the field needs. */
  columns?: readonly string[];
  cost?: FieldCost;
  /** Of a root field. */
  access?: RequiredAccess | FieldAccess;
  command?: AnyCommand;
  /** The name of the read, if REST has it too. */
  read?: ReadName;
};
