import type { Command } from 'commander';
import { PAGE_LIMIT } from '../../admin/queries.ts';
import { numberOption } from '../command.ts';

/** Prints answers. */
export interface Show {
  /** Prints an answer: as JSON with `--json`, otherwise as described. */
  // biome-ignore lint/suspicious/noExplicitAny: each description declares the answer that it takes
  (answer: any, describe: (answer: any) => string): void;
  /** Prints bytes as they come. */
  pass(bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

/** Options as the API takes them. */
export type Query = Readonly<Record<string, unknown>>;

/** Adds the options of a list. */
export const paged = (command: Command): Command =>
  command
    .addOption(
      numberOption('--limit <number>', `number of rows, at most ${PAGE_LIMIT} (default: 100)`, { max: PAGE_LIMIT }),
    )
    .option('--after <place>', 'continue after the end of the previous page');

/** Writes `--since` as the API takes it. */
export const withIsoSince = ({ since, ...query }: Query & { readonly since?: number }): Query => ({
  ...query,
  ...(since !== undefined && { since: new Date(since).toISOString() }),
});
