import { spawnSync } from 'node:child_process';

/** What `npm audit signatures` found. */
export interface SignatureAudit {
  /** Packages that are not what the registry signed, or that it did not sign. */
  faults: string[];
  /** Why nothing could be checked; null if it was. */
  unchecked: string | null;
}

/** Checks the signatures of all installed packages, if the registry has keys and can be reached. */
export function auditSignatures(root: string): SignatureAudit {
  const { stdout, stderr } = spawnSync('npm', ['audit', 'signatures', '--json'], { cwd: root, encoding: 'utf8' });
  return readAudit(stdout, stderr);
}

/** @param stdout one JSON object: with `invalid` and `missing` if packages were checked, otherwise with an `error` */
export function readAudit(stdout: string, stderr: string): SignatureAudit {
  const named = (packages: unknown, what: string) =>
    (packages as { name: string; version: string }[]).map(({ name, version }) => `${name}@${version}: ${what}`);
  try {
    const { invalid, missing } = JSON.parse(stdout) as Record<string, unknown>;
    if (Array.isArray(invalid) && Array.isArray(missing)) {
      return { faults: [...named(invalid, 'invalid signature'), ...named(missing, 'no signature')], unchecked: null };
    }
  } catch {
    // no JSON: it did not come so far
  }
  const reason = /^npm error (?!code|errno|syscall|A complete log)(.+)$/m.exec(stderr)?.[1];
  return { faults: [], unchecked: reason ?? 'npm says no reason' };
}
