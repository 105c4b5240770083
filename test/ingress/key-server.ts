import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { rsaSha256 } from '../../src/ingress/verification/rsa-sha256.ts';
import { listen } from '../support/listen.ts';

/** Answer to the request of a key. */
interface KeyAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Starts a server that publishes a warehouse's public key. */
export async function startKeyServer({ path = '/events/webhook/key' } = {}) {
  const state = { ...firstKeyPair, fetches: 0, answer: undefined as KeyAnswer | undefined };
  const server = createServer((request, response) => {
    state.fetches += 1;
    const isKey = request.method === 'GET' && request.url === path;
    const standard: KeyAnswer = { status: isKey ? 200 : 404, body: keyMessage(state.publicKey) };
    const { status, headers, body } = state.answer ?? standard;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  const baseUrl = `http://127.0.0.1:${await listen(server)}`;
  const publicKey = () => state.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return {
    baseUrl,
    fetches: () => state.fetches,
    publicKey,
    /** Creates a verifier that has the key pinned. */
    pinnedVerifier: () =>
      rsaSha256.createVerifier({ ...lookedUp, publicKey: [publicKey()] }, { baseUrl, logger: silent }),
    /** Replaces the answer, or restores the key without one. */
    answerWith: (answer?: KeyAnswer) => Object.assign(state, { answer }),
    rotate: () => Object.assign(state, createKeyPair()),
    sign: (body: string | Buffer) => sign('sha256', Buffer.from(body), state.privateKey).toString('base64'),
  };
}

/** Settings of the scheme that look the key up. */
export const lookedUp = { publicKey: undefined };

/** Logger that drops its lines. */
export const silent = { warn: () => {} };

/** Composes the answer that contains the key. */
export function keyMessage(publicKey: KeyObject | string): string {
  const pem = typeof publicKey === 'string' ? publicKey : publicKey.export({ type: 'spki', format: 'pem' });
  return JSON.stringify({ publicKey: pem, retrievalDateISO: '2026-02-11T16:42:19Z' });
}

const createKeyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const firstKeyPair = createKeyPair();
