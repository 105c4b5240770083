import { randomUUID } from 'node:crypto';
import type { createPost, PostOptions } from '../destinations/sending/post.ts';
import { messageOf } from '../domain/errors.ts';
import type { ChannelTest } from './alert-control.ts';
import type { ChannelContext, Post } from './channels/kind.ts';
import { channelKindOf, openChannel } from './channels/kinds.ts';
import { composeTest } from './message.ts';
import type { AlertSettings } from './settings.ts';

/** Timeout of one message, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Characters of an answer that an error has. */
const ANSWER = 300;

export type OpenChannels = ReturnType<typeof openChannels>;

interface ChannelDeps extends Pick<ChannelContext, 'createSigner'> {
  readonly boardUrl: string;
  /** Timeout of one message, in milliseconds. Default: ten seconds. */
  readonly timeoutMs?: number | undefined;
  readonly createPost: (options: Pick<PostOptions, 'url' | 'timeoutMs'>) => ReturnType<typeof createPost>;
}

/** Opens channels by their settings. */
export function openChannels(
  channels: AlertSettings['channels'],
  { boardUrl, timeoutMs = TIMEOUT_MS, createSigner, createPost }: ChannelDeps,
) {
  const openPost = (url: string) => toPost(createPost({ url, timeoutMs }), timeoutMs);
  const open = channels.map((settings) => ({
    settings,
    channel: openChannel(settings, { openPost, createSigner, timeoutMs }),
  }));

  async function test(name: string): Promise<ChannelTest> {
    const startedAt = performance.now();
    const found = open.find(({ settings }) => settings.name === name);
    const message = composeTest({ id: randomUUID(), at: Date.now(), boardUrl });
    const sent = found ? found.channel.send(message) : Promise.reject(new Error('there is no such channel'));
    const [isDelivered, detail] = await sent.then(
      (answer) => [true, answer] as const,
      (error: unknown) => [false, messageOf(error)] as const,
    );
    return { channel: name, isDelivered, detail, ms: Math.round(performance.now() - startedAt) };
  }

  return {
    open,
    boardUrl,
    names: channels.map(({ name }) => name),
    test,
    async close() {
      await Promise.all(open.map(({ channel }) => channel.close()));
    },
  };
}

/** Names a channel with where its messages go. */
export const describeChannel = (settings: AlertSettings['channels'][number]): string =>
  `${settings.kind} ${settings.name}, to ${channelKindOf(settings.kind).place(settings)}`;

function toPost({ name, post, close }: ReturnType<typeof createPost>, timeoutMs: number): Post {
  return {
    async send(headers, body, stop = new AbortController().signal) {
      const limits = { signal: stop, timeout: AbortSignal.timeout(timeoutMs) };
      const { status, exchange } = await post({ headers, body }, limits);
      const answer = Buffer.from(exchange.answer ?? '')
        .toString()
        .replaceAll(/\s+/g, ' ')
        .trim()
        .slice(0, ANSWER);
      const said = `answered ${status}${answer && `: ${answer}`}`;
      if (status >= 200 && status <= 299) return said;
      throw new Error(`${name} ${said}`);
    },
    [Symbol.asyncDispose]: close,
  };
}
