import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Secret, Service } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readSettings } from '../../src/config/settings.ts';

const root = path.join(import.meta.dirname, '..', '..');
const folder = path.join(root, 'ops', 'kubernetes');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Of the API, whose schemas come with the package. */
const models = { Deployment, Job, NetworkPolicy, PodDisruptionBudget, ConfigMap, Secret, Service };
type Kind = keyof typeof models;
type Model<Name extends Kind> = InstanceType<(typeof models)[Name]>;

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')).map((document) => {
    expect([file, document.errors, document.warnings]).toEqual([file, [], []]);
    return document.toJS() as { kind: Kind; metadata: { name: string } };
  }),
);

function find<Name extends Kind>(kind: Name, name = 'events-gateway'): Model<Name> {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found as unknown as Model<Name>;
}

const deployment = find('Deployment');
const pod = deployment.spec?.template.spec;
const service = pod?.containers[0];
const job = find('Job', 'events-gateway-migrate');
const settings = find('ConfigMap').data as Record<string, string>;
const secrets = find('Secret').stringData as Record<string, string>;
/** An image runs as this user, which must be told by its number. */
const node = 1000;

/** Copies of a value, each with a wrong type at another place. */
function spoilt(value: unknown, place = ''): [string, object][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => {
    const inner = (value as Record<string, unknown>)[key];
    const put = (other: unknown) => {
      const copy = structuredClone(value) as Record<string, unknown>;
      copy[key] = other;
      return copy;
    };
    const at = `${place}/${key}`;
    const below = spoilt(inner, at).map(([where, each]): [string, object] => [where, put(each)]);
    return [[at, put(typeof inner === 'object' ? 5 : {})] as [string, object], ...below];
  });
}

describe('the manifests for Kubernetes', () => {
  const named = manifests.map((each) => [each.kind, each.metadata.name, each] as const);
  it.each(named)('%s %s is valid by the schema of the API, which knows all of its fields', (kind, _, manifest) => {
    const isValid = (given: object) => {
      try {
        (new models[kind](given as never) as { validate(): void }).validate();
        return true;
      } catch {
        return false;
      }
    };
    expect(isValid(manifest)).toBe(true);
    // the schema ignores a field that it does not know, whatever is there
    expect(spoilt(manifest).flatMap(([place, given]) => (isValid(given) ? [place] : []))).toEqual([]);
    expect(isValid({ ...manifest, specification: 5 })).toBe(true);
  });

  it('keep secrets apart from what each upgrade applies, and say how many connections a pod makes', () => {
    const secret = files.filter((file) => readFileSync(path.join(folder, file), 'utf8').includes('kind: Secret'));
    expect(secret).toEqual(['once/secrets.yaml']);
    expect(Number(settings.DATABASE_POOL_SIZE)).toBeGreaterThan(1);
  });

  it('set only variables that exist, and all that production needs', () => {
    const known = [read('src/config/settings.ts'), read('src/config/bounds.ts')].join();
    const named = [settings, secrets, find('Secret', 'events-gateway-owner').stringData as object].flatMap(Object.keys);
    expect(named.filter((name) => !known.includes(`'${name}'`))).toEqual([]);
    // an image is in production mode; what stands for secrets is refused, since it is easy to guess
    const env = { ...settings, ...secrets, NODE_ENV: 'production' };
    const faults = () => readSettings(env);
    expect(faults).toThrow(/COOKIE_SECRET/);
    expect(faults).not.toThrow(/PUBLIC_URL|TRUST_PROXY|DATABASE_URL|METRICS|DRAIN|MAIL_FROM|SMTP_URL/);
  });

  it('name the ports that the service listens on, and the image has', () => {
    const dockerfile = read('Dockerfile');
    const ports = Object.fromEntries((service?.ports ?? []).map(({ name, containerPort }) => [name, containerPort]));
    expect(ports).toEqual({
      http: Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]),
      metrics: Number(settings.METRICS_PORT),
    });
    expect(dockerfile).toContain(` PORT=${ports.http} `);
    expect(find('Service').spec?.ports?.[0]?.targetPort).toBe('http');
    const allowed = find('NetworkPolicy').spec?.ingress?.flatMap(({ ports: each }) => each?.map(({ port }) => port));
    expect(allowed).toEqual(['http', 'metrics']);
    for (const probe of [service?.startupProbe, service?.livenessProbe, service?.readinessProbe]) {
      expect(probe?.httpGet?.port).toBe('http');
    }
    expect(deployment.spec?.template.metadata?.annotations).toMatchObject({
      'prometheus.io/port': settings.METRICS_PORT,
    });
  });

  it('ask whether it is ready often enough for the drain, and give a stop the time that it takes', () => {
    const drain = Number(settings.DRAIN_SECONDS);
    const { periodSeconds = 10, failureThreshold = 3, timeoutSeconds = 1, httpGet } = service?.readinessProbe ?? {};
    expect(httpGet?.path).toBe('/readyz');
    expect((periodSeconds + timeoutSeconds) * failureThreshold).toBeLessThan(drain);
    // the longest that a stop takes after the drain (operate/proxies-and-restarts.md#start-and-stop)
    const longestStop = Number(/longestStop = (\d+)_000/.exec(read('src/main/server.ts'))?.[1]);
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + longestStop);
    // a process that waits for its database is alive
    expect([service?.livenessProbe?.httpGet?.path, service?.startupProbe?.httpGet?.path]).toEqual([
      '/healthz',
      '/healthz',
    ]);
    expect(service?.lifecycle).toBeUndefined();
  });

  it('keep two replicas, one of which is always there', () => {
    expect(deployment.spec?.replicas).toBeGreaterThanOrEqual(2);
    expect(deployment.spec?.strategy?.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(find('PodDisruptionBudget').spec?.maxUnavailable).toBe(1);
    const labels = deployment.spec?.template.metadata?.labels;
    expect(deployment.spec?.selector.matchLabels).toEqual(labels);
    expect(find('Service').spec?.selector).toEqual(labels);
    expect(find('PodDisruptionBudget').spec?.selector?.matchLabels).toEqual(labels);
  });

  it('let neither the service nor its migrations do more than they need', () => {
    const dockerfile = read('Dockerfile');
    expect(dockerfile).toContain('\nUSER node\n');
    for (const spec of [pod, job.spec?.template.spec]) {
      expect(spec?.automountServiceAccountToken).toBe(false);
      expect(spec?.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: node,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      const [container] = spec?.containers ?? [];
      expect(container?.securityContext).toEqual({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        capabilities: { drop: ['ALL'] },
      });
      expect([Boolean(container?.resources?.requests?.memory), Boolean(container?.resources?.limits?.memory)]).toEqual([
        true,
        true,
      ]);
      expect(container?.image).toBe(service?.image);
      const mounted = container?.volumeMounts?.map(({ mountPath }) => mountPath);
      expect(mounted).toContain(/^VOLUME \["(.+)"\]$/m.exec(dockerfile)?.[1]);
      expect(container?.volumeMounts?.map(({ name }) => name)).toEqual(spec?.volumes?.map(({ name }) => name));
    }
  });

  it('migrate as the owner of the database, and serve as the role that may not', () => {
    const [container] = job.spec?.template.spec?.containers ?? [];
    expect(container?.command).toEqual(['events-gateway', 'migrate']);
    expect(container?.envFrom).toEqual([{ secretRef: { name: 'events-gateway-owner' } }]);
    const roleOf = (name: string) => new URL(String(find('Secret', name).stringData?.DATABASE_URL)).username;
    expect([roleOf('events-gateway'), roleOf('events-gateway-owner')]).toEqual(['events_service', 'events_owner']);
    expect(service?.envFrom).toEqual([
      { configMapRef: { name: 'events-gateway' } },
      { secretRef: { name: 'events-gateway' } },
    ]);
  });
});
