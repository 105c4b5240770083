import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { reasonOf } from '../domain/errors.ts';
import type { Environment } from './forms.ts';
import type { Rule } from './section.ts';

/** UTF-8. The text has no byte order mark. */
export function readTextFile(path: string): string {
  const bytes = readFileSync(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('is not UTF-8');
  }
}

/** Node's own recursion never ends where nothing can be made, such as below `/proc`. */
export function makeFolder(path: string, mode?: number): void {
  const folder = resolve(path);
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process was faster.
    if (code !== 'EEXIST')
      throw new Error(
        `${folder} cannot be created (${code}): DATA_FOLDER and XDG_CACHE_HOME say where Dockline writes`,
        { cause: error },
      );
  }
}

/** In bytes: more than all public authorities take. */
const LIMIT = 1_048_576;

/** Parses a path into the text of the file. An error shows neither. */
const pemFile = (what: string, parse: (pem: string) => unknown) =>
  z.string().transform((path, { issues }) => {
    const refuse = (why: string) => {
      issues.push({ code: 'custom', message: `must be the path of a PEM file with ${what} (${why})`, input: path });
      return z.NEVER;
    };
    try {
      const file = statSync(path);
      if (!file.isFile() || file.size > LIMIT) return refuse('not a file of at most 1 MB');
      const pem = readTextFile(path);
      parse(pem);
      return pem;
    } catch (error) {
      return refuse(reasonOf(error));
    }
  });

const certificateFile = pemFile('certificates', (pem) => {
  for (const each of pem.match(/-----BEGIN CERTIFICATE-----.*?(?=-----BEGIN CERTIFICATE-----|$)/gs) ?? [pem])
    new X509Certificate(each);
});

const privateKeyFile = pemFile('a private key that has no passphrase', createPrivateKey);

export const tlsForms = {
  clientCert: certificateFile
    .optional()
    .describe('Client certificate (mTLS): the path of a PEM file, which is read at the start.'),
  clientKey: privateKeyFile.optional().describe('Private key of the client certificate: the path of a PEM file.'),
  ca: certificateFile
    .optional()
    .describe(
      "Authorities that may have issued the destination's certificate, in place of the public ones: the path of a PEM file.",
    ),
};

type TlsSettings = { readonly [Key in keyof typeof tlsForms]?: string | undefined };

export interface Tls {
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly ca?: string | undefined;
}

export const withTls = <Settings extends TlsSettings>({ clientCert: cert, clientKey: key, ca, ...rest }: Settings) => ({
  ...rest,
  tls: { cert, key, ca } as Tls,
});

/** `scheme` is that of addresses with TLS, which `url` may not have. */
export function findTlsProblems(
  { url, clientCert, clientKey, ca }: TlsSettings & { readonly url: string },
  scheme: string,
): Rule<keyof TlsSettings>[] {
  return [
    [clientCert && !clientKey, 'clientKey', 'is required with a client certificate'],
    [clientKey && !clientCert, 'clientCert', 'is required with the key of one'],
    [
      clientCert && clientKey && !belongTogether(clientCert, clientKey),
      'clientKey',
      'does not belong to the client certificate',
    ],
    [
      URL.parse(url)?.protocol !== `${scheme}:` && (clientCert || ca),
      ca ? 'ca' : 'clientCert',
      `needs an address with ${scheme}`,
    ],
  ];
}

/** Also false if OpenSSL does not accept them. */
function belongTogether(cert: string, key: string): boolean {
  try {
    createSecureContext({ cert, key });
    return true;
  } catch {
    return false;
  }
}

/** `$XDG_CACHE_HOME/dockline`, or `~/.cache/dockline`; in the data folder for a user without a home, as in a container. */
export function findCacheFolder(env: Environment = process.env, home = homedir): string {
  const { XDG_CACHE_HOME: folder = '', DATA_FOLDER } = env;
  if (isAbsolute(folder)) return join(folder, 'dockline');
  try {
    return join(home(), '.cache/dockline');
  } catch {
    return join(DATA_FOLDER || '.dockline', 'cache');
  }
}
