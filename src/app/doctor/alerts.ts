import { describeChannel } from '../../alerts/open-channels.ts';
import type { Config } from '../../config/config.ts';
import { openAlertChannels } from '../alerts.ts';
import { failed, ok, type Reporter } from './check.ts';

export async function checkAlerts({ check, skip }: Reporter, config: Config, timeoutMs: number): Promise<void> {
  const { alerts } = config;
  if (!alerts) return skip('channels', 'test message', 'CONFIG_FILE has no alerts: nobody is notified of problems');
  const channels = openAlertChannels(config, alerts, { timeoutMs });
  try {
    for (const { settings } of channels.open)
      await check('channel', `test message by ${describeChannel(settings)}`, async () => {
        const { isDelivered, detail } = await channels.test(settings.name);
        return isDelivered
          ? ok(detail)
          : failed(detail, 'Compare its settings in CONFIG_FILE with what the channel expects.');
      });
  } finally {
    await channels.close();
  }
}
