import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rsaSha256 } from '../../../src/ingress/verification/rsa-sha256.ts';
import { keyMessage, startKeyServer } from '../key-server.ts';
import { bodyAndBit, flipBit, flipTextBit } from '../one-bit.ts';
import { opensslFixture } from '../openssl-fixture.ts';
import { signedRequest } from '../signed-request.ts';

const requestOf = (body: string, signature?: string | string[]) =>
  signedRequest({ headers: signature === undefined ? {} : { signature }, body });

async function setUp() {
  const server = await startKeyServer();
  const clock = { time: 1_000_000 };
  const verify = rsaSha256.createVerifier({}, { baseUrl: server.baseUrl, now: () => clock.time });
  return { server, clock, verify };
}

describe('the rsa-sha256 verifier', () => {
  it('accepts what openssl signed, and refuses it with one byte changed', async () => {
    const { server, verify } = await setUp();
    server.answerWith({ status: 200, body: keyMessage(opensslFixture.publicKey) });
    expect(await verify(requestOf(opensslFixture.body, opensslFixture.signature))).toBe('authentic');
    expect(await verify(requestOf(`${opensslFixture.body} `, opensslFixture.signature))).toBe('refused');
  });

  it('refuses one changed bit anywhere', async () => {
    const { server, verify } = await setUp();
    await fc.assert(
      fc.asyncProperty(...bodyAndBit, async (body, bit) => {
        const signature = server.sign(Buffer.from(body));
        const verdictOf = (sent: Uint8Array, shown: string) =>
          verify(signedRequest({ headers: { signature: shown }, body: sent }));
        expect(await verdictOf(body, signature)).toBe('authentic');
        expect(await verdictOf(flipBit(body, bit), signature)).toBe('refused');
        expect(await verdictOf(body, flipTextBit(signature, bit))).toBe('refused');
        // Beside the main thread, but for the first.
        const together = [
          verdictOf(body, flipTextBit(signature, bit)),
          verdictOf(body, signature),
          verdictOf(flipBit(body, bit), signature),
          verdictOf(body, flipTextBit(signature, bit)),
        ];
        expect(await Promise.all(together)).toEqual(['refused', 'authentic', 'refused', 'refused']);
      }),
    );
  });

  it('verifies large bodies, too', async () => {
    const { server, verify } = await setUp();
    const body = 'a'.repeat(1_000_000);
    expect(await verify(requestOf(body, server.sign(body)))).toBe('authentic');
    expect(await verify(requestOf(`${body}a`, server.sign(body)))).toBe('refused');
  });

  it('fetches the key once for many deliveries', async () => {
    const { server, verify } = await setUp();
    const verdicts = await Promise.all(['a', 'b', 'c'].map((body) => verify(requestOf(body, server.sign(body)))));
    expect(verdicts).toEqual(['authentic', 'authentic', 'authentic']);
    expect(server.fetches()).toBe(1);
  });

  it('fetches the new key once after a rotation', async () => {
    const { server, clock, verify } = await setUp();
    await verify(requestOf('a', server.sign('a')));
    server.rotate();
    clock.time += 5000;
    const verdicts = await Promise.all(['b', 'c'].map((body) => verify(requestOf(body, server.sign(body)))));
    expect(verdicts).toEqual(['authentic', 'authentic']);
    expect(server.fetches()).toBe(2);
  });

  it('does not turn a flood of bad signatures into a flood of fetches', async () => {
    const { server, clock, verify } = await setUp();
    await verify(requestOf('a', server.sign('a')));
    clock.time += 5000;
    for (let n = 0; n < 100; n += 1) expect(await verify(requestOf('b', server.sign('a')))).toBe('refused');
    expect(server.fetches()).toBe(2);
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['not base64', 'not base64!'],
    ['sent twice', ['YQ==', 'YQ==']],
    ['two in one', 'YQ==, YQ=='],
    ['base64 as no encoder writes it', 'YR=='],
  ])('refuses a signature that is %s without fetching the key', async (_case, signature) => {
    const { server, verify } = await setUp();
    expect(await verify(requestOf('a', signature))).toBe('refused');
    expect(server.fetches()).toBe(0);
  });

  it.each([
    ['fails', { status: 500, body: 'oops' }],
    ['answers nonsense', { status: 200, body: 'null' }],
    ['answers no key', { status: 200, body: '{"publicKey":"nothing"}' }],
    ['answers without end', { status: 200, body: 'x'.repeat(100_000) }],
  ])('is undecided while the key server %s, and decides when it is back', async (_case, answer) => {
    const { server, clock, verify } = await setUp();
    server.answerWith(answer);
    expect(await verify(requestOf('a', server.sign('a')))).toBe('undecided');
    server.answerWith(undefined);
    clock.time += 5000;
    expect(await verify(requestOf('a', server.sign('a')))).toBe('authentic');
  });

  it('uses its key while the server is down, and is undecided where that key fails', async () => {
    const { server, clock, verify } = await setUp();
    await verify(requestOf('a', server.sign('a')));
    server.answerWith({ status: 503, body: '' });
    clock.time += 5000;
    expect(await verify(requestOf('b', server.sign('b')))).toBe('authentic');
    expect(await verify(requestOf('b', server.sign('a')))).toBe('undecided');
  });

  it('is undecided if the server cannot be reached', async () => {
    const verify = rsaSha256.createVerifier({}, { baseUrl: 'http://127.0.0.1:1' });
    expect(await verify(requestOf('a', 'YQ=='))).toBe('undecided');
  });
});
