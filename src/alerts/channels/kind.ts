import type { z } from 'zod';
import type { Rule } from '../../forms/section.ts';
import type { Reach } from '../../http/post.ts';
import type { Message } from '../message.ts';

export interface Channel {
  /** Resolves with the channel's answer once the message is confirmed; rejects in the channel's words, also after too long or at a stop. */
  send(message: Message, stop?: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

export interface ChannelKind<Forms extends z.ZodRawShape> {
  readonly forms: Forms;
  rules(given: z.output<z.ZodObject<Forms>>): readonly Rule<keyof Forms & string>[];
  open(settings: NoInfer<z.output<z.ZodObject<Forms>>>, reach: Reach): Channel;
}

export const defineChannel = <Forms extends z.ZodRawShape>(kind: ChannelKind<Forms>): ChannelKind<Forms> => kind;
