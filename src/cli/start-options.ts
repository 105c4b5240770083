import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type Role, roles } from '../app/roles.ts';

/** What the command line asks for. */
export interface Options {
  /** How many orders the simulated warehouse makes up. */
  readonly orders: number;
  /** End when every order is through, rather than stay up. */
  readonly untilDone: boolean;
  /** Print one JSON object as the last line; progress goes to standard error. */
  readonly json: boolean;
  /** What this process does; everything by default. */
  readonly roles: readonly Role[];
  readonly help: boolean;
}

/** What `--help` prints. */
export const usage = `Usage: npm start -- [options]

  --orders N     how many orders the simulated warehouse makes up (default 25)
  --until-done   end when every order is through; exit 0 only if all is well
  --json         print one JSON object as the last line
  --role ROLE    do only this: webhook, dispatcher, worker or admin; may be given several times. Other processes do the rest,
                 on the same DATABASE_URL and TEMPORAL_ADDRESS
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
      role: { type: 'string', multiple: true, default: [...roles] },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const orders = ordersSchema.safeParse(values.orders);
  if (!orders.success) throw new Error('--orders must be a whole number from 1 to 100000');
  const role = z.array(z.enum(roles)).safeParse(values.role);
  if (!role.success) throw new Error(`--role must be one of ${roles.join(', ')}`);
  return {
    orders: orders.data,
    untilDone: values['until-done'],
    json: values.json,
    roles: role.data,
    help: values.help,
  };
}
