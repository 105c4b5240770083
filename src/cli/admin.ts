import { createAdminClient, readTarget } from './admin/client.ts';
import { createAdminCommand } from './admin/commands.ts';
import { openTerminal } from './terminal.ts';

const isTerminal = process.stdin.isTTY && process.stdout.isTTY;

export const command = createAdminCommand(
  createAdminClient(() => readTarget(process.env)),
  process.stdout,
  isTerminal ? openTerminal() : undefined,
);
