import { createAdminClient, readTarget } from './admin/client.ts';
import { createAdminCommand } from './admin/commands.ts';

/** `dockline admin`. */
export const command = createAdminCommand(
  createAdminClient(() => readTarget(process.env)),
  process.stdout,
);
