import { loadConfig } from '../config/config.ts';
import { startWarehouse } from '../sandbox/embedded.ts';
import { describeFaults } from '../sandbox/simulator/api/faults.ts';
import { describeManners } from '../sandbox/simulator/manners.ts';
import { CONFIGURATION_HELP, createCommand, runCommand } from './command.ts';

/** `npm run simulator`. */
await runCommand(
  createCommand('npm run simulator --', 'Runs the simulated warehouse alone, for development against it.')
    .addHelpText(
      'after',
      `\nManners (SIMULATOR_MANNERS=name=value,… or PUT /simulator/manners):\n${describeManners()}\n\nFaults (PUT /simulator/faults):\n${describeFaults()}\n${CONFIGURATION_HELP}`,
    )
    .action(async () => {
      const simulator = await startWarehouse(loadConfig(process.env));
      const { clientId, clientSecret, userLogin } = simulator.credentials;
      process.stdout.write(`The simulated warehouse listens at ${simulator.baseUrl}. Press Ctrl-C to stop it.

Credentials:
  WAREHOUSE_BASE_URL=${simulator.baseUrl}
  WAREHOUSE_AUTH_URL=${simulator.authUrl}
  WAREHOUSE_CLIENT_ID=${clientId}
  WAREHOUSE_CLIENT_SECRET=${clientSecret}
  WAREHOUSE_USER_LOGIN=${userLogin}

PUT /simulator/webhooks sets the webhooks; POST /simulator/play plays scenarios. See docs/simulator.md for the other endpoints.
`);
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close());
    }),
);
