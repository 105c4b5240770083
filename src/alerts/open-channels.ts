import { randomUUID } from 'node:crypto';
import { messageOf } from '../domain/errors.ts';
import type { Reach } from '../http/post.ts';
import type { Channel } from './channels/kind.ts';
import { channelKindOf } from './channels/kinds.ts';
import { composeTest } from './message.ts';
import type { AlertSettings } from './settings.ts';

export type OpenChannels = ReturnType<typeof openChannels>;

export function openChannels(channels: AlertSettings['channels'], reach: Reach, boardUrl: () => string) {
  const open = channels.map((settings) => {
    const channel = channelKindOf(settings.kind).open(settings, reach);
    return { settings, channel, test: () => test(settings.name, channel, boardUrl()) };
  });
  return {
    open,
    boardUrl,
    async close() {
      await Promise.all(open.map(({ channel }) => channel.close()));
    },
  };
}

async function test(name: string, channel: Channel, boardUrl: string) {
  const startedAt = performance.now();
  const message = composeTest({ id: randomUUID(), at: Date.now(), boardUrl });
  const [isDelivered, detail] = await channel.send(message).then(
    (answer) => [true, answer] as const,
    (error: unknown) => [false, messageOf(error)] as const,
  );
  return { channel: name, isDelivered, detail, ms: Math.round(performance.now() - startedAt) };
}

export const describeChannel = (settings: AlertSettings['channels'][number]): string =>
  `${settings.kind} ${settings.name}, to ${channelKindOf(settings.kind).place(settings)}`;
