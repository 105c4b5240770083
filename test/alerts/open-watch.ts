import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createWatch } from '../../src/alerts/watch.ts';
import { openAlertChannels } from '../../src/app/health.ts';
import type { Store } from '../../src/app/store.ts';
import type { Logger } from '../../src/base/logger.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { Machine } from '../../src/health/sources.ts';
import { writeTemporary } from '../config/temporary-text.ts';
import { openTestHealth, soundMachine } from '../health/sound-machine.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

/** Lines of a channel that is a signed webhook. */
export const webhookTo = (name: string, url: string, ...more: readonly string[]): string =>
  [`    - name: ${name}`, 'kind: webhook', `url: ${url}`, `secret: ${SECRET}`, ...more].join('\n      ');

/** Opens what looks for what is wrong, over a store, with channels in the words of the file. Returns a round of it. */
export function openWatch(
  store: Store,
  channels: readonly string[],
  machine: Partial<Machine> = {},
  logger: Pick<Logger, 'warn' | 'info' | 'error'> = pino({ level: 'silent' }),
) {
  const config = loadConfig({
    CONFIG_FILE: writeTemporary(`alerts:\n  boardUrl: https://board.test/\n  channels:\n${channels.join('\n')}\n`),
  });
  if (!config.alerts) throw new Error('There are no alerts.');
  const open = openAlertChannels(config, config.alerts);
  onTestFinished(() => open.close());
  const round = createWatch({
    alerts: store.alerts,
    reads: store.reads,
    now: store.now,
    settings: config.alerts,
    channels: open,
    health: openTestHealth(store, { ...soundMachine, ...machine }, logger),
    timeZone: 'UTC',
    logger,
  });
  return { round, channels: open };
}
