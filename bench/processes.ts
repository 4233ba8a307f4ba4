import { readdirSync, readFileSync } from 'node:fs';

/** The figures of a process in `/proc`; CPU in milliseconds, including that of its ended children. */
export interface ProcessTimes {
  parent: number;
  cpu: number;
}

/** Linux counts in hundredths of a second. */
const tick = 10;

export function processTimes(pid: number): ProcessTimes | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
    return { parent: fields[1] ?? 0, cpu: (user + system + childUser + childSystem) * tick };
  } catch {
    return null;
  }
}

/** The CPU time of a server and all of its children, in milliseconds; NaN if the system does not provide it. */
export function treeCpu(root: number): number {
  const own = processTimes(root);
  if (!own) return Number.NaN;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processTimes(Number(name)))
    .filter((each) => each?.parent === root);
  return own.cpu + children.reduce((sum, each) => sum + (each?.cpu ?? 0), 0);
}

/** The steal time of all cores (CPU that the host gave to others), in milliseconds; NaN if the system does not provide it. */
export function stolenCpu(): number {
  try {
    return Number(readFileSync('/proc/stat', 'utf8').split(/\s+/, 9)[8]) * tick;
  } catch {
    return Number.NaN;
  }
}

/** Resident memory in MB; NaN if the system does not provide it. */
export function residentMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  } catch {
    return Number.NaN;
  }
}
