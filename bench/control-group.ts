import { appendFileSync, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Microseconds: short, so that a process is stopped often and briefly rather than for what would look like a pause. */
const period = 5_000;

/**
 * Holds processes, and what they start from now on, to a part of a core, which they get before whatever else runs: as
 * a small machine of their own would be. Linux only, as root; for control groups of version 1 and 2.
 *
 * @param cores null if they only go first
 * @returns what ends it
 */
export function limitCores(pids: readonly number[], cores: number | null): () => void {
  const root = '/sys/fs/cgroup';
  const isFirst = existsSync(path.join(root, 'cpu', 'cpu.cfs_quota_us'));
  const parent = isFirst ? path.join(root, 'cpu') : root;
  const group = path.join(parent, `events-gateway-bench-${process.pid}-${pids[0]}`);
  mkdirSync(group);
  const set = (file: string, value: string) => writeFileSync(path.join(group, file), value);
  if (isFirst) {
    set('cpu.cfs_period_us', String(period));
    set('cpu.cfs_quota_us', String(cores === null ? -1 : Math.round(period * cores)));
    set('cpu.shares', '262144');
  } else {
    writeFileSync(path.join(root, 'cgroup.subtree_control'), '+cpu');
    set('cpu.max', `${cores === null ? 'max' : Math.round(period * cores)} ${period}`);
    set('cpu.weight', '10000');
  }
  for (const pid of pids) set('cgroup.procs', String(pid));
  return () => {
    for (const pid of pids) {
      if (existsSync(`/proc/${pid}`)) appendFileSync(path.join(parent, 'cgroup.procs'), String(pid));
    }
    try {
      rmdirSync(group);
    } catch {
      // what they started is still in it, and goes with them
    }
  };
}
