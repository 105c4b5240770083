import { createAdminClient, readTarget } from './admin/client.ts';
import { createAdminCommand } from './admin/commands.ts';
import { runCommand } from './command.ts';

/** `npm run admin`. */
const client = createAdminClient(() => readTarget(process.env));

await runCommand(createAdminCommand(client, process.stdout));
