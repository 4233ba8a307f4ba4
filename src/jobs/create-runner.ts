import type { LaneName } from '../engine/jobs/job.table.ts';
import { type DeliveriesScope, deliveryLane } from './deliveries.ts';
import { type MailScope, mailLanes } from './mails.ts';
import { noticeLane } from './notices.ts';
import { type PeriodicScope, periodicLane } from './periodic.ts';
import { Runner } from './runner.ts';

type Scope = MailScope & DeliveriesScope & PeriodicScope;

/** The runner of all lanes of a service. */
export function createRunner(given: Omit<Scope, 'nudge' | 'bounded'>): Runner {
  const nudge = (lane: LaneName) => runner.nudge(lane);
  const scope: Scope = { ...given, nudge, bounded: given.limits.enabled };
  const lanes = [...mailLanes(scope), noticeLane(scope), deliveryLane(scope), periodicLane(scope)];
  const runner: Runner = new Runner({ db: scope.db, log: scope.log, lanes });
  return runner;
}
