import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { roles } from '../../src/app/service-options.ts';
import { openOutput } from '../../src/cli/output.ts';
import { run, type StartOptions } from '../../src/cli/run.ts';
import { loadConfig } from '../../src/config/config.ts';
import { listen } from '../support/listen.ts';
import { ownNamespace } from '../support/namespace.ts';
import { openFolder } from '../support/temporal-server.ts';
import { unreachable } from '../support/warehouse-variables.ts';
import { anyPorts } from './running-command.ts';

/** Starts Dockline in this process, and returns the message with which it fails. */
async function failureOf(
  env: Readonly<Record<string, string>>,
  options: Partial<StartOptions> = {},
  output = openOutput({ json: true }),
): Promise<string> {
  const path = await openFolder();
  const config = loadConfig({ DATA_FOLDER: path, ...anyPorts, ...env });
  const stop = new AbortController();
  const running = run(config, { orders: 1, role: roles, ...options }, stop.signal, output);
  return await running.then(
    () => expect.fail('it starts'),
    (error: Error) => error.message,
  );
}

/** Takes a port for the test, which answers every request. */
const holdPort = async (answer: string) => String(await listen(createServer((_, response) => response.end(answer))));

it('a start explains that nobody would get the announcements of a real warehouse', async () => {
  expect(await failureOf(unreachable)).toMatch(
    /^the announcements of 9104 would go to the embedded receiver, .+: set ANNOUNCE_URL, announce in the file of settings, or ANNOUNCE_TO_SANDBOX=yes if that is meant$/,
  );
});

it.each(['TEMPORAL_PORT', 'WAREHOUSE_PORT', 'WEBHOOK_PORT', 'ADMIN_PORT', 'ANNOUNCE_PORT', 'MAILBOX_PORT'])(
  'a start explains that the port of %s is in use',
  async (variable) => {
    const port = await holdPort('');
    const temporal = variable === 'TEMPORAL_PORT' ? {} : await ownNamespace();
    const message = await failureOf({ ...temporal, [variable]: port }, { untilDone: true });
    expect(message).toMatch(new RegExp(`${port}.*${variable}|${variable}.*${port}`));
    expect(message).not.toContain('\n');
  },
);

it('a demonstration says that a variable is not known, at once', async () => {
  const said: string[] = [];
  const output = { ...openOutput({ json: true }), say: (text: string) => void said.push(text) };
  await failureOf({ TEMPORAL_PORT: await holdPort(''), WEBHOK_VERIFY: 'x' }, {}, output);
  expect(said[0]).toBe('WEBHOK_VERIFY is not known. Is it meant to be WEBHOOK_VERIFY?');
});

it('a start explains that Dockline runs already, before it asks for the ports of embedded services', async () => {
  const port = await holdPort('{"status":"live"}');
  expect(await failureOf({ WEBHOOK_PORT: port, TEMPORAL_PORT: port })).toMatch(
    new RegExp(`^WEBHOOK_PORT: port ${port} is in use by a running Dockline`),
  );
});

it('a start as one role explains that its database is missing', async () => {
  const env = {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    ...unreachable,
    WAREHOUSE_TENANT: '9104',
    ANNOUNCE_URL: 'https://destination.invalid',
    ANNOUNCE_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
  };
  expect(await failureOf(env, { role: ['webhook'] })).toMatch(
    /^The store 127\.0\.0\.1:9\/none cannot be reached: .*ECONNREFUSED/,
  );
});

it('a start explains that --until-done requires the simulated warehouse', async () => {
  expect(await failureOf(unreachable, { untilDone: true })).toMatch(/^--until-done requires the simulated warehouse/);
});
