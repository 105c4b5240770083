import { parseArgs } from 'node:util';
import { z } from 'zod';

/** What the command line asks for. */
export interface Options {
  /** How many orders the simulated warehouse makes up. */
  readonly orders: number;
  /** End when every order is through, rather than stay up. */
  readonly untilDone: boolean;
  /** Print one JSON object as the last line; progress goes to standard error. */
  readonly json: boolean;
  readonly help: boolean;
}

/** What `--help` prints. */
export const usage = `Usage: npm start -- [options]

  --orders N     how many orders the simulated warehouse makes up (default 25)
  --until-done   end when every order is through; exit 0 only if all is well
  --json         print one JSON object as the last line
  --help         print this

Settings are environment variables; .env.example lists them all.`;

const ordersSchema = z.coerce.number().int().min(1).max(100_000);

/** Parses the command line. Throws an Error with a message for the user. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      orders: { type: 'string', default: '25' },
      'until-done': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const orders = ordersSchema.safeParse(values.orders);
  if (!orders.success) throw new Error('--orders must be a whole number from 1 to 100000');
  return { orders: orders.data, untilDone: values['until-done'], json: values.json, help: values.help };
}
