import { setTimeout as delay } from 'node:timers/promises';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { expect, it, onTestFinished } from 'vitest';
import { type CheckedServer, createCheckedConnection } from '../../../src/destinations/kinds/checked-connection.ts';
import type { FindAddresses } from '../../../src/http/lookup.ts';
import { createAuthority } from '../../support/temporal-proxy.ts';

const NAME = 'temporal.example.com';

/** Starts a server of Temporal's gRPC service, and notes for whom each call asked. */
async function startServer(credentials = ServerCredentials.createInsecure(), address = '127.0.0.1:0') {
  const asked: string[] = [];
  const server = new Server();
  const path = '/temporal.api.workflowservice.v1.WorkflowService/GetSystemInfo';
  const bytes = { serialize: (it: Buffer) => it, deserialize: (it: Buffer) => it };
  const method = { path, requestStream: false, responseStream: false } as const;
  server.addService(
    {
      getSystemInfo: {
        ...method,
        requestSerialize: bytes.serialize,
        requestDeserialize: bytes.deserialize,
        responseSerialize: bytes.serialize,
        responseDeserialize: bytes.deserialize,
      },
    },
    {
      getSystemInfo: (call: { getHost(): string }, answer: (error: null, value: Buffer) => void) => {
        asked.push(call.getHost());
        answer(null, Buffer.alloc(0));
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(address, credentials, (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  onTestFinished(() => server.forceShutdown());
  return { port, asked, stop: () => server.forceShutdown() };
}

const at =
  (...addresses: readonly string[]): FindAddresses =>
  async () =>
    addresses.map((address) => ({ address, family: 4 }));

function open(options: Pick<CheckedServer, 'url'> & Partial<CheckedServer>) {
  const { call, close } = createCheckedConnection({ timeoutMs: 10_000, allowedAddresses: ['127.0.0.0/8'], ...options });
  onTestFinished(close);
  return () => call((service) => service.getSystemInfo({}));
}

it('leads to the address that was checked, and asks for the name', async () => {
  const { port, asked } = await startServer();
  const call = open({ url: `temporal://${NAME}:${port}/orders`, findAddresses: at('127.0.0.1') });
  await call();
  expect(asked).toEqual([`${NAME}:${port}`]);
});

it('over TLS demands the certificate of the name, not of the address', async () => {
  const authority = await createAuthority();
  const { cert, key } = await authority.sign(NAME);
  const credentials = ServerCredentials.createSsl(null, [
    { cert_chain: Buffer.from(cert), private_key: Buffer.from(key) },
  ]);
  const { port, asked } = await startServer(credentials);
  const tls = { ca: authority.cert };
  await open({ url: `temporals://${NAME}:${port}/orders`, tls, findAddresses: at('127.0.0.1') })();
  expect(asked).toEqual([NAME]);
  const other = open({ url: `temporals://other.example.com:${port}/orders`, tls, findAddresses: at('127.0.0.1') });
  await expect(other()).rejects.toThrow(/altnames|certificate/i);
});

it('is refused where any address is internal, however long the look-up takes', async () => {
  const url = `temporal://${NAME}/orders`;
  const slow: FindAddresses = (name) => delay(2100, name).then(at('8.8.8.8', '169.254.169.254'));
  await expect(open({ url, findAddresses: slow })()).rejects.toMatchObject({
    code: 'ERR_DESTINATION_ADDRESS',
    message: `${NAME} is at 169.254.169.254, which is internal`,
  });
});

it('reaches nothing whose name cannot be looked up, or not in time', async () => {
  const { port, asked } = await startServer();
  const url = `temporal://localhost:${port}/orders`;
  const unknown: FindAddresses = () => Promise.reject(new Error('ENOTFOUND'));
  await expect(open({ url, findAddresses: unknown })()).rejects.toThrow('ENOTFOUND');
  const never: FindAddresses = () => new Promise(() => undefined);
  await expect(open({ url, findAddresses: never, timeoutMs: 50 })()).rejects.toThrow('no connection within 50 ms');
  expect(asked).toEqual([]);
});

it('is looked up again once nobody answers at its address', async () => {
  const first = await startServer();
  const second = await startServer(undefined, `127.0.0.2:${first.port}`);
  const addresses = ['127.0.0.1', '127.0.0.2'];
  const moving: FindAddresses = (...given) => at(addresses.shift() ?? '127.0.0.3')(...given);
  const call = open({ url: `temporal://${NAME}:${first.port}/orders`, findAddresses: moving });
  await call();
  await call();
  expect(first.asked.length).toBe(2);
  first.stop();
  await expect(call()).rejects.toThrow();
  await call();
  expect(second.asked.length).toBe(1);
});
