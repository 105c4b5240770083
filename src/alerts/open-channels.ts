import { randomUUID } from 'node:crypto';
import type { Reach } from '../http/post.ts';
import { channelKindOf } from './channels/kinds.ts';
import { composeTest } from './message.ts';
import type { AlertSettings } from './settings.ts';

export type OpenChannels = ReturnType<typeof openChannels>;

export function openChannels(channels: AlertSettings['channels'], reach: Reach, boardUrl: () => string) {
  const open = channels.map((settings) => {
    const channel = channelKindOf(settings.kind).open(settings, reach);
    return {
      settings,
      channel,
      test: () => channel.send(composeTest({ id: randomUUID(), at: Date.now(), boardUrl: boardUrl() })),
    };
  });
  return {
    open,
    boardUrl,
    async close() {
      await Promise.all(open.map(({ channel }) => channel.close()));
    },
  };
}
