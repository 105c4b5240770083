import { loadConfig } from '../config/config.ts';
import { createAdminClient } from './admin/client.ts';
import { runAdminCommand } from './admin/commands.ts';
import { parseAdminOptions, UsageError, usage } from './admin/options.ts';

/** `npm run admin`: what operators ask of a running Dockline, and have it do. */
try {
  const { command, json, ...asked } = parseAdminOptions(process.argv.slice(2));
  if (command === undefined) process.stdout.write(`${usage}\n`);
  else {
    // Whoever administers from elsewhere need not have the rest of the configuration.
    const env = Object.entries(process.env).filter(([name]) => name.startsWith('ADMIN_') && name !== 'ADMIN_HOST');
    const { ADMIN_URL, ADMIN_PORT, ADMIN_TOKEN: token } = loadConfig(Object.fromEntries(env));
    const client = createAdminClient({ url: ADMIN_URL ?? `http://127.0.0.1:${ADMIN_PORT}`, token });
    const { answer, text } = await runAdminCommand(command, asked, client);
    process.stdout.write(`${json ? JSON.stringify(answer) : text}\n`);
  }
} catch (error) {
  process.stderr.write(`dockline: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
