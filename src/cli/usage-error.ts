import { CommanderError } from 'commander';

/** Exit code of an invalid command line; 1 is that of a failure. */
export const USAGE_EXIT_CODE = 2;

/** Invalid command line; the message is for the user. */
export class UsageError extends CommanderError {
  constructor(message: string) {
    super(USAGE_EXIT_CODE, 'dockline.usage', message);
  }
}
