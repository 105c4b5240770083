import type { z } from 'zod';
import type { createPost, PostOptions } from '../../destinations/sending/post.ts';
import type { Rule } from '../../forms/section.ts';
import type { Message } from '../message.ts';

export interface Channel {
  /**
   * Resolves with the answer of the channel once it has confirmed the message; rejects with why it has not, in its own words, also once it
   * has taken too long or is to stop.
   */
  send(message: Message, stop?: AbortSignal): Promise<string>;
  /** Those who were to be told later, if it is time. */
  catchUp?(now: number, stop?: AbortSignal): Promise<void>;
}

export interface OpenChannel extends Channel {
  close(): Promise<void>;
}

/** Beyond its settings. */
export interface ChannelContext {
  /** Opens POSTs to one address, which the guard admits, as those of destinations are. */
  readonly createPost: (options: Pick<PostOptions, 'url' | 'timeoutMs'>) => ReturnType<typeof createPost>;
  /** Signs as Standard Webhooks does. */
  readonly createSigner: (
    secrets: readonly string[],
  ) => (message: { readonly id: string; readonly timestamp: number; readonly body: Uint8Array }) => string;
  /** Of one attempt, in milliseconds. */
  readonly timeoutMs: number;
}

/** Kind of channel: its settings, and how it is opened from them. */
export interface ChannelKind<Forms extends z.ZodRawShape> {
  readonly forms: Forms;
  /** Each with the key of the setting that it concerns. */
  rules(given: z.output<z.ZodObject<Forms>>): readonly Rule<keyof Forms & string>[];
  open(settings: NoInfer<z.output<z.ZodObject<Forms>>>, context: ChannelContext): OpenChannel;
  /** Without secrets. */
  place(settings: NoInfer<z.output<z.ZodObject<Forms>>>): string;
}

export const defineChannel = <Forms extends z.ZodRawShape>(kind: ChannelKind<Forms>): ChannelKind<Forms> => kind;
