import { randomUUID } from 'node:crypto';
import type { ChannelTest } from '../alerts/alert-control.ts';
import type { ChannelContext, Post } from '../alerts/channels/kind.ts';
import { channelKindOf, openChannel } from '../alerts/channels/kinds.ts';
import { composeTest } from '../alerts/message.ts';
import type { AlertSettings } from '../alerts/settings.ts';
import type { Config } from '../config/config.ts';
import { createPost } from '../destinations/sending/post.ts';
import { createSigner } from '../destinations/sending/signature.ts';
import { messageOf } from '../domain/errors.ts';

/** Timeout of one message, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Characters of an answer that an error has. */
const ANSWER = 300;

export type OpenChannels = ReturnType<typeof openChannels>;

/** Opens the channels of the configuration; addresses are reached as those of destinations are. */
export function openChannels(
  config: Config,
  { channels, boardUrl: given }: Pick<AlertSettings, 'channels' | 'boardUrl'>,
  timeoutMs = TIMEOUT_MS,
) {
  const context: ChannelContext = { openPost: (url) => openPost(url, config, timeoutMs), createSigner, timeoutMs };
  const open = channels.map((settings) => ({ settings, channel: openChannel(settings, context) }));
  const boardUrl = given ?? boardUrlOf(config);

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

/** Returns the address of the administrative API, which serves the board. */
const boardUrlOf = ({ ADMIN_URL, ADMIN_HOST, ADMIN_PORT }: Config): string =>
  ADMIN_URL?.replace(/\/+$/, '') ?? `http://${ADMIN_HOST}:${ADMIN_PORT}`;

function openPost(url: string, config: Config, timeoutMs: number): Post {
  const { ANNOUNCE_ALLOWED_ADDRESSES: allowedAddresses } = config;
  const { name, post, close } = createPost({ url, timeoutMs, allowedAddresses, proxies: config });
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
