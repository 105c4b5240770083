import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { BUILT_VERSION } from '../../../sandbox/temporal-server/cli-installation.ts';
import { findPort } from '../../../sandbox/temporal-server/port.ts';
import { type Role, roles } from '../../../src/app/service-options.ts';
import { describeOnPostgres } from '../../store/databases.ts';
import { openFolder } from '../../support/temporal-server.ts';
import { inspect, run } from './engine.ts';

const image = inject('image');
const config = inspect(image);

/** Creates a folder at `/data` for the user of the image. */
async function createData(): Promise<string> {
  const path = await openFolder();
  chmodSync(path, 0o755);
  const data = join(path, 'data');
  mkdirSync(data);
  chownSync(data, 1000, 1000);
  return data;
}

const read = async (stream: Readable | null): Promise<string> => (stream ? await text(stream) : '');

/** Starts a command in the image; it ends with the test. */
function start(data: string, command: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = run({ image, data, env, command });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const stdout = read(child.stdout);
  const stderr = read(child.stderr);
  return {
    child,
    async result() {
      return { code: await ended, stdout: await stdout, stderr: await stderr };
    },
  };
}

const anyPorts = Object.fromEntries(
  ['TEMPORAL', 'TEMPORAL_UI', 'WAREHOUSE', 'WEBHOOK', 'ANNOUNCE', 'ADMIN', 'METRICS'].map((name) => [
    `${name}_PORT`,
    '0',
  ]),
);

describe('the image', () => {
  it('says what it is, and has at most 330 MB', () => {
    expect(config.User).toBe('node');
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.title': 'Dockline',
      'org.opencontainers.image.version': '1.2.3',
      'org.opencontainers.image.revision': '0123abc',
      'org.opencontainers.image.source': 'https://example.com/dockline',
      'org.opencontainers.image.licenses': 'MIT',
    });
    expect(config.megabytes).toBeLessThanOrEqual(330);
  });

  it('has the product, and nothing for its development or for other platforms', async () => {
    const list = `
      const { readdirSync: read, existsSync: has } = require('node:fs');
      const packages = 'node_modules';
      console.log(JSON.stringify({
        app: read('.').sort(),
        natives: read(packages + '/@temporalio/core-bridge/releases'),
        development: ['vitest', 'typescript', '@biomejs', 'node'].filter((name) => has(packages + '/' + name)),
      }))`;
    const { stdout } = await start(await createData(), ['node', '-e', list]).result();
    expect(JSON.parse(stdout)).toEqual({
      app: ['LICENSE', 'activities', 'node_modules', 'package.json', 'sandbox', 'src', 'workflows'],
      natives: [expect.stringContaining('linux')],
      development: [],
    });
  });

  it('plays the demonstration as its user, on a root that it cannot write', async () => {
    const data = await createData();
    const cache = join(data, 'cache/dockline');
    cpSync(inject('temporalBinary'), join(cache, `temporal-${BUILT_VERSION}`));
    for (const path of [cache, join(data, 'cache')]) chownSync(path, 1000, 1000);
    const probe =
      "try { require('node:fs').writeFileSync('x', '') } catch (error) { console.log(process.getuid(), error.code) }";
    expect(await start(data, ['node', '-e', probe]).result()).toMatchObject({ stdout: '1000 EROFS\n' });
    const { code, stdout, stderr } = await start(
      data,
      [...config.Cmd, '--orders', '5', '--until-done', '--json'],
      anyPorts,
    ).result();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ announcements: { missing: 0, duplicates: 0 } });
  });
});

describeOnPostgres('the health check of the image', (database) => {
  const secrets = {
    WAREHOUSE_BASE_URL: 'https://127.0.0.1:1',
    WAREHOUSE_AUTH_URL: 'https://127.0.0.1:1',
    WAREHOUSE_TENANT: '9104',
    WAREHOUSE_CLIENT_ID: 'a',
    WAREHOUSE_CLIENT_SECRET: 'b',
    WAREHOUSE_USER_LOGIN: 'c',
    ANNOUNCE_URL: 'https://127.0.0.1:1',
    ANNOUNCE_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
  };

  // Without Temporal webhooks are taken, events wait and pages are shown; a worker can do nothing.
  it.each(roles.map((role): [Role, number] => [role, role === 'worker' ? 1 : 0]))(
    'ends for %s with %i while Temporal is away',
    async (role, expected) => {
      await database.locate();
      const port = String(await findPort(0, ''));
      const data = await createData();
      const env = {
        ...anyPorts,
        ...secrets,
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        DATABASE_URL: database.url,
        METRICS_PORT: port,
      };
      const { child, result } = start(data, [...config.Cmd, '--role', role], env);
      await expect
        .poll(() =>
          fetch(`http://127.0.0.1:${port}/health/live`).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(200);
      const [kind, ...check] = config.Healthcheck.Test;
      expect(kind).toBe('CMD');
      const health = async () => (await start(data, check, { METRICS_PORT: port }).result()).code;
      await expect.poll(health, { interval: 500 }).toBe(expected);
      child.kill('SIGTERM');
      expect(await result()).toMatchObject({ code: 0 });
    },
  );
});
