import type { BenchOptions } from '../bench-options.ts';
import type { ContenderOptions, Environment } from '../fixture.ts';
import { textbook } from '../others.ts';
import { format } from '../statistics.ts';
import { costOf } from './cost.ts';
import {
  type ComparisonResults,
  type Contender,
  compare,
  contenders,
  type Run,
  type Situation,
  situations,
} from './rows.ts';
import { openSystem, type System } from './system.ts';

type Options = Pick<BenchOptions, 'sections' | 'scale' | 'quick'>;

/** Measurements of one contender. */
interface Plan {
  readonly situations: readonly Situation[];
  readonly latency: boolean;
  readonly cost: boolean;
}

/** Measures throughput, idle latency and cost of each contender, once a round, each time on a fresh system. */
export async function measureComparison(environment: Environment, options: Options): Promise<ComparisonResults> {
  const { scale } = options;
  const { postgresServer, say } = environment;
  const planned = contenders
    .filter(({ integration }) => integration !== 'postgres' || postgresServer !== undefined)
    .map((contender) => ({ contender, plan: planOf(contender, options) }))
    .filter(({ plan }) => plan.situations.length > 0 || plan.latency);
  const runs: Run[] = [];
  for (let round = 1; round <= scale.rounds && planned.length > 0; round += 1) {
    // Alternates the order, since the first finds another machine than the last.
    for (const { contender, plan } of round % 2 === 1 ? planned : planned.toReversed()) {
      say(`comparison, round ${round} of ${scale.rounds}: ${nameOf(contender)}`);
      runs.push({ ...contender, ...(await measureOnce(contender, plan, { environment, scale })) });
    }
  }
  return compare(runs);
}

/** Plans a contender: a quick run leaves out PostgreSQL, slow counterparts and, but for their cost, regular activities. */
export function planOf({ integration, mode }: Contender, { sections, quick }: Omit<Options, 'scale'>): Plan {
  const isCompared = !quick || (integration !== 'postgres' && mode !== 'regular');
  const cost = sections.has('cost') && integration === 'sqlite';
  const isFast = ({ getMs }: Situation) => getMs === 0;
  return {
    situations:
      isCompared && sections.has('comparison')
        ? situations.filter((situation) => !quick || isFast(situation))
        : situations.filter((situation) => cost && isFast(situation) && situation.pattern === 'burst'),
    latency: cost || (isCompared && sections.has('latency')),
    cost,
  };
}

async function measureOnce(
  contender: Contender,
  plan: Plan,
  { environment, scale }: { readonly environment: Environment; readonly scale: Options['scale'] },
): Promise<Omit<Run, keyof Contender>> {
  const { say } = environment;
  await using opened = new AsyncDisposableStack();
  const system = await openSystem(startOptionsOf(contender), environment, opened);
  await system.load('16', Math.ceil(scale.orders * 0.6));
  const loads: (Situation & Awaited<ReturnType<System['load']>>)[] = [];
  for (const situation of plan.situations) {
    system.slowDown(situation);
    const load = await system.load(situation.pattern, scale.orders);
    loads.push({ ...situation, ...load });
    say(`  ${inWords(situation)}: ${format(load.eventsPerSecond)} events per second, p99 ${format(load.p99Ms)} ms`);
  }
  system.slowDown({ getMs: 0, destinationMs: 0 });
  const idle = plan.latency ? await system.trickle(scale.idleOrders) : undefined;
  if (idle) say(`  idle: ${format(idle.latencyMs)} ms`);
  const burst = loads.find(({ pattern }) => pattern === 'burst');
  const cost =
    plan.cost && idle && burst
      ? { 'one by one': await costOf(system, idle), burst: await costOf(system, burst) }
      : undefined;
  const verdict = system.verdict();
  say(`  ${verdict.lost} lost, ${verdict.duplicates} duplicates, ${verdict.outOfOrder} out of order`);
  return { loads, ...(idle && { latencyMs: idle.latencyMs }), ...(cost && { cost }), verdict };
}

const startOptionsOf = ({ integration, mode }: Contender): ContenderOptions => ({
  ...(integration === 'textbook' && textbook),
  database: integration === 'postgres' ? 'postgres' : 'sqlite',
  isPatient: integration !== 'textbook',
  env: mode ? { TEMPORAL_ACTIVITIES: mode } : {},
});

const inWords = ({ getMs, destinationMs, pattern }: Situation): string =>
  `GET ${getMs} ms, destination ${destinationMs} ms, ${pattern === 'burst' ? 'burst' : `${pattern} at a time`}`;

/** Returns a contender's name. */
export function nameOf({ integration, mode }: Contender): string {
  if (integration === 'textbook') return 'textbook';
  return `Dockline on ${integration === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, ${mode}`;
}
