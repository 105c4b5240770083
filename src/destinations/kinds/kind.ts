import type { z } from 'zod';
import { DocklineError } from '../../domain/errors.ts';
import type { Tracing } from '../../domain/tracing.ts';
import type { Rule } from '../../forms/section.ts';
import type { Reach } from '../../http/post.ts';
import type { Destination } from '../sending/sending.ts';

export interface OpenDestination extends Destination {
  close(): Promise<void>;
}

export interface DestinationContext extends Reach {
  readonly tracing?: Tracing | undefined;
}

export const unreachable = (name: string, reason: string, cause?: unknown): DocklineError =>
  new DocklineError('ERR_DESTINATION_UNREACHABLE', `${name} failed: ${reason}`, { cause });

export interface Kind<Forms extends z.ZodRawShape, Settings> {
  readonly about: string;
  /** `url` is one of them. */
  readonly forms: Forms;
  rules(given: z.output<z.ZodObject<Forms>>): readonly Rule<keyof Forms & string>[];
  /** No address has a user or a password then. */
  toSettings(parsed: z.output<z.ZodObject<Forms>>): Settings;
  open(settings: NoInfer<Settings>, context: DestinationContext): OpenDestination;
  /** Steps that help after an answer, by its status. */
  readonly advice: { readonly [status: number]: string };
  /** Status of a test that nobody takes, where announcements may be taken nevertheless. */
  readonly untaken?: number;
}

export const defineKind = <Forms extends z.ZodRawShape, Settings>(kind: Kind<Forms, Settings>): Kind<Forms, Settings> =>
  kind;
