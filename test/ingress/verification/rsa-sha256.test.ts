import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rsaSha256 } from '../../../src/ingress/verification/rsa-sha256.ts';
import { temporaryFile } from '../../store/temporary-store.ts';
import { keyMessage, lookedUp, silent, startKeyServer } from '../key-server.ts';
import { bodyAndBit, flipBit, flipTextBit, opensslFixture, signedRequest } from './signed-request.ts';

const requestOf = (body: string, signature?: string | string[]) =>
  signedRequest({ headers: signature === undefined ? {} : { signature }, body });

async function setUp(settings: Partial<Parameters<typeof rsaSha256.createVerifier>[0]> = {}) {
  const server = await startKeyServer();
  const clock = { time: 1_000_000 };
  const lines: string[] = [];
  const verify = rsaSha256.createVerifier(
    { ...lookedUp, ...settings },
    {
      baseUrl: server.baseUrl,
      now: () => clock.time,
      logger: { warn: (fields: object, text: string) => void lines.push(`${text} ${inspect(fields)}`) },
    },
  );
  return { server, clock, lines, verify };
}

describe('the rsa-sha256 verifier', () => {
  it('accepts what openssl signed, and refuses it with one byte changed', async () => {
    const { server, clock, verify } = await setUp();
    server.answerWith({ status: 200, body: keyMessage(opensslFixture.publicKey) });
    expect(await verify(requestOf(opensslFixture.body, opensslFixture.signature))).toBe('authentic');
    clock.time += 5000;
    expect(await verify(requestOf(`${opensslFixture.body} `, opensslFixture.signature))).toBe('refused');
  });

  it('refuses one changed bit anywhere', async () => {
    const server = await startKeyServer();
    const verify = server.pinnedVerifier();
    await fc.assert(
      fc.asyncProperty(...bodyAndBit, async (body, bit) => {
        const signature = server.sign(Buffer.from(body));
        const verdictOf = (sent: Uint8Array, shown: string) =>
          verify(signedRequest({ headers: { signature: shown }, body: sent }));
        expect(await verdictOf(body, signature)).toBe('authentic');
        expect(await verdictOf(flipBit(body, bit), signature)).toBe('refused');
        expect(await verdictOf(body, flipTextBit(signature, bit))).toBe('refused');
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
    expect(await verify(requestOf(`${body}a`, server.sign(body)))).toBe('unrecognized');
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
    expect(await verify(requestOf('b', server.sign('a')))).toBe('refused');
    for (let n = 0; n < 100; n += 1) expect(await verify(requestOf('b', server.sign('a')))).toBe('unrecognized');
    expect(server.fetches()).toBe(2);
    server.answerWith({ status: 500, body: 'oops' });
    clock.time += 5000;
    for (let n = 0; n < 100; n += 1) expect(await verify(requestOf('b', server.sign('a')))).toBe('unrecognized');
    expect(server.fetches()).toBe(3);
  });

  it('asks for a delivery again that was signed with a new key just after a forged one had the key looked up', async () => {
    const { server, clock, verify } = await setUp();
    await verify(requestOf('a', server.sign('a')));
    clock.time += 5000;
    expect(await verify(requestOf('b', server.sign('a')))).toBe('refused');
    server.rotate();
    expect(await verify(requestOf('b', server.sign('b')))).toBe('unrecognized');
    clock.time += 5000;
    expect(await verify(requestOf('b', server.sign('b')))).toBe('authentic');
  });

  it('accepts the previous key until its grace is over', async () => {
    const { server, clock, lines, verify } = await setUp();
    const early = requestOf('a', server.sign('a'));
    await verify(early);
    server.rotate();
    clock.time += 5000;
    expect(await verify(requestOf('b', server.sign('b')))).toBe('authentic');
    expect(lines).toEqual([expect.stringContaining('rotated')]);
    clock.time += 21_599_999;
    expect(await verify(early)).toBe('authentic');
    clock.time += 1;
    expect(await verify(early)).toBe('refused');
  });

  it.each(['PublicKey', 'PUBLICKEY', 'publickey'])('reads an answer with the member %s', async (name) => {
    const { server, verify } = await setUp();
    server.answerWith({ status: 200, body: keyMessage(server.publicKey()).replace('publicKey', name) });
    expect(await verify(requestOf('a', server.sign('a')))).toBe('authentic');
  });

  it('reads an answer that is compressed though nobody asked for it', async () => {
    const { server, verify } = await setUp();
    const body = gzipSync(keyMessage(server.publicKey()));
    server.answerWith({ status: 200, headers: { 'content-encoding': 'gzip' }, body });
    expect(await verify(requestOf('a', server.sign('a')))).toBe('authentic');
  });

  it.each(['<html>Maintenance</html>', '{"Message":"An error has occurred."}', '{"publicKey":""}'])(
    'keeps its key when the answer is %s',
    async (body) => {
      const { server, clock, verify } = await setUp();
      const first = server.sign('a');
      expect(await verify(requestOf('a', first))).toBe('authentic');
      server.answerWith({ status: 200, body });
      clock.time += 5000;
      expect(await verify(requestOf('b', first))).toBe('unrecognized');
      expect(await verify(requestOf('a', first))).toBe('authentic');
    },
  );

  it('uses no key of fewer than 2,048 bits, and says so', async () => {
    const { server, lines, verify } = await setUp();
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    server.answerWith({ status: 200, body: keyMessage(publicKey) });
    expect(await verify(requestOf('a', server.sign('a')))).toBe('undecided');
    expect(lines).toEqual([expect.stringMatching(/the RSA key has 1024 bits; at least 2048 are required/)]);
  });

  it('accepts each pinned key, and looks none up', async () => {
    const [{ server, verify }, other] = [
      await setUp({ publicKey: [opensslFixture.publicKey] }),
      await startKeyServer(),
    ];
    const both = rsaSha256.createVerifier(
      { ...lookedUp, publicKey: [other.publicKey(), opensslFixture.publicKey] },
      { ...server, logger: silent },
    );
    const signed = requestOf(opensslFixture.body, opensslFixture.signature);
    expect([await verify(signed), await both(signed)]).toEqual(['authentic', 'authentic']);
    const signedByOther = requestOf('a', other.sign('a'));
    expect([await verify(signedByOther), await both(signedByOther)]).toEqual(['refused', 'authentic']);
    expect(server.fetches()).toBe(0);
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
    expect(await verify(requestOf('b', server.sign('a')))).toBe('unrecognized');
  });

  it('is undecided if the server cannot be reached', async () => {
    const verify = rsaSha256.createVerifier(lookedUp, { baseUrl: 'http://127.0.0.1:1', logger: silent });
    expect(await verify(requestOf('a', 'YQ=='))).toBe('undecided');
  });
});

describe('a pinned key', () => {
  const form = rsaSha256.settings.publicKey;
  const pem = opensslFixture.publicKey;

  it('is PEM, PEM on one line, or a file', () => {
    const file = temporaryFile();
    writeFileSync(file, pem);
    expect(form.parse([pem, pem.replaceAll('\n', '\\n'), file])).toEqual([pem, pem, pem]);
  });

  it.each([
    ['nothing', 'must be an RSA public key in PEM, or a file that has one'],
    [generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey, 'the RSA key has 1024 bits'],
    [generateKeyPairSync('ed25519').publicKey, 'not an RSA key'],
  ])('is refused otherwise', (given, message) => {
    const text = typeof given === 'string' ? given : given.export({ type: 'spki', format: 'pem' }).toString();
    expect(form.safeParse(text).error?.issues[0]?.message).toContain(message);
  });
});
