import fc from 'fast-check';
import { headerReader, type SignedRequest } from '../../../src/ingress/verification/scheme.ts';

/** Creates a request as a verifier sees it; a header with several values was sent several times. */
export function signedRequest({
  headers = {},
  query = '',
  body = '{}',
}: {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly query?: string;
  readonly body?: string | Uint8Array;
}): SignedRequest {
  const raw = Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]));
  return { header: headerReader(raw), url: `/webhooks/warehouse?${query}`, body: Buffer.from(body) };
}

/** Copies bytes with one bit flipped. */
export const flipBit = (bytes: Uint8Array, bit: number): Buffer => {
  const changed = Buffer.from(bytes);
  const index = Math.floor(bit / 8) % changed.length;
  changed.writeUInt8(changed.readUInt8(index) ^ (1 << (bit % 8)), index);
  return changed;
};

/** Flips one bit of a header's text, which has one character for each byte. */
export const flipTextBit = (text: string, bit: number): string =>
  flipBit(Buffer.from(text, 'latin1'), bit).toString('latin1');

/** Arbitrary non-empty bodies, and the position of a bit to flip. */
export const bodyAndBit = [fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(1_000_000)] as const;

/**
 * Body with its signature and key, created by the openssl command line as an independent oracle:
 * `openssl genrsa 2048`, `openssl rsa -pubout`, `openssl dgst -sha256 -sign`, `openssl base64 -A`, `openssl dgst -sha256 -hmac`.
 */
export const opensslFixture = {
  body: '{"tplId":9104,"wmsEventId":187450321,"eventType":"OrderUpdate"}',
  signature:
    'txOkMY+fvtMSWAn7egsJcOSCzAcLU/5BSO2/voGY34gtqMqGXOpUXk2ZhpzSJngwkunmYD8+bD/yJ1fkHqn13aFsNpfUlXLiX6TXd7P/7Se6JKou6fERPPwuD+qKimCggwoEfopC1apOdsiUdW25zKxAKOJK8NQI5PZsrjmYMGH/sI88UiC400FixfKpT8p/qLrg76su1MPGpxy08UTiW5FXfJWN54dBUJWmkBb0h2Juffq/SrBb5ye0SgRKSRJAhsJHS7yIw4AGYyPgPfs/stgY5re4Yv+l6+zwf/B5qTWWG78BBGkxtBENcxeK5GrWGK984ET7khXoTXs8gMRYvw==',
  publicKey:
    '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwdkF7DsFKm5Jt2svdQuy\nKBgXz/UiFWbPfpxh+cgYmPBxCdVF9+7iwv4oL0BCxmzxO2RGQggvUtKdC0jsbNX3\nCxXaX4RoIPu2ozTg04QgpynijUo2b9WRabn4p7DQyN2cLUSPd4iN6+V0dH0PScFk\nNX13w5JDoa4uZzv/6mokfTF8CJHWhXsuEknagu38jKA0bcKoLl+5gJQcJTZHP8G4\nk5rjEdQ5QexOL6vTExPpCg9Pl9nU7ljjfGQREuOcSyQwRmFFWT1DBv4tcmCUMJEk\nNYZRHZFOb8HRbSa+3etIPe1wQ9ffjuOULXm9s9EIZ7fuFGGQSF7EFJCIZK4K7fKj\nKwIDAQAB\n-----END PUBLIC KEY-----\n',
  hmac: {
    secret: 'a-secret-of-some-length',
    hex: '8b5b4a06a5dfa890be1e97b5a17dbfb188431b940716ef46328ed74db6c8320b',
    base64: 'i1tKBqXfqJC+Hpe1oX2/sYhDG5QHFu9GMo7XTbbIMgs=',
  },
} as const;
