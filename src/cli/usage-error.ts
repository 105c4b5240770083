import { CommanderError } from 'commander';

export const USAGE_EXIT_CODE = 2;

export class UsageError extends CommanderError {
  constructor(message: string) {
    super(USAGE_EXIT_CODE, 'dockline.usage', message);
  }
}
