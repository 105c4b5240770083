import { Buffer } from 'node:buffer';
import { METADATA_ENCODING_KEY, type Payload } from '@temporalio/common';
import proto from '@temporalio/proto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EncryptionKeys } from '../../../src/base/sealing.ts';
import { CodecError, createCodec } from '../../../src/temporal/codec/codec.ts';
import { codecKeys } from '../../../src/temporal/settings.ts';

/** The bytes 0 to 31. */
const bytes = Buffer.from([...Array(32).keys()]);
const old = `old:${bytes.toString('base64')}`;
const young = `young:${Buffer.alloc(32, 7).toString('base64')}`;

const codecOf = (...keys: string[]) => createCodec(codecKeys.parse(keys.join(',')) as EncryptionKeys);
const codec = codecOf(old);

const payload: Payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"packed"') };

const textOf = ({ metadata, data }: Payload) => ({
  encoding: Buffer.from(metadata?.[METADATA_ENCODING_KEY] ?? []).toString(),
  keyId: Buffer.from(metadata?.['encryption-key-id'] ?? []).toString(),
  text: Buffer.from(data ?? []).toString(),
});

async function encrypted(by = codec): Promise<Payload & { readonly data: Uint8Array }> {
  const [one] = await by.encode([payload]);
  return one as Payload & { readonly data: Uint8Array };
}

describe('the codec', () => {
  it('encrypts for any implementation of AES-GCM, and names the key as the samples of Temporal do', async () => {
    const { data, ...one } = await encrypted();
    expect(textOf(one)).toMatchObject({ encoding: 'binary/encrypted', keyId: 'old' });
    const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['decrypt']);
    const iv = new Uint8Array(data.subarray(0, 12));
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, new Uint8Array(data.subarray(12)));
    expect(textOf(proto.temporal.api.common.v1.Payload.decode(new Uint8Array(opened)))).toMatchObject({
      encoding: 'json/plain',
      text: '"packed"',
    });
  });

  it('decrypts payloads of another implementation', async () => {
    // Written with Python's cryptography: AESGCM(bytes(range(32))), nonce bytes(range(100, 112)).
    const data = Buffer.from(
      'ZGVmZ2hpamtsbW5vQg3UbhyHNfFaCzGPyG8Aji2sKXrnDZoctdmOOJrAzi3wywj/1nrDanQm11CkItqphIY=',
      'base64',
    );
    const metadata = { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from('old') };
    const [read] = await codec.decode([{ metadata, data }]);
    expect(textOf(read as Payload)).toEqual({ encoding: 'json/plain', keyId: '', text: '"packed"' });
  });

  it('leaves nothing readable, and never encrypts to the same bytes twice', async () => {
    const [one, other] = await codec.encode([payload, payload]);
    for (const { data } of [one, other] as Payload[]) {
      expect(Buffer.from(data ?? []).toString('latin1')).not.toMatch(/packed|json|encoding/);
    }
    expect(one?.data).not.toEqual(other?.data);
  });

  it('restores any payload, whatever its metadata and size', async () => {
    const anything = fc.record({
      metadata: fc.dictionary(fc.string(), fc.uint8Array(), { noNullPrototype: true }),
      data: fc.uint8Array({ maxLength: 100_000 }),
    });
    await fc.assert(
      fc.asyncProperty(anything, async ({ metadata, data }) => {
        const [read] = await codec.decode(await codec.encode([{ metadata, data }]));
        expect(Buffer.from(read?.data ?? []).equals(data)).toBe(true);
        expect(Object.keys(read?.metadata ?? {}).sort()).toEqual(Object.keys(metadata).sort());
      }),
      { numRuns: 50 },
    );
  });

  it('passes unencrypted payloads through', async () => {
    const plain = [payload, {}, { metadata: null, data: null }, { metadata: { encoding: Buffer.from('binary/null') } }];
    const read = await codec.decode(plain);
    expect(read).toHaveLength(plain.length);
    for (const [index, one] of plain.entries()) expect(read[index]).toBe(one);
  });

  it('encrypts with the first key and decrypts with each', async () => {
    const rotated = codecOf(young, old);
    expect(textOf(await encrypted(rotated))).toMatchObject({ keyId: 'young' });
    const [first, second] = await rotated.decode([await encrypted(codec), await encrypted(rotated)]);
    expect([first, second].map((one) => textOf(one as Payload).text)).toEqual(['"packed"', '"packed"']);
  });

  it('names a missing key', async () => {
    const failure = codecOf(young).decode([await encrypted()]);
    await expect(failure).rejects.toThrow(CodecError);
    await expect(failure).rejects.toThrow('encrypted with key "old", which is not among the keys');
  });

  it('rejects a payload with any changed bit', async () => {
    const one = await encrypted();
    for (let bit = 0; bit < one.data.length * 8; bit += 1) {
      const data = Buffer.from(one.data);
      data[bit >> 3] = (data[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await expect(codec.decode([{ ...one, data }])).rejects.toThrow(
        'key old was changed, or old was another key then',
      );
    }
  });

  it.each([0, 12, 27])('rejects a payload that is cut to %i bytes', async (length) => {
    const { data, ...one } = await encrypted();
    await expect(codec.decode([{ ...one, data: data.subarray(0, length) }])).rejects.toThrow('is cut short');
  });

  it('rejects another key with the same name', async () => {
    const impostor = codecOf(young.replace('young', 'old'));
    await expect(impostor.decode([await encrypted()])).rejects.toThrow('old was another key then');
  });
});
