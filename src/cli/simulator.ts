import { sandbox } from '../../sandbox/entry.ts';
import { loadConfig } from '../config/config.ts';
import { SIMULATED_TENANT } from '../config/tenants/tenant.ts';
import { CONFIGURATION_HELP, createCommand, openStopSignal, UsageError } from './command.ts';

const { describeFaults } = await sandbox.faults();
const { describeManners } = await sandbox.manners();
const { everyWebhookRecord, isAllowedDestination } = await sandbox.webhookRecords();

export const command = createCommand('dockline simulator', 'Runs only the simulated warehouse, to develop against.')
  .addHelpText(
    'after',
    `\nManners (SIMULATOR_MANNERS=name=value,… or PUT /simulator/manners):\n${describeManners()}\n\nFaults (PUT /simulator/faults):\n${describeFaults()}\n${CONFIGURATION_HELP}`,
  )
  .option('--webhook <url>', 'send every event to this address from the start')
  .action(async ({ webhook }: { readonly webhook?: string }) => {
    if (webhook !== undefined && !isAllowedDestination(webhook))
      throw new UsageError('--webhook must be an address with https, or with http on this machine');
    const { startWarehouse } = await sandbox.embedded();
    const simulator = await startWarehouse(loadConfig(process.env));
    // Before it says that it listens: whoever reads that may stop it.
    const stop = openStopSignal('Stopping');
    stop.addEventListener('abort', () => void simulator.close().then(() => process.stderr.write('Stopped.\n')));
    if (webhook !== undefined) simulator.setWebhooks(everyWebhookRecord(webhook));
    const { clientId, clientSecret, userLogin } = simulator.credentials;
    process.stdout.write(`The simulated warehouse listens at ${simulator.baseUrl}. Press Ctrl-C to stop it.

Credentials:
  WAREHOUSE_BASE_URL=${simulator.baseUrl}
  WAREHOUSE_AUTH_URL=${simulator.authUrl}
  WAREHOUSE_CLIENT_ID=${clientId}
  WAREHOUSE_CLIENT_SECRET=${clientSecret}
  WAREHOUSE_USER_LOGIN=${userLogin}
  WAREHOUSE_TENANT=${SIMULATED_TENANT}

${webhook === undefined ? '--webhook <url> sends every event there; PUT /simulator/webhooks chooses them.' : `Every event goes to ${webhook}.`} POST /simulator/play plays scenarios. See docs/simulator.md for the other endpoints.
`);
  });
