import { chownSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command, untilReachable } from '../../../proving/faults/fixture/database.ts';
import { isInstalled, startPostgresProcess } from '../../../proving/faults/fixture/postgres-process.ts';
import { checkStore } from '../../../src/app/doctor/store.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { temporaryFile } from '../../store/temporary-store.ts';
import { createCertificates, hasOpenssl } from '../../support/certificates.ts';

/** User id of the server, which refuses to run as root. */
const NOBODY = 65_534;

/** Starts a server that can encrypt with a certificate of an authority of its own. */
async function startServer() {
  const certificates = createCertificates();
  const admission = certificates.write('hba.conf', 'host all all 127.0.0.1/32 trust\n');
  if (process.getuid?.() === 0)
    for (const file of ['.', 'server.key', 'server.crt', 'hba.conf'])
      chownSync(certificates.path(file), NOBODY, NOBODY);
  const server = await startPostgresProcess({
    settings: {
      ssl_cert_file: certificates.path('server.crt'),
      ssl_key_file: certificates.path('server.key'),
      hba_file: admission,
    },
  });
  const reload = (url: string) => command(url, 'select pg_reload_conf()');
  return {
    url: server.url,
    authority: certificates.path('ca.crt'),
    async encrypt() {
      await command(server.url, 'alter system set ssl = on');
      await reload(server.url);
      await untilReachable(`${server.url}?sslmode=no-verify`);
    },
    async demandEncryption() {
      writeFileSync(admission, 'hostssl all all 127.0.0.1/32 trust\n');
      await reload(`${server.url}?sslmode=no-verify`);
    },
    async close() {
      await server.stop();
      certificates.remove();
    },
  };
}

describe.runIf(isInstalled() && hasOpenssl)('the check of a PostgreSQL that encrypts', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  const check = async (search: string, url = server.url) => {
    const [found] = await checkStore(loadConfig({ DATABASE_URL: `${url}${search}`, DATA_FOLDER: temporaryFile() }));
    return found;
  };

  it('passes where the server is the one that the address asks for', async () => {
    expect(await check('?sslmode=verify-full')).toMatchObject({ found: expect.stringContaining('SSL') });
    await server.encrypt();
    for (const mode of ['require', 'verify-full'])
      expect(await check(`?sslmode=${mode}`)).toMatchObject({
        verdict: 'failed',
        found: expect.stringContaining('certificate'),
      });
    expect(await check(`?sslmode=verify-full&sslrootcert=${server.authority}`)).toMatchObject({ verdict: 'ok' });
    expect(await check('?sslmode=no-verify')).toMatchObject({ verdict: 'ok' });
    const otherName = server.url.replace('127.0.0.1', 'localhost');
    expect(await check(`?sslmode=verify-full&sslrootcert=${server.authority}`, otherName)).toMatchObject({
      found: expect.stringContaining('altnames'),
    });
    await server.demandEncryption();
    await expect.poll(() => check('')).toMatchObject({ found: expect.stringContaining('no encryption') });
  });
});
