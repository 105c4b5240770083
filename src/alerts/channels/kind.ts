import type { z } from 'zod';
import type { createPost, PostOptions } from '../../destinations/sending/post.ts';
import type { createSigner } from '../../destinations/sending/signature.ts';
import type { Rule } from '../../forms/section.ts';
import type { Message } from '../message.ts';

export interface Channel {
  /** Resolves with the channel's answer once the message is confirmed; rejects in the channel's words, also after too long or at a stop. */
  send(message: Message, stop?: AbortSignal): Promise<string>;
  /** Those to be notified later. */
  catchUp?(now: number, stop?: AbortSignal): Promise<void>;
}

export interface OpenChannel extends Channel {
  close(): Promise<void>;
}

export interface ChannelContext {
  /** The guard admits the address, as those of destinations. */
  readonly createPost: (options: Pick<PostOptions, 'url' | 'timeoutMs'>) => ReturnType<typeof createPost>;
  readonly createSigner: typeof createSigner;
  readonly timeoutMs: number;
}

export interface ChannelKind<Forms extends z.ZodRawShape> {
  readonly forms: Forms;
  rules(given: z.output<z.ZodObject<Forms>>): readonly Rule<keyof Forms & string>[];
  open(settings: NoInfer<z.output<z.ZodObject<Forms>>>, context: ChannelContext): OpenChannel;
  /** Without secrets. */
  place(settings: NoInfer<z.output<z.ZodObject<Forms>>>): string;
}

export const defineChannel = <Forms extends z.ZodRawShape>(kind: ChannelKind<Forms>): ChannelKind<Forms> => kind;
