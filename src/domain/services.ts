import type { AllowedTargets, SendToEndpoint } from '#endpoint-client';
import type { AccessTokens, RefreshTokens } from '#session-tokens';
import type { LaneName } from '../engine/jobs/job.table.ts';
import type { SignUpSalts } from './account/sign-up-salt.ts';
import type { ChangeStreams } from './change/change-streams.ts';
import type { MailBudgets } from './mail/mail-budgets.ts';
import type { Access } from './session/active-sessions.ts';
import type { LinkTokens } from './subscription/link-tokens.ts';
import type { fillPlaces } from './subscription/places.ts';

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
    /** Runs the jobs of a lane; `nudge` it after the commit that queued them. */
    jobs: { nudge(lane: LaneName): void };
    /** Wakes streams, long polls and the reader for webhooks (`jobs/webhook-reader.ts`) after a commit with changes. */
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
    allowedTargets: AllowedTargets;
    /** Passed in, since events do not depend on subscriptions. */
    fillPlaces: typeof fillPlaces;
    settings: {
      /** Where clients reach the service, without a slash at the end. */
      publicUrl: string;
      /** Seconds in which the parent of a refresh token is still accepted (reference/sign-in.md#refresh). */
      refreshGraceSeconds: number;
      /** The absolute lifetime of a session. */
      sessionMaxDays: number;
      /** Days that changes are kept in the log. */
      changesRetentionDays: number;
      /** Whether a refusal may name the variable that would allow a request, for development. */
      namesVariables: boolean;
    };
  }
}
