import { composeMessage } from '../../src/alerts/message.ts';
import { openAlertChannels } from '../../src/app/health.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { News } from '../../src/domain/health/alert.ts';
import { toIncident } from '../../src/domain/health/incident.ts';
import { writeTemporary } from '../config/temporary-text.ts';

const newsOf = (about: string, because: string): News => ({
  change: 'opened',
  alert: {
    finding: {
      ...toIncident(
        'destination-stopped',
        {
          place: '9104/hub',
          title: `Dockline has stopped sending to destination ${about}`,
          ended: `Dockline sends to destination ${about} again`,
          since: Date.UTC(2026, 1, 11, 12),
          because,
          path: '/board/destinations/9104/hub',
        },
        0,
      ),
      count: 28,
      unit: 'announcement',
      customers: [{ id: '418', name: 'Cobalt', count: 28 }],
    },
    phase: 'open',
    since: 0,
    goneSince: null,
    most: 28,
    notified: {},
  },
});

/** A message about a destination that was stopped. */
export const message = composeMessage([newsOf('hub of warehouse 9104', 'it answered <410> & *gone* @all')], {
  id: 'a-message',
  at: Date.UTC(2026, 1, 11, 12, 25),
  boardUrl: 'https://board.test',
  timeZone: 'America/Chicago',
});

/** Opens one channel by its settings, in the words of the file. */
export function openOne(...settings: readonly string[]) {
  return openWithin(2000, ...settings);
}

/** Opens one channel by its settings, with the timeout of an answer in milliseconds. */
export function openWithin(timeoutMs: number, ...settings: readonly string[]) {
  const lines = settings.map((line) => `      ${line}\n`).join('');
  const config = loadConfig({ CONFIG_FILE: writeTemporary(`alerts:\n  channels:\n    - name: ops\n${lines}`) });
  const channels = openAlertChannels(config, config.alerts ?? { channels: [] }, { timeoutMs });
  const [first] = channels.open;
  if (!first) throw new Error('There is no channel.');
  return { send: () => first.channel.send(message), test: first.test };
}
