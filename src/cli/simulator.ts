import { loadConfig } from '../config/config.ts';
import { startWarehouse } from '../sandbox/embedded.ts';

/** `npm run simulator`: the simulated warehouse alone, for whoever develops against it. */
try {
  const simulator = await startWarehouse(loadConfig(process.env));
  const { clientId, clientSecret, userLogin } = simulator.credentials;
  process.stdout.write(
    [
      `The simulated warehouse is at ${simulator.baseUrl}. Ctrl-C stops it.`,
      '',
      'Its credential:',
      `  WAREHOUSE_BASE_URL=${simulator.baseUrl}`,
      `  WAREHOUSE_AUTH_URL=${simulator.authUrl}`,
      `  WAREHOUSE_CLIENT_ID=${clientId}`,
      `  WAREHOUSE_CLIENT_SECRET=${clientSecret}`,
      `  WAREHOUSE_USER_LOGIN=${userLogin}`,
      '',
      'PUT /simulator/webhooks says who hears of events, POST /simulator/play lets lives be lived; the README has more.',
      '',
    ].join('\n'),
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close());
} catch (error) {
  process.stderr.write(`dockline: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
