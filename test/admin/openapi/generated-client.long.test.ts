import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { file } from '../../../tools/openapi/document.ts';
import { buildGo, goEnvironment, isThere } from '../../consumer/needs.ts';
import { startSystem } from '../../support/system.ts';
import { openFolder } from '../../support/temporal-server.ts';
import { callsTo } from '../open-admin.ts';

const run = promisify(execFile);

const source = 'test/admin/openapi/go-client';

const canBuild = isThere(source, [
  `Go 1.26 with the modules of ${source}`,
  'go',
  ...['-C', source, 'list', '-deps', 'tool', 'github.com/oapi-codegen/runtime'],
]);

/** Generates the client of the document beside a program that uses it, and builds both. */
async function buildClient(): Promise<string> {
  const folder = await openFolder();
  await cp(source, folder, { recursive: true });
  const generate = ['tool', 'oapi-codegen', '-config', 'oapi-codegen.yaml', resolve(file)];
  await run('go', generate, { cwd: folder, env: goEnvironment });
  return await buildGo(folder);
}

it.skipIf(!canBuild)('a client in Go that is generated from the document calls a running Dockline', async () => {
  const token = 'a-token-of-this-very-test';
  const client = await buildClient();
  const { simulator, service, announced } = await startSystem({ env: { ADMIN_TOKEN: token } });
  const order = simulator.createOrder();
  await simulator.emit(order, 'OrderCreate');
  await expect.poll(() => announced(order)).toEqual(['1/created']);

  const { url } = service().admin;
  const call = (ADMIN_TOKEN: string) => run(client, [order], { env: { ADMIN_URL: url, ADMIN_TOKEN } });
  expect((await call(token)).stdout).toBe('created 201 Created Waits for a pallet.\n');
  await expect(call('of nobody')).rejects.toThrow('The bearer token is missing or wrong.');
  const { body } = await callsTo(url).get(`/search?q=${order}`, { authorization: `Bearer ${token}` });
  expect(body.items).toMatchObject([{ id: order }]);
});
