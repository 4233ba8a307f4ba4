import type { Services } from '../domain/services.ts';
import type { LaneName } from '../engine/jobs/job.table.ts';
import { Deliveries } from './deliveries.ts';
import { MailLanes, type MailScope } from './mails.ts';
import { noticeLane } from './notices.ts';
import { type PeriodicScope, periodicLane } from './periodic.ts';
import { Runner } from './runner.ts';

interface RunnerScope extends Omit<MailScope, 'nudge' | 'linkTokens'>, Omit<PeriodicScope, 'nudge' | 'bounded'> {
  /** What signs and encrypts, which may change. */
  services(): Pick<Services, 'linkTokens' | 'sealer' | 'sendToEndpoint'>;
}

/** The runner of all lanes of a service. */
export function createRunner({ services, ...given }: RunnerScope): Runner {
  const nudge = (lane: LaneName) => runner.nudge(lane);
  const scope = { ...given, nudge, bounded: given.limits.enabled };
  const lanes = [
    ...new MailLanes({ ...scope, linkTokens: () => services().linkTokens }).lanes(),
    noticeLane(scope),
    new Deliveries({ ...scope, services }).lane(),
    periodicLane(scope),
  ];
  const runner: Runner = new Runner({ db: scope.db, log: scope.log, lanes });
  return runner;
}
