import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { roles } from '../../src/app/service-options.ts';
import { loadConfig } from '../../src/config/config.ts';
import { variables } from '../../src/config/variables.ts';
import { hasPromtool, promtool } from '../observability/metrics/promtool.ts';
import { openFolder } from '../support/temporal-server.ts';

const composeFile = join(import.meta.dirname, '../../docker-compose.yml');

/** The library's own types import without extensions, which this project's module resolution does not follow. */
interface Result {
  readonly messages: readonly { readonly type: string; readonly message: string }[];
}

/** Returns the errors of a compose file, those of its schema first. The linter's warnings are matters of taste. */
function lint(file: string): string[] {
  // Ports are those of one profile at a time, which the linter does not know.
  const linter = new DCLinter({ rules: { 'no-duplicate-exported-ports': 0 }, quiet: false, debug: false, exclude: [] });
  const results: readonly Result[] = linter.lintFiles([file], false);
  const messages = results.flatMap((result) => result.messages);
  return messages.filter(({ type }) => type === 'error').map(({ message }) => message);
}

describe('docker-compose.yml', () => {
  it('follows the Compose Specification', () => {
    expect(lint(composeFile)).toEqual([]);
  });

  it('is refused with a mistake in it', async () => {
    const folder = await openFolder();
    const text = await readFile(composeFile, 'utf8');
    expect(text).toContain('service_healthy');
    const file = join(folder, 'docker-compose.yml');
    await writeFile(file, text.replace('service_healthy', 'healthy'));
    expect(lint(file)).not.toEqual([]);
  });
});

interface Service {
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly (string | object)[];
  readonly ports?: readonly string[];
}

const { services, volumes }: { services: Readonly<Record<string, Service>>; volumes: object } = parse(
  readFileSync(composeFile, 'utf8'),
  { merge: true },
);
const ours = Object.entries(services).filter(([, { image }]) => image === 'dockline');

/** Variables that the image sets. */
const ofImage = Object.fromEntries(
  (/^ENV (.*)$/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1] ?? '').split(' ').map((pair) => pair.split('=')),
);

const TOKEN = 'a-token-of-this-very-test';
const SECRET = `whsec_${Buffer.alloc(24).toString('base64')}`;

/** Variables that a person has to write into `.env`, and those that dockline.example.yaml refers to. */
const ofPerson = {
  ADMIN_TOKEN: TOKEN,
  WAREHOUSE_SECRET: TOKEN,
  WAREHOUSE_SECRET_7001: TOKEN,
  WEBHOOK_TOKEN_7001: TOKEN,
  ANNOUNCE_SECRET: SECRET,
  ANNOUNCE_SECRET_9210: SECRET,
  ANNOUNCE_SECRET_ALDER: SECRET,
  ANNOUNCE_SECRET_SHIPPING: SECRET,
  RECORDS_TOKEN_SHIPPING: 'the-token-of-a-receiver',
  SLACK_URL: 'https://hooks.slack.test/1',
  MAIL_PASSWORD: TOKEN,
};

describe('the services of docker-compose.yml', () => {
  it('are one process for the demonstration, and one for each role in production', () => {
    expect(ours.map(([name, { profiles, command }]) => [name, profiles, command])).toEqual([
      ['dockline', ['demonstration'], undefined],
      ...roles.map((role) => [role, ['production'], ['dockline', 'start', '--role', role]]),
    ]);
  });

  it.each(ours)('have a configuration that Dockline takes: %s', (_, { environment = {}, ports = [] }) => {
    expect(Object.keys(environment).filter((name) => !(name in variables))).toEqual([]);
    const config = loadConfig({ ...ofImage, ...environment, ...ofPerson, CONFIG_FILE: 'dockline.example.yaml' });
    const published = ports.map((port) => Number(port.split(':').at(-1)));
    expect([config.WEBHOOK_PORT, config.ADMIN_PORT]).toEqual(expect.arrayContaining(published));
    expect([config.METRICS_HOST, config.METRICS_PORT]).toEqual(['0.0.0.0', 9464]);
  });

  it.each(ours)(
    'read the file of settings that .env names, or none: %s',
    (_, { environment = {}, volumes: mounts = [] }) => {
      const target = '/etc/dockline/dockline.yaml';
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: Compose replaces them
      expect(mounts).toContainEqual({ type: 'bind', source: '${CONFIG_FILE:-/dev/null}', target, read_only: true });
      expect(environment.CONFIG_FILE).toBe('${CONFIG_FILE:+/etc/dockline/dockline.yaml}');
      // biome-ignore-end lint/suspicious/noTemplateCurlyInString: Compose replaces them
    },
  );

  it('mount what there is, and publish ports on this machine only', () => {
    const mounts = Object.values(services).flatMap((service) => service.volumes ?? []);
    const sources = mounts.flatMap((mount) => (typeof mount === 'string' ? (mount.split(':')[0] ?? '') : []));
    expect(sources.filter((source) => !existsSync(source) && !(source in volumes))).toEqual([]);
    expect(
      Object.values(services)
        .flatMap(({ ports = [] }) => ports)
        .filter((port) => !port.startsWith('127.0.0.1:')),
    ).toEqual([]);
  });

  it.runIf(hasPromtool)('are scraped as Prometheus is told', async () => {
    const file = 'deploy/prometheus/prometheus.yml';
    expect(await promtool(['check', 'config', file])).toMatchObject({ code: 0 });
    const names = parse(readFileSync(file, 'utf8')).scrape_configs.flatMap(
      (job: { dns_sd_configs: { names: string[] }[] }) => job.dns_sd_configs.flatMap((sd) => sd.names),
    );
    expect(new Set(names)).toEqual(new Set(ours.map(([name]) => name)));
  });
});
