import { userInfo } from 'node:os';
import { loadConfig } from '../config/config.ts';
import { createAdminClient } from './admin/client.ts';
import { createAdminCommand } from './admin/commands.ts';
import { runCommand } from './command.ts';

/** `npm run admin`. */
const client = createAdminClient(() => {
  // A machine that only administers Dockline does not have the rest of its configuration.
  const env = Object.entries(process.env).filter(([name]) => name.startsWith('ADMIN_') && name !== 'ADMIN_HOST');
  const { ADMIN_URL, ADMIN_PORT, ADMIN_TOKEN: token } = loadConfig(Object.fromEntries(env));
  return { url: ADMIN_URL ?? `http://127.0.0.1:${ADMIN_PORT}`, token, operator: userInfo().username };
});

await runCommand(createAdminCommand(client, (text) => process.stdout.write(`${text}\n`)));
