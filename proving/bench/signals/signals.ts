import { openTemporal } from '../../../src/temporal/connection.ts';
import { countHistory } from '../comparison/cost.ts';
import { openSystem } from '../comparison/system.ts';
import type { Environment } from '../fixture.ts';
import { type Measured, mean, medianRatio, summarize } from '../statistics.ts';
import { steps, TENANT } from '../workload.ts';
import { startWaiting, taskQueue } from './waiting-worker.ts';

const ways = ['HTTP', 'signals'] as const;

type Way = (typeof ways)[number];

/** Figures of one kind of destination. */
export interface SignalsRow {
  readonly way: Way;
  /** Events per second from the first webhook until the receiver, or the waiting workflow, has the last announcement. */
  readonly eventsPerSecond: Measured;
  readonly toHttp: number | null;
  /** Processor time of Dockline and of Temporal's server per event, in milliseconds. */
  readonly processMs: Measured;
  readonly temporalMs: Measured;
  /** Billable actions of the waiting workflow per order; 0 for HTTP. */
  readonly actions: number;
  readonly lost: number;
  readonly duplicates: number;
  readonly outOfOrder: number;
}

type Figures = Readonly<
  Record<'eventsPerSecond' | 'processMs' | 'temporalMs' | 'actions' | 'lost' | 'duplicates' | 'outOfOrder', number>
>;

/** Measures a burst of orders for a receiver over HTTP, and for workflows that wait, one for each order. */
export async function measureSignals(
  { orders, rounds }: { readonly orders: number; readonly rounds: number },
  environment: Environment,
): Promise<readonly SignalsRow[]> {
  const figures: Record<Way, Figures[]> = { HTTP: [], signals: [] };
  for (let round = 1; round <= rounds; round += 1)
    for (const way of round % 2 === 1 ? ways : ways.toReversed()) {
      environment.say(`${orders} orders by ${way}, round ${round} of ${rounds}`);
      figures[way].push(await measureOnce(way, orders, environment));
    }
  return ways.map((way) => {
    const of = (figure: keyof Figures) => figures[way].map((it) => it[figure]);
    const total = (figure: keyof Figures) => of(figure).reduce((sum, value) => sum + value, 0);
    return {
      way,
      eventsPerSecond: summarize(of('eventsPerSecond')),
      toHttp: medianRatio(
        of('eventsPerSecond'),
        figures.HTTP.map(({ eventsPerSecond }) => eventsPerSecond),
      ),
      processMs: summarize(of('processMs')),
      temporalMs: summarize(of('temporalMs')),
      actions: mean(of('actions')),
      lost: total('lost'),
      duplicates: total('duplicates'),
      outOfOrder: total('outOfOrder'),
    };
  });
}

async function measureOnce(way: Way, orders: number, environment: Environment): Promise<Figures> {
  await using opened = new AsyncDisposableStack();
  const system = await openSystem(
    {
      settings: ({ temporalAddress }) =>
        way === 'HTTP'
          ? {}
          : {
              ANNOUNCE_URL: `temporal://${temporalAddress}/default`,
              ANNOUNCE_WORKFLOW_TYPE: 'waiting',
              ANNOUNCE_TASK_QUEUE: taskQueue,
            },
    },
    environment,
    opened,
  );
  const { temporalAddress, ledger } = system.fixture;
  if (way === 'signals') await startWaiting(temporalAddress, ledger.add, opened);
  await system.load('16', Math.ceil(orders * 0.3));
  const before = await system.processorTimes();
  const { eventsPerSecond, orderIds } = await system.load('burst', orders);
  const after = await system.processorTimes();
  const perEvent = (part: keyof typeof before) => (after[part] - before[part]) / (orders * steps.length);
  const actions = way === 'HTTP' ? 0 : await actionsOf(orderIds.slice(0, SAMPLE), temporalAddress);
  return {
    eventsPerSecond,
    processMs: perEvent('contender'),
    temporalMs: perEvent('temporal'),
    actions,
    ...system.verdict(),
  };
}

/** Workflows whose histories are read. */
const SAMPLE = 50;

async function actionsOf(orderIds: readonly string[], address: string): Promise<number> {
  const { client, close } = openTemporal({ address, namespace: 'default' });
  try {
    const read = async (id: string) => await client.workflow.getHandle(`order-${TENANT}-${id}`).fetchHistory();
    const histories = await Promise.all(orderIds.map(read));
    return mean(histories.map(({ events }) => countHistory(events ?? []).actions));
  } finally {
    await close();
  }
}
