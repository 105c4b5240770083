import { rootCertificates } from 'node:tls';
import { experimental } from '@grpc/grpc-js';
import type { ConnectionOptions } from '@temporalio/client';
import type { NativeConnectionOptions } from '@temporalio/worker';

export interface TemporalCredentials {
  readonly tls?: {
    /** PEM; absent for the usual authorities. */
    readonly serverCa?: Buffer;
    readonly identity?: { readonly certificate: Buffer; readonly key: Buffer };
    readonly serverName?: string;
  };
  readonly apiKey?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface CredentialSource {
  /** Throws if a file is missing. */
  read(): TemporalCredentials;
  readonly everyMs: number;
}

export const plainText: CredentialSource = { read: () => ({}), everyMs: 3_600_000 };

/** Credentials that cannot be read, since a file is being replaced, are no change. */
export function watchCredentials(
  { read, everyMs }: CredentialSource,
  initial: TemporalCredentials,
  onChange: (credentials: TemporalCredentials) => void,
): () => void {
  let last = JSON.stringify(initial);
  const timer = setInterval(() => {
    let current: TemporalCredentials;
    try {
      current = read();
    } catch {
      return;
    }
    const text = JSON.stringify(current);
    if (text === last) return;
    last = text;
    onChange(current);
  }, everyMs).unref();
  return () => clearInterval(timer);
}

export function nativeOptions({ tls, apiKey, metadata }: TemporalCredentials): NativeConnectionOptions {
  const { serverCa, identity, serverName } = tls ?? {};
  return {
    ...(tls && {
      tls: {
        ...(serverCa && { serverRootCACertificate: serverCa }),
        ...(identity && { clientCertPair: { crt: identity.certificate, key: identity.key } }),
        ...(serverName && { serverNameOverride: serverName }),
      },
    }),
    ...(apiKey && { apiKey }),
    ...(metadata && { metadata }),
  };
}

/** Each new connection uses the newest certificates, and each call the newest API key. */
export function followCredentials(source: CredentialSource) {
  let current = source.read();
  const certificates = createCertificates(() => current.tls);
  const close = watchCredentials(source, current, (changed) => {
    current = changed;
    certificates.renew();
  });
  const { tls, metadata } = current;
  const name = tls?.serverName;
  return {
    options: {
      ...(tls && { credentials: certificates.credentials }),
      ...(name && { channelArgs: { 'grpc.ssl_target_name_override': name, 'grpc.default_authority': name } }),
      ...(metadata && { metadata }),
    } satisfies Partial<ConnectionOptions>,
    apiKey: () => current.apiKey,
    close,
  };
}

type Provider = Parameters<typeof experimental.createCertificateProviderChannelCredentials>[0];
type CaListener = Parameters<Provider['addCaCertificateListener']>[0];
type IdentityListener = Parameters<Provider['addIdentityCertificateListener']>[0];

function createCertificates(current: () => TemporalCredentials['tls']) {
  const caListeners = new Set<CaListener>();
  const identityListeners = new Set<IdentityListener>();
  const ca = () => ({ caCertificate: current()?.serverCa ?? Buffer.from(rootCertificates.join('\n')) });
  const identity = () => {
    const { certificate, key } = current()?.identity ?? {};
    return certificate && key ? { certificate, privateKey: key } : null;
  };
  const provider: Provider = {
    addCaCertificateListener(listener) {
      caListeners.add(listener);
      listener(ca());
    },
    removeCaCertificateListener: (listener) => void caListeners.delete(listener),
    addIdentityCertificateListener(listener) {
      identityListeners.add(listener);
      listener(identity());
    },
    removeIdentityCertificateListener: (listener) => void identityListeners.delete(listener),
  };
  const credentials = experimental.createCertificateProviderChannelCredentials(provider, identity() ? provider : null);
  const renew = () => {
    for (const listener of caListeners) listener(ca());
    for (const listener of identityListeners) listener(identity());
  };
  return { credentials, renew };
}
