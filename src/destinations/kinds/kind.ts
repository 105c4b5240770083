import type { z } from 'zod';
import { DocklineError } from '../../domain/errors.ts';
import type { Tracing } from '../../domain/tracing.ts';
import type { Rule } from '../../forms/section.ts';
import { certificateAdvice } from '../../http/agent.ts';
import type { Reach } from '../../http/post.ts';
import type { Proxies } from '../../http/proxies.ts';
import type { Destination } from '../sending/sending.ts';

export interface OpenDestination extends Destination {
  close(): Promise<void>;
}

export interface DestinationContext extends Reach {
  readonly tracing?: Tracing | undefined;
}

export const unreachable = (name: string, reason: string, cause?: unknown): DocklineError =>
  new DocklineError('ERR_DESTINATION_UNREACHABLE', `${name} failed: ${reason}`, { cause });

/** By the reason that there is no connection, or else `usual`. */
export const connectionAdvice = (reason: string, usual: string): string =>
  certificateAdvice(reason, SET_CA) ??
  (/ALERT|UND_ERR_SOCKET|ECONNRESET/.test(reason)
    ? 'It ended the connection. If it wants a client certificate, set ANNOUNCE_CLIENT_CERT and ANNOUNCE_CLIENT_KEY, or clientCert and clientKey in the file, to one that it knows.'
    : usual);

export const SET_CA = 'set ANNOUNCE_CA, or ca in the file, to a PEM file with the certificate of the authority.';

/** Only a warning if announcements may arrive nevertheless. */
export interface Advice {
  readonly advice: string;
  readonly isWarning?: boolean;
}

export interface Kind<Forms extends z.ZodRawShape, Settings> {
  readonly about: string;
  /** `url` is one of them. */
  readonly forms: Forms;
  rules(given: z.output<z.ZodObject<Forms>>): readonly Rule<keyof Forms & string>[];
  /** No address has a user or a password then. */
  toSettings(parsed: z.output<z.ZodObject<Forms>>): Settings;
  open(settings: NoInfer<Settings>, context: DestinationContext): OpenDestination;
  attempt(type: string, settings: NoInfer<Settings>, proxies: Proxies): string;
  advise(failure: DocklineError, settings: NoInfer<Settings>, proxies: Proxies): Advice;
}

export const defineKind = <Forms extends z.ZodRawShape, Settings>(kind: Kind<Forms, Settings>): Kind<Forms, Settings> =>
  kind;
