import { randomUUID } from 'node:crypto';
import { messageOf } from '../domain/errors.ts';
import type { Reach } from '../http/post.ts';
import { channelKindOf, openChannel } from './channels/kinds.ts';
import { composeTest } from './message.ts';
import type { AlertSettings } from './settings.ts';

export type OpenChannels = ReturnType<typeof openChannels>;

export function openChannels(channels: AlertSettings['channels'], reach: Reach, boardUrl: () => string) {
  const open = channels.map((settings) => ({ settings, channel: openChannel(settings, reach) }));

  async function test(name: string) {
    const startedAt = performance.now();
    const found = open.find(({ settings }) => settings.name === name);
    const message = composeTest({ id: randomUUID(), at: Date.now(), boardUrl: boardUrl() });
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

export const describeChannel = (settings: AlertSettings['channels'][number]): string =>
  `${settings.kind} ${settings.name}, to ${channelKindOf(settings.kind).place(settings)}`;
