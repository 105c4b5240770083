import { once } from 'node:events';
import { connect as connectHttp2, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect, type Server } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { generate } from 'selfsigned';
import { inject, onTestFinished } from 'vitest';

/** Certificate with its key, in PEM. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

/** Creates an authority that signs certificates. */
export async function createAuthority(): Promise<Certified & { sign(name: string): Promise<Certified> }> {
  const authority = await issue('Test authority', undefined, { cA: true });
  return { ...authority, sign: (name) => issue(name, authority, { cA: false }) };
}

async function issue(name: string, ca: Certified | undefined, { cA }: { readonly cA: boolean }): Promise<Certified> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...(ca && { ca }),
    extensions: [
      { name: 'basicConstraints', cA, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
    ],
  });
  return { cert, key };
}

/** Puts TLS before the Temporal server of the tests. */
export async function startTlsProxy(options: TlsOptions) {
  const [host, port] = inject('temporalAddress').split(':');
  const server = createServer({ ...options, ALPNProtocols: ['h2'] }, (secure) => {
    const plain = connect({ host, port: Number(port) });
    secure.pipe(plain).pipe(secure);
    for (const [one, other] of [
      [secure, plain],
      [plain, secure],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  return await listen(server);
}

/** Puts a server that demands an API key of every call before the Temporal server of the tests. */
export async function startKeyProxy({ cert, key }: Certified, apiKey: string) {
  const upstream = connectHttp2(`http://${inject('temporalAddress')}`);
  onTestFinished(() => upstream.destroy());
  const server = createSecureServer({ cert, key });
  server.on('stream', (stream: ServerHttp2Stream, { authorization, ':path': path, ...headers }) => {
    if (authorization !== `Bearer ${apiKey}`) {
      stream.respond({ 'content-type': 'application/grpc', 'grpc-status': '16' }, { endStream: true });
      return;
    }
    const passed = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
    const request = upstream.request({ ...passed, ':method': 'POST', ':path': path });
    let trailers = {};
    request.on('trailers', (received) => {
      trailers = received;
    });
    request.on('response', (response, flags) => {
      stream.respond(response, { waitForTrailers: true, endStream: (flags & 1) === 1 });
      request.pipe(stream);
    });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.pipe(request);
    stream.on('error', () => request.destroy()).on('close', () => request.close());
    request.on('error', () => stream.destroy());
  });
  return await listen(server);
}

async function listen(server: Server) {
  const open = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}
