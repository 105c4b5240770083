import type { z } from 'zod';
import type { Message } from '../message.ts';

/** Way to tell people. */
export interface Channel {
  /**
   * Resolves with the answer of the channel once it has confirmed the message; rejects with why it has not, in its own words, also once it
   * has taken too long or is to stop.
   */
  send(message: Message, stop?: AbortSignal): Promise<string>;
  /** Tells those who were to be told later, if it is time. */
  catchUp?(now: number, stop?: AbortSignal): Promise<void>;
}

/** Channel that holds connections. */
export interface OpenChannel extends Channel {
  close(): Promise<void>;
}

/** POST to one address, which the guard admits. It rejects unless it is answered with a 2xx. */
export interface Post extends AsyncDisposable {
  send(headers: Readonly<Record<string, string>>, body: Buffer, stop?: AbortSignal): Promise<string>;
}

/** Facts beyond its settings that a channel depends on. */
export interface ChannelContext {
  readonly openPost: (url: string) => Post;
  /** Creates the signature of Standard Webhooks by secrets. */
  readonly createSigner: (
    secrets: readonly string[],
  ) => (message: { readonly id: string; readonly timestamp: number; readonly body: Uint8Array }) => string;
  /** Timeout of one attempt, in milliseconds. */
  readonly timeoutMs: number;
}

/** Kind of channel: its settings, and how it is opened from them. */
export interface ChannelKind<Forms extends z.ZodRawShape> {
  /** Form of each setting, by its key. */
  readonly forms: Forms;
  /** Returns the rules that its settings have to keep, each with the key that it concerns. */
  rules(
    given: Readonly<Partial<z.output<z.ZodObject<Forms>>>>,
  ): readonly (readonly [isBroken: unknown, key: keyof Forms & string, problem: string])[];
  open(settings: NoInfer<z.output<z.ZodObject<Forms>>>, context: ChannelContext): OpenChannel;
  /** Names where it goes, without secrets. */
  place(settings: NoInfer<z.output<z.ZodObject<Forms>>>): string;
}

/** Infers the type of a kind. */
export const defineChannel = <Forms extends z.ZodRawShape>(kind: ChannelKind<Forms>): ChannelKind<Forms> => kind;
