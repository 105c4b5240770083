import { exec, execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { roles } from '../../../src/app/service-options.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { variables } from '../../../src/config/variables.ts';
import { table } from '../../../src/observability/metrics/table.ts';
import { TASK_QUEUE } from '../../../src/temporal/pollers.ts';
import { openFolder } from '../../support/temporal-server.ts';
import { findGoProgram } from '../go-program.ts';

/** Object of Kubernetes. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Packages with the types of groups that are not Kubernetes' own. */
const packages: Readonly<Record<string, string>> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

const moduleOf = ({ apiVersion }: Manifest): string =>
  `${packages[apiVersion.split('/')[0] ?? ''] ?? 'kubernetes-models'}/${apiVersion}`;

/** Returns what the types of these packages find wrong, fields that they do not know included. */
function faultsByType(manifests: readonly Manifest[]): readonly string[] {
  const source = manifests.map(
    (manifest, index) =>
      `import type { I${manifest.kind} as T${index} } from '${moduleOf(manifest)}';\nexport const m${index}: T${index} = ${JSON.stringify(manifest)};`,
  );
  const file = join(import.meta.dirname, 'rendered-manifests.ts');
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.esnext.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source.join('\n'), ts.ScriptTarget.Latest) : read(name, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const helm = findGoProgram('helm');
/** Without a cluster, Helm assumes one of years ago. */
const KUBE = ['--kube-version', '1.34.0'];
const FULL = 'test/deploy/helm/full-values.yaml';
/** What the documents print about a cluster. */
const printed = /## Kubernetes\n.*?```sh\n(?<commands>.*?)```.*?```yaml\n(?<values>.*?)```/s.exec(
  readFileSync('docs/deploying.md', 'utf8'),
)?.groups;

/** Runs Helm on the chart; returns what it prints. */
const run = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(helm ?? '', args, { maxBuffer: 10_000_000 })).stdout;

// biome-ignore lint/suspicious/noExplicitAny: manifests are read as they come
type Rendered = Manifest & { readonly [member: string]: any };

async function render(...args: readonly string[]): Promise<readonly Rendered[]> {
  const text = await run('template', 'dockline', 'deploy/helm', '--namespace', 'orders', ...KUBE, ...args);
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((manifest) => manifest !== null);
}

const find = (manifests: readonly Rendered[], kind: string, name: string): Rendered => {
  const found = manifests.find((it) => it.kind === kind && it.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};

describe.runIf(helm)('the chart', () => {
  it.each([
    ['as it is', [], 11],
    ['with everything', ['--values', FULL], 18],
  ])('renders what Kubernetes, KEDA and the Prometheus operator take: %s', async (_, args, count) => {
    await run('lint', 'deploy/helm', '--strict', ...KUBE, ...args);
    const manifests = await render(...args);
    expect(manifests).toHaveLength(count);
    expect(faultsByType(manifests)).toEqual([]);
  });

  it('is checked by types that find mistakes', async () => {
    const deployment = find(await render(), 'Deployment', 'dockline-worker');
    const { spec } = deployment;
    for (const mistake of [{ replicas: 'two' }, { replica: 2 }])
      expect(faultsByType([{ ...deployment, spec: { ...spec, ...mistake } } as Manifest])).not.toEqual([]);
  });

  it('renders the values that the documents print', async () => {
    const path = await openFolder();
    await writeFile(join(path, 'values.yaml'), printed?.values ?? '');
    const manifests = await render('--values', join(path, 'values.yaml'));
    expect(faultsByType(manifests)).toEqual([]);
    expect(find(manifests, 'Ingress', 'dockline-webhook').spec.rules[0].host).toBe('dockline.example.com');
    expect(find(manifests, 'ConfigMap', 'dockline-files').data).toBeDefined();
  });

  it('runs each role as the image expects, without privileges, with probes and a budget', async () => {
    const manifests = await render();
    for (const role of roles) {
      const { spec } = find(manifests, 'Deployment', `dockline-${role}`);
      const { securityContext, containers } = spec.template.spec;
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      expect(containers).toMatchObject([
        {
          command: ['dockline', 'start', '--role', role],
          securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
          envFrom: [{ configMapRef: { name: 'dockline' } }, { secretRef: { name: 'dockline' } }],
          livenessProbe: { httpGet: { path: '/health/live', port: 'metrics' } },
          readinessProbe: { httpGet: { path: '/health/ready', port: 'metrics' } },
        },
      ]);
      const budget = find(manifests, 'PodDisruptionBudget', `dockline-${role}`);
      expect(budget.spec).toEqual({ maxUnavailable: 1, selector: spec.selector });
    }
  });

  it.each([{ ADMIN_TOKEN: 'a-token-of-this-very-test' }, { ADMIN_TOKENS: 'tester:all:a-token-of-this-very-test' }])(
    'gives each role a configuration that Dockline takes with %j',
    async (access) => {
      const path = await openFolder();
      const manifests = await render('--values', FULL);
      const shared = find(manifests, 'ConfigMap', 'dockline').data;
      const { data } = find(manifests, 'ConfigMap', 'dockline-files');
      for (const [name, text] of Object.entries<string>(data)) await writeFile(join(path, name), text);
      const CONFIG_FILE = shared.CONFIG_FILE.replaceAll('/etc/dockline', path);
      const secret = {
        DATABASE_URL: 'postgres://database/dockline',
        WAREHOUSE_SECRET: 'secret',
        SLACK_URL: 'https://hooks.slack.test/secret',
        ANNOUNCE_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
        ...access,
      };
      for (const role of roles) {
        const [container] = find(manifests, 'Deployment', `dockline-${role}`).spec.template.spec.containers;
        const own = (container.env ?? []).map(({ name, value }: Readonly<Record<string, string>>) => [name, value]);
        const env = { ...shared, ...Object.fromEntries(own) };
        expect(Object.keys(env).filter((name) => !(name in variables))).toEqual([]);
        const config = loadConfig({ WEBHOOK_HOST: '0.0.0.0', ...env, ...secret, CONFIG_FILE });
        expect(config).toMatchObject({
          METRICS_HOST: '0.0.0.0',
          METRICS_PORT: 9464,
          tenants: [{ id: '9104' }],
          alerts: { channels: [{ name: 'ops' }] },
        });
      }
    },
  );

  it('mounts the file of settings where the variable names it', async () => {
    const manifests = await render('--values', FULL);
    const { CONFIG_FILE } = find(manifests, 'ConfigMap', 'dockline').data;
    for (const role of roles) {
      const { containers, volumes } = find(manifests, 'Deployment', `dockline-${role}`).spec.template.spec;
      const places = containers[0].volumeMounts.flatMap(({ name, mountPath }: Readonly<Record<string, string>>) => {
        const map = volumes.find((it: { readonly name: string }) => it.name === name)?.configMap?.name;
        return map ? Object.keys(find(manifests, 'ConfigMap', map).data).map((file) => `${mountPath}/${file}`) : [];
      });
      expect(places).toEqual([CONFIG_FILE]);
    }
  });

  it('scales dispatchers by the age of what waits and workers by workflow tasks, never by a warehouse', async () => {
    const manifests = await render('--values', FULL);
    const scaled = manifests.filter(({ kind }) => kind === 'ScaledObject');
    const [dispatcher, worker] = scaled.flatMap(({ spec }) => spec.triggers);
    const [metric = ''] = dispatcher.metadata.query.match(/dockline_\w+/) ?? [];
    expect(Object.keys(table)).toContain(metric);
    expect(worker).toMatchObject({
      metadata: { taskQueue: TASK_QUEUE, queueTypes: 'workflow', workerDeploymentBuildId: '2026-11-21' },
      authenticationRef: { name: 'temporal' },
    });
    for (const { metadata, spec } of scaled) {
      expect(find(manifests, 'Deployment', metadata.name).spec).not.toHaveProperty('replicas');
      expect(spec.minReplicaCount).toBeGreaterThan(0);
    }
    expect(JSON.stringify(scaled)).not.toContain('warehouse');
  });

  it.each([
    ['the default of Dockline', [], String(loadConfig({}).WEBHOOK_BODY_LIMIT_BYTES)],
    ["the variable's", ['--set-string', 'env.WEBHOOK_BODY_LIMIT_BYTES=1000'], '1000'],
    [
      "the role's own",
      ['--set-string', 'env.WEBHOOK_BODY_LIMIT_BYTES=1,roles.webhook.env.WEBHOOK_BODY_LIMIT_BYTES=2000'],
      '2000',
    ],
    [
      'what the values say',
      ['--set-string', String.raw`ingress.annotations.nginx\.ingress\.kubernetes\.io/proxy-body-size=8m`],
      '8m',
    ],
  ])('lets bodies through ingress-nginx up to %s', async (_, args, limit) => {
    const ingress = find(await render('--values', FULL, ...args), 'Ingress', 'dockline-webhook');
    expect(ingress.metadata).toMatchObject({
      annotations: {
        'cert-manager.io/cluster-issuer': 'letsencrypt',
        'nginx.ingress.kubernetes.io/proxy-body-size': limit,
      },
    });
  });

  it('leads webhooks, and receivers that fetch records, to their roles from outside, and nothing else', async () => {
    const manifests = await render('--values', FULL);
    const { rules } = find(manifests, 'Ingress', 'dockline-webhook').spec;
    expect(rules).toMatchObject([{ host: 'hooks.example.com', http: { paths: { length: 2 } } }]);
    for (const [index, [path, role]] of [['/webhooks', 'webhook'] as const, ['/records', 'admin'] as const].entries()) {
      const { service } = rules[0].http.paths[index].backend;
      expect(rules[0].http.paths[index]).toMatchObject({ path, pathType: 'Prefix' });
      const { spec } = find(manifests, 'Service', service.name);
      expect(spec.selector).toMatchObject({ 'app.kubernetes.io/component': role });
      expect(spec.ports).toMatchObject([service.port]);
    }
  });

  it('ships the alerts and the dashboard as they are, and no secret', async () => {
    const manifests = await render('--values', FULL);
    const alerts = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8'));
    expect(find(manifests, 'PrometheusRule', 'dockline').spec).toEqual(alerts);
    const { data } = find(manifests, 'ConfigMap', 'dockline-dashboard');
    expect(JSON.parse(data['dockline.json'])).toEqual(JSON.parse(readFileSync('deploy/grafana/dockline.json', 'utf8')));
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });
});

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

it.runIf(hasKubectl)('the command that the documents print makes the Secret that the values name', async () => {
  const [command] = /^kubectl create secret.*?(?=^helm)/ms.exec(printed?.commands ?? '') ?? [];
  const { stdout } = await promisify(exec)(`${command?.trim()} --dry-run=client --output json`);
  const { metadata, data } = JSON.parse(stdout);
  expect(metadata.name).toBe('dockline');
  const named = [...(printed?.values ?? '').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
  expect(Object.keys(data)).toEqual(expect.arrayContaining([...named, 'DATABASE_URL', 'ADMIN_TOKEN']));
});
