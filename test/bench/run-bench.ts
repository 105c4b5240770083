import { whyNoPostgres } from '../faults/database.ts';
import { openArena } from './arena.ts';
import { startContender } from './contenders.ts';
import { measureCost } from './cost.ts';
import { endToEndOf, p99Of } from './end-to-end.ts';
import type { Extent, Section } from './extent.ts';
import { measureGrowth } from './growth.ts';
import { measureHostile } from './hostile.ts';
import { measureIntake } from './intake.ts';
import type { Verdict } from './ledger.ts';
import { machine } from './machine.ts';
import { measureMemory } from './memory.ts';
import { measureModes } from './modes.ts';
import { quietOf } from './quiet.ts';
import type { HostileResult, Integration, MemoryResult, Results, Visit } from './results.ts';
import { measureSlowWarehouse } from './slow-warehouse.ts';
import { watchStolenTime } from './stolen-time.ts';
import { naming, type Surroundings } from './surroundings.ts';
import { isPlanned, planOf, visit } from './visit.ts';
import { createWorkload, steps } from './workload.ts';

/** What is measured, and with what. */
export interface BenchOptions extends Omit<Surroundings, 'hasPostgres'> {
  readonly sections: ReadonlySet<Section>;
  readonly extent: Extent;
  /** End to end and quietly, PostgreSQL takes no part, and the figures are rough. */
  readonly quick: boolean;
}

/** Measures every chosen part, one after the other. Rejects with what failed, and once the signal is aborted. */
export async function runBench({ sections, extent, quick, ...options }: BenchOptions): Promise<Results> {
  const surroundings = await look(options);
  const { say } = surroundings;
  const stolenShare = watchStolenTime();
  const measure = <T>(section: Section, run: () => Promise<T>): Promise<T | null> =>
    sections.has(section) ? naming(section, run) : Promise.resolve(null);

  const intake = await measure('intake', () => measureIntake(surroundings, extent));
  const visits = await visitAll({ ...surroundings, extent, hasPostgres: surroundings.hasPostgres && !quick }, sections);
  const cost = await measure('cost', () => measureCost(surroundings, extent));
  const modes = await measure('modes', () => measureModes(surroundings, extent));
  const slow = await measure('slowWarehouse', () => measureSlowWarehouse(surroundings, extent.slowOrders));
  const growth = await measure('growth', () => measureGrowth({ ...surroundings, ...extent.growth }));
  const memory = await measure('memory', () => runMemory(surroundings, extent));
  const hostile = await measure('hostile', () => runHostile(surroundings, extent));
  say('');
  return {
    ...{ quick, machine: machine(stolenShare()) },
    workload: { orders: extent.orders, events: extent.orders * steps.length, rounds: extent.rounds },
    intake: intake && { ...intake, p99Ms: p99Of(visits) },
    endToEnd: sections.has('endToEnd') ? endToEndOf(visits) : null,
    cost: cost?.result ?? null,
    quiet: sections.has('quiet') ? quietOf(visits) : null,
    modes: modes?.result ?? null,
    slowWarehouse: slow?.result ?? null,
    ...{ growth, memory, hostile },
    ...total([
      ...visits.filter(isOurs).map(({ verdict }) => verdict),
      ...[cost, modes].flatMap((part) => part?.verdicts ?? []),
      ...(slow ? [slow.verdict] : []),
    ]),
  };
}

async function look(options: Omit<Surroundings, 'hasPostgres'>): Promise<Surroundings> {
  const reason = await whyNoPostgres(options.postgresServer);
  if (reason !== undefined) options.say(`PostgreSQL is left out: ${reason}`);
  const say = (line: string) => {
    // Every part tells how far it is: there it ends, whatever it is about.
    options.signal.throwIfAborted();
    options.say(line);
  };
  return { ...options, say, hasPostgres: reason === undefined };
}

/** The textbook loses the order by itself, which is not ours to answer for. */
const isOurs = ({ integration }: Visit): boolean => integration !== 'textbook';

const total = (verdicts: readonly Verdict[]): Verdict => ({
  lost: verdicts.reduce((sum, { lost }) => sum + lost, 0),
  duplicates: verdicts.reduce((sum, { duplicates }) => sum + duplicates, 0),
  outOfOrder: verdicts.reduce((sum, { outOfOrder }) => sum + outOfOrder, 0),
});

async function visitAll(
  options: Surroundings & { readonly extent: Extent },
  sections: ReadonlySet<Section>,
): Promise<readonly Visit[]> {
  const all: readonly Integration[] = ['textbook', 'sqlite', ...(options.hasPostgres ? (['postgres'] as const) : [])];
  const plan = planOf(sections);
  const planned = isPlanned(plan) ? all : [];
  const { rounds } = options.extent;
  const visits: Visit[] = [];
  for (let round = 1; round <= rounds && planned.length > 0; round += 1) {
    options.say(`round ${round} of ${rounds}`);
    // Whoever comes first finds another machine than the last.
    for (const one of round % 2 === 1 ? planned : planned.toReversed())
      visits.push(await naming(one, () => visit(one, plan, options)));
  }
  return visits;
}

async function runMemory(surroundings: Surroundings, { memory }: Extent): Promise<MemoryResult | null> {
  if (surroundings.hasPostgres) return await measureMemory({ ...surroundings, ...memory });
  surroundings.say('memory is left out: it is measured on PostgreSQL');
  return null;
}

async function runHostile(surroundings: Surroundings, { hostile }: Extent): Promise<HostileResult> {
  await using opened = new AsyncDisposableStack();
  const arena = await openArena(opened);
  const { webhookUrl } = await startContender('sqliteWebhook', { ...surroundings, arena }, opened);
  const { privateKey } = arena.warehouse;
  const { orders } = createWorkload({ privateKey });
  return await measureHostile({ ...hostile, webhookUrl, privateKey, orders, say: surroundings.say });
}
