import { createSecretKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  type ClientConfigProfile,
  type ClientConnectConfig,
  loadClientConfigProfile,
  toClientOptions,
} from '@temporalio/envconfig';
import { z } from 'zod';
import type { EncryptionKey } from '../base/sealing.ts';
import { messageOf } from '../domain/errors.ts';
import { type Environment, isDistinct, list } from '../forms/forms.ts';

/** As the SDK's clients and workers take them. */
export type TemporalCredentials = Pick<ClientConnectConfig['connectionOptions'], 'tls' | 'apiKey' | 'metadata'>;

/** From the variables and profiles of Temporal's own tools. */
export interface TemporalAccess {
  /** `host:port`; absent for the embedded server. */
  readonly address?: string;
  readonly namespace?: string;
  readonly credentials: TemporalCredentials;
}

/**
 * Reads `TEMPORAL_ADDRESS`, `TEMPORAL_TLS_…`, `TEMPORAL_API_KEY` and others as Temporal's tools do. Reads a profile
 * only if `TEMPORAL_PROFILE` or `TEMPORAL_CONFIG_FILE` is set: the demonstration must not run on the server of a
 * default profile. Throws an Error that names the variables.
 */
export function readTemporalAccess(env: Environment): TemporalAccess {
  const profile = loadProfile(env);
  const { address, namespace } = profile;
  const { tls, apiKey, metadata } = readCredentials(profile);
  if (!address && (tls || apiKey)) throw new Error('TEMPORAL_ADDRESS: is required with TLS or an API key');
  const credentials = { ...(tls && { tls }), ...(apiKey && { apiKey }), ...(metadata && { metadata }) };
  return { ...(address && { address: withPort(address) }), ...(namespace && { namespace }), credentials };
}

/** As Temporal's own clients do. */
function withPort(address: string): string {
  const [, host, port = '7233'] = /^(\[[\da-f.:]+\]|[^\s:/[\]]+)(?::(\d+))?$/i.exec(address) ?? [];
  if (!host || Number(port) > 65_535) throw new Error('TEMPORAL_ADDRESS: must be of the form host:port');
  return `${host}:${port}`;
}

function loadProfile(env: Environment): ClientConfigProfile {
  const variables = Object.entries(env).filter(([name, value]) => name.startsWith('TEMPORAL_') && value);
  const { TEMPORAL_PROFILE, TEMPORAL_CONFIG_FILE } = env;
  const disableFile = !TEMPORAL_PROFILE && !TEMPORAL_CONFIG_FILE;
  if (TEMPORAL_CONFIG_FILE && !existsSync(TEMPORAL_CONFIG_FILE))
    throw new Error('TEMPORAL_CONFIG_FILE: does not exist');
  try {
    return loadClientConfigProfile({
      disableFile,
      overrideEnvVars: Object.fromEntries(variables) as Record<string, string>,
    });
  } catch (error) {
    throw new Error(`TEMPORAL_PROFILE: ${messageOf(error)}`);
  }
}

function readCredentials(profile: ClientConfigProfile): TemporalCredentials {
  const { clientCert, clientKey } = profile.tls ?? {};
  if (!clientCert !== !clientKey)
    throw new Error('TEMPORAL_TLS_CLIENT_CERT_PATH: is required together with TEMPORAL_TLS_CLIENT_KEY_PATH');
  try {
    return toClientOptions(profile).connectionOptions;
  } catch (error) {
    throw new Error(`TEMPORAL_TLS_…_PATH: a file cannot be read: ${messageOf(error)}`);
  }
}

const FORM = /^([\w.-]{1,64}):([A-Za-z0-9+/]{43}=)$/;

const codecKey = z
  .string('must have at least one')
  .regex(FORM, 'must be of the form id:key, each key 32 bytes in base64')
  .transform((text): EncryptionKey => {
    const [, id = '', key = ''] = FORM.exec(text) ?? [];
    return { id, key: createSecretKey(key, 'base64') };
  });

/** `id:key,id2:key2`, each key 32 bytes in base64. */
export const codecKeys = list
  .pipe(z.tuple([codecKey], codecKey))
  .refine((keys) => isDistinct(keys.map(({ id }) => id)), 'must give each key an id of its own');
