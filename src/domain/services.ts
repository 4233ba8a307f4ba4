import type { LaneName } from '../engine/jobs/job.table.ts';
import type { AllowedTargets } from '../kernel/network/allowed-targets.ts';
import type { SignUpSalts } from './account/sign-up-salt.ts';
import type { ChangeStreams } from './change/change-streams.ts';
import type { MailBudgets } from './mail/mail-budgets.ts';
import type { AccessTokens } from './session/access-token.ts';
import type { Access } from './session/active-sessions.ts';
import type { RefreshTokens } from './session/refresh-token.ts';
import type { LinkTokens } from './subscription/link-tokens.ts';
import type { fillPlaces } from './subscription/places.ts';
import type { SendToEndpoint } from './webhook/delivery.ts';

export type { Services } from '../engine/context.ts';

// the engine needs four services; the nouns also need these
declare module '../engine/context.ts' {
  /** Created by `main/service.ts`. */
  interface Services {
    accessTokens: AccessTokens;
    refreshTokens: RefreshTokens;
    access: Access;
    signUpSalts: SignUpSalts;
    linkTokens: LinkTokens;
    /** Runs what was queued in the table `job`: `nudge` it after the commit, with the lane of the job. */
    jobs: { nudge(lane: LaneName): void };
    /**
     * Wakes those who wait for changes, after the commit that made them: streams, long polls, and what reads them for webhooks
     * (`jobs/webhook-reader.ts`).
     */
    changes: {
      wake(organizationIds: Iterable<string>): void;
      /** Calls `wake` when the organization may have changed after this call, until the returned function is called. */
      watch(organizationId: string, wake: () => void): () => void;
      /** Aborted when the service stops. */
      readonly ending: AbortSignal;
    };
    changeStreams: ChangeStreams;
    mailBudgets: MailBudgets;
    sendToEndpoint: SendToEndpoint;
    /** What webhooks may reach although it is not public. */
    allowedTargets: AllowedTargets;
    /** How subscriptions follow a change of their event, passed in since events do not depend on subscriptions. */
    fillPlaces: typeof fillPlaces;
    settings: {
      /** How long the parent of a refresh token is still accepted, in seconds (reference/sign-in.md#refresh). */
      refreshGraceSeconds: number;
      /** The absolute lifetime of a session, in days. */
      sessionMaxDays: number;
      /** How long changes are kept in the log, in days. */
      changesRetentionDays: number;
      /** Whether a refusal may name the variable that would allow a request: for development. */
      namesVariables: boolean;
    };
  }
}
