import { once } from 'node:events';
import { connect, createServer } from 'node:tls';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { reasonOf } from '../../src/domain/errors.ts';
import { certificateAdvice } from '../../src/http/agent.ts';
import { createCertificates, hasOpenssl } from '../support/certificates.ts';
import { listen } from '../support/listen.ts';

describe.runIf(hasOpenssl)('the advice about a certificate', () => {
  const { read, remove } = createCertificates();
  afterAll(remove);

  it.each([
    ['without that of its issuer asks for the whole chain first', 'server', ['server'], /intermediate .* trust it$/],
    ['with the root asks to trust its authority', 'server', ['server', 'ca'], /not public: trust it$/],
    ['that signed itself asks to trust it', 'ca', ['ca'], /not public: trust it$/],
  ])('%s', async (_, key, chain, advice) => {
    const cert = chain.map((name) => read(`${name}.crt`)).join('');
    const server = createServer({ key: read(`${key}.key`), cert }).on('tlsClientError', () => undefined);
    const socket = connect({ host: '127.0.0.1', port: await listen(server) });
    onTestFinished(() => void socket.destroy());
    const [error] = (await once(socket, 'error').catch((failure) => [failure])) as [Error];
    for (const said of [reasonOf(error), error.message]) expect(certificateAdvice(said, 'trust it')).toMatch(advice);
  });
});
