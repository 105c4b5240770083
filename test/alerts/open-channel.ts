import { composeMessage } from '../../src/alerts/message.ts';
import { openChannels } from '../../src/app/alert-channels.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { News } from '../../src/domain/alerts/telling.ts';
import { writeTemporary } from '../config/temporary-text.ts';

const newsOf = (about: string, because: string): News => ({
  change: 'opened',
  alert: {
    finding: {
      condition: 'destination-stopped',
      about,
      count: 1,
      isMore: false,
      since: Date.UTC(2026, 1, 11, 12),
      because,
      path: '/board/destinations/9104/hub',
    },
    phase: 'open',
    since: 0,
    goneSince: null,
    told: {},
  },
});

/** A message about a destination that was stopped. */
export const message = composeMessage([newsOf('hub of warehouse 9104', 'it answered <410> & *gone*')], {
  id: 'a-message',
  at: Date.UTC(2026, 1, 11, 12, 25),
  boardUrl: 'https://board.test',
});

/** Opens one channel by its settings, in the words of the file. */
export function openOne(...settings: readonly string[]) {
  return openWithin(2000, ...settings);
}

/** Opens one channel by its settings, with the timeout of an answer in milliseconds. */
export function openWithin(timeoutMs: number, ...settings: readonly string[]) {
  const lines = settings.map((line) => `      ${line}\n`).join('');
  const config = loadConfig({ ALERTS_FILE: writeTemporary(`alerts:\n  channels:\n    - name: ops\n${lines}`) });
  const channels = openChannels(config, config.alerts ?? { channels: [] }, timeoutMs);
  return { channels, send: () => channels.open[0]?.channel.send(message) };
}
