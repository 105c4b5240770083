import { CommanderError } from 'commander';

/** 1 is the exit code of a failure. */
export const USAGE_EXIT_CODE = 2;

/** The message is for the user. */
export class UsageError extends CommanderError {
  constructor(message: string) {
    super(USAGE_EXIT_CODE, 'dockline.usage', message);
  }
}
