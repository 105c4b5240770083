import type { z } from 'zod';
import type { DocklineError } from '../../domain/errors.ts';
import type { Tracing } from '../../domain/tracing.ts';
import type { Proxies } from '../../http/proxies.ts';
import type { Destination } from '../sending/receiver.ts';

/** Destination that holds connections. */
export interface OpenDestination extends Destination {
  close(): Promise<void>;
}

/** Facts beyond its settings that a destination depends on. */
export interface DestinationContext {
  readonly tracing?: Tracing | undefined;
  readonly proxies?: Proxies | undefined;
  /** Timeout of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Internal addresses that are allowed nevertheless: addresses or CIDR ranges. */
  readonly allowedAddresses: readonly string[];
}

/** Advice about a failed attempt, which is only a warning if announcements may arrive nevertheless. */
export interface Advice {
  readonly advice: string;
  readonly isWarning?: boolean;
}

/** Rule of a kind about its settings together, with the key that it concerns. */
type Rule<Key> = readonly [isBroken: unknown, key: Key, problem: string];

/** Kind of destination: its settings, and how it is opened from them. */
export interface Kind<Forms extends z.ZodRawShape, Settings> {
  /** Words for what a destination of this kind is. */
  readonly about: string;
  /** Form of each setting, by its key. `url` is one of them. */
  readonly forms: Forms;
  /** Returns the rules that its settings have to keep. `consent` words a setting that says yes. */
  rules(
    given: Readonly<Partial<z.output<z.ZodObject<Forms>>>>,
    consent: (key: keyof Forms & string) => string,
  ): readonly Rule<keyof Forms & string>[];
  /** Groups the settings. No address has a user or a password then. */
  toSettings(parsed: z.output<z.ZodObject<Forms>>): Settings;
  open(settings: NoInfer<Settings>, context: DestinationContext): OpenDestination;
  /** Names the sending of a type, with where it goes. */
  attempt(type: string, settings: NoInfer<Settings>, proxies: Proxies): string;
  /** Says what to do about the failure of an attempt. */
  advise(failure: DocklineError, settings: NoInfer<Settings>, proxies: Proxies): Advice;
}

/** Infers the type of a kind. */
export const defineKind = <Forms extends z.ZodRawShape, Settings>(kind: Kind<Forms, Settings>): Kind<Forms, Settings> =>
  kind;
