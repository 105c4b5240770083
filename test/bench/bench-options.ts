import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type Extent, full, quick, quickSections, type Section, sections } from './extent.ts';

/** What the command line asks for. */
export interface BenchCommandOptions {
  readonly sections: ReadonlySet<Section>;
  readonly extent: Extent;
  readonly quick: boolean;
  /** Where a picture of the results is written. */
  readonly svg?: string;
  /** Print one JSON object as the last line; progress goes to standard error. */
  readonly json: boolean;
  readonly help: boolean;
}

/** What `--help` prints. */
export const usage = `Usage: npm run bench -- [options]

Measures Dockline against bare Fastify and against a textbook integration on the same machine, and compares the figures with
goals. Exits with 0 only if Dockline lost nothing, announced nothing twice and kept the order; a goal that is missed is told of.

  --quick          rough figures within a minute: 40 orders, one round, and ${quickSections.join(', ')} alone
  --only SECTION   only this part; may be given several times:
                   ${sections.join(', ')}
  --orders N       how many orders are sent with each pattern (default ${full.orders}; ${full.modes.orders} in modes)
  --rounds N       how often everything is compared (default ${full.rounds})
  --svg FILE       draw the results into a file
  --json           print one JSON object as the last line, with what each round of modes gave: to compare two
                   versions, measure them in turn, a round each time
  --help           print this

DOCKLINE_TEST_DATABASE_URL is the PostgreSQL server to make databases on (default postgres://postgres@127.0.0.1:5432/postgres);
where there is none, PostgreSQL is left out.`;

/** Parses the command line. Throws an Error with a message for the user. */
export function parseBenchOptions(args: readonly string[]): BenchCommandOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      orders: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      svg: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const defaults = values.quick ? quick : full;
  const { json, help, svg } = values;
  const orders = read('orders', values.orders);
  return {
    sections: choose(values.only, values.quick),
    extent: {
      ...defaults,
      ...(orders !== undefined && { orders, modes: { ...defaults.modes, orders } }),
      rounds: read('rounds', values.rounds) ?? defaults.rounds,
    },
    ...{ quick: values.quick, json, help },
    ...(svg !== undefined && { svg }),
  };
}

const numberSchema = z.coerce.number().int().min(1).max(1_000_000);

function read(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const { success, data } = numberSchema.safeParse(text);
  if (!success) throw new Error(`--${name} must be a whole number from 1 to 1,000,000`);
  return data;
}

function choose(names: readonly string[], isQuick: boolean): ReadonlySet<Section> {
  const unknown = names.find((name) => !sections.some((section) => section === name));
  if (unknown !== undefined) throw new Error(`--only: there is no section ${unknown}, but ${sections.join(', ')}`);
  if (names.length === 0) return new Set(isQuick ? quickSections : sections);
  return new Set(sections.filter((section) => names.includes(section)));
}
