import { createServer, type ServerHttp2Stream } from 'node:http2';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { keepEmbeddedServer, untilInterrupted } from '../../../sandbox/temporal-server/kept-server.ts';
import { searchAttributes } from '../../../src/domain/search-attributes.ts';
import { openTemporal } from '../../../src/temporal/connection.ts';
import { listen } from '../../support/listen.ts';
import { openFolder } from '../../support/temporal-server.ts';

let folder: string;

beforeEach(async () => {
  folder = await openFolder();
});

describe('keepEmbeddedServer', () => {
  it('starts a server that was killed again, on the same ports and database, and stops it', async () => {
    const lines: string[] = [];
    const kept = await keepEmbeddedServer({
      binary: inject('temporalBinary'),
      folder: folder,
      port: 0,
      uiPort: 0,
      namespace: 'default',
      searchAttributes,
      log: (line) => void lines.push(line),
    });
    onTestFinished(kept.stop);
    const { client, close } = openTemporal({ address: kept.address, namespace: 'default' });
    onTestFinished(close);
    await client.workflow.start('sleeper', { taskQueue: 'nobody', workflowId: 'kept' });
    const first = kept.pid;
    process.kill(first, 'SIGKILL');
    await expect.poll(() => kept.pid).not.toBe(first);
    expect((await client.workflow.getHandle('kept').describe()).status.name).toBe('RUNNING');
    expect((await fetch(kept.uiUrl)).status).toBe(200);
    expect(lines).toEqual([expect.stringContaining('ended unexpectedly'), expect.stringContaining('no event is lost')]);
    await kept.stop();
    expect(() => process.kill(kept.pid, 0)).toThrow('ESRCH');
  });
});

describe('untilInterrupted', () => {
  /** Serves a stand-in for Temporal's server: the real one gets into this state by chance only. Returns its address. */
  async function serve(answer: () => { readonly 'grpc-status': string; readonly 'grpc-message'?: string }) {
    const server = createServer();
    server.on('stream', (stream: ServerHttp2Stream) => {
      stream.respond({ 'content-type': 'application/grpc', ...answer() }, { endStream: true });
    });
    return `127.0.0.1:${await listen(server)}`;
  }

  const interrupted = { 'grpc-status': '14', 'grpc-message': 'GetNamespace operation failed. Error interrupted (9)' };
  const refused = { 'grpc-status': '8', 'grpc-message': 'namespace rate limit exceeded' };

  it('resolves after six such answers in a row', async () => {
    let answers = 0;
    const address = await serve(() => {
      answers += 1;
      return answers === 3 ? refused : interrupted;
    });
    await untilInterrupted({ address, namespace: 'default', signal: new AbortController().signal, everyMs: 1 });
    expect(answers).toBe(9);
  });

  it('goes on asking a server that answers otherwise, until the signal', async () => {
    const stopping = new AbortController();
    let answers = 0;
    const address = await serve(() => {
      answers += 1;
      if (answers === 20) stopping.abort();
      return refused;
    });
    await untilInterrupted({ address, namespace: 'default', signal: stopping.signal, everyMs: 1 });
    expect(answers).toBe(20);
  });
});
