import { formatTable } from '../../src/base/text.ts';
import type { AllowedRow } from './allowed/allowed.ts';
import type { BoardRow } from './board/board.ts';
import type { CostRow } from './cost/cost.ts';
import type { Verdict } from './ledger.ts';
import { format, type Measured } from './statistics.ts';
import type { SteadyRow } from './steady/steady.ts';

/** Results of a run, with the figures of each round; empty where nothing was measured. */
export interface Results extends Verdict {
  readonly quick: boolean;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGb: number;
    readonly node: string;
  };
  readonly workload: { readonly orders: number; readonly events: number; readonly rounds: number };
  readonly steady: readonly SteadyRow[];
  readonly cost: readonly CostRow[];
  readonly allowed: readonly AllowedRow[];
  readonly board: readonly BoardRow[];
}

/** Formats the results as tables, and the verdict as the last line. */
export function report(results: Results): string {
  const { steady, cost, allowed, board } = results;
  return [
    headingOf(results),
    table(
      [
        'single events, webhook to announcement, ms',
        'a second',
        'p50',
        'p99',
        'reached',
        'ms of a core per event',
        'of Temporal',
        'memory, MB',
        'lost, out of order',
      ],
      steady.map((row) => [
        row.name,
        format(row.perSecond),
        ...[row.p50Ms, row.p99Ms].map(range),
        ...[row.reached, row.processMs, row.temporalMs, row.memoryMb].map((it) => format(it.median)),
        [row.lost, row.outOfOrder].map(format).join(', '),
      ]),
    ),
    table(
      ['nothing happens, percent of a core', ...SPREAD],
      steady.filter(({ idle }) => idle !== null).map(({ name, idle }) => [name, ...spread(idle as Measured)]),
    ),
    table(
      ['cost of an order of six events', ...costColumns.map(([heading]) => heading)],
      cost.flatMap(({ mode, oneByOne, inBurst }) =>
        Object.entries({ 'one by one': oneByOne, 'in a burst': inBurst }).map(([sent, mean]) => [
          `${mode}, ${sent}`,
          ...costColumns.map(([, key]) => format(mean[key])),
        ]),
      ),
    ),
    table(
      [
        '5 GETs a second: s until all is announced',
        'orders',
        ...SPREAD,
        "to Dockline's",
        'least',
        'GETs',
        'least',
        'answered 429',
        'out of order',
        'lost',
      ],
      allowed.map(({ name, orders, limit, seconds, toDockline, gets, refused, outOfOrder, lost }) => [
        name,
        format(orders),
        ...spread(seconds),
        times(toDockline),
        format(limit.seconds),
        format(gets.median),
        format(limit.gets),
        format(refused),
        format(outOfOrder),
        format(lost),
      ]),
    ),
    table(
      ['p95 of the board, ms', ...board.map(({ database, subjects }) => `${database}, ${format(subjects)} subjects`)],
      (board[0]?.pages ?? []).map(({ path }, index) => [
        path,
        ...board.map(({ pages }) => format(pages[index]?.p95Ms ?? null)),
      ]),
    ),
    table(
      ['p99 of webhooks beside, ms', 'pages or items', 'without', ...SPREAD, 'ratio'],
      board.flatMap(({ database, aloneP99Ms, beside }) =>
        beside.map(({ name, done, p99Ms, ratio }) => [
          `${name}, ${database}`,
          format(done),
          format(aloneP99Ms.median),
          ...spread(p99Ms),
          times(ratio),
        ]),
      ),
    ),
    `Dockline: ${results.lost} lost, ${results.duplicates} duplicates, ${results.outOfOrder} out of order.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

const SPREAD = ['median', 'min–max'];

const spread = ({ median, min, max }: Measured): string[] => [format(median), `${format(min)}–${format(max)}`];

const range = ({ median, min, max }: Measured): string => `${format(median)} (${format(min)}–${format(max)})`;

const times = (ratio: number | null): string => (ratio === null ? '—' : `${format(ratio)}×`);

const table = (heading: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length > 0 ? formatTable([heading, ...rows]) : '';

const costColumns: readonly (readonly [heading: string, key: keyof CostRow['inBurst']])[] = [
  ['events', 'events'],
  ['bytes', 'bytes'],
  ['signals', 'signals'],
  ['workflow tasks', 'workflowTasks'],
  ['local activities', 'localActivities'],
  ['activities', 'activities'],
  ['upserts', 'upserts'],
  ['timers', 'timers'],
  ['actions', 'actions'],
  ['GETs per event', 'calls'],
  ['events a second', 'eventsPerSecond'],
];

function headingOf({ machine, workload, quick }: Results): string {
  const { cpu, cores, memoryGb, node } = machine;
  const { orders, events, rounds } = workload;
  return [
    `${cpu}, ${cores} cores, ${format(memoryGb)} GB, Node.js ${node}`,
    `${format(orders)} orders, ${format(events)} events, ${rounds === 1 ? 'one round' : `median of ${rounds} rounds`}${quick ? ' (quick: rough figures)' : ''}`,
  ].join('\n');
}
