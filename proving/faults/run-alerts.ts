import { setTimeout as pause } from 'node:timers/promises';
import { createStream } from '../../sandbox/simulator/random.ts';
import { formatTable } from '../../src/base/text.ts';
import { type ConditionName, factsOf } from '../../src/domain/health/condition.ts';
import { FaultError } from './fault.ts';
import { openFixture } from './fixture/fixture.ts';
import type { Told } from './fixture/people.ts';
import type { FaultRun, FaultRunOptions } from './run-fault.ts';

/** Condition of which people were told in an outage, and the seconds from its begin and from its end until they were. */
export interface SeenAlert {
  readonly condition: ConditionName;
  readonly outage: string;
  readonly toldAfter?: number;
  readonly overAfter?: number;
}

/** Result of an outage: what people were told, and why it failed. */
export interface AlertsOutcome {
  readonly seen: readonly SeenAlert[];
  readonly problem?: string;
}

const STEP_WITHIN_MS = 360_000;
const POLL_MS = 500;
const RETRY_INTERVAL_MS = 2_000;

/** Time of more than two looks for what is wrong, in milliseconds. */
const LOOKS_MS = 35_000;

/** Runs an outage until people were told of its conditions, ends it, and waits until they were told of the end. Rejects only if the signal is aborted. */
export async function runAlerts({ fault, database }: FaultRun, options: FaultRunOptions): Promise<AlertsOutcome> {
  const { seed, signal } = options;
  const { told: conditions = [], name } = fault;
  const outage = `${name}/${database}`;
  const say = (line: string) => options.say(`${name} on ${database}: ${line}`);
  const moments = createStream(seed, `alerts of ${name} on ${database}`);
  const seen = new Map(conditions.map((condition): [ConditionName, SeenAlert] => [condition, { condition, outage }]));
  await using opened = new AsyncDisposableStack();
  try {
    say('starting');
    // Three intervals of sweeps are awaited.
    const settings = { RECONCILE_EVERY_MS: '20000' };
    const given = { ...options, fault, database, moments, settings, retryIntervalMs: RETRY_INTERVAL_MS };
    const fixture = await openFixture(given, opened);
    const { told = () => [] } = fixture.people ?? {};
    /** Waits until people have news of each condition, and notes the seconds that it took. */
    const each = async (figure: 'toldAfter' | 'overAfter', isNews: (news: readonly Told[]) => boolean) => {
      const since = Date.now();
      const left = new Set(conditions);
      while (left.size > 0) {
        for (const condition of left) {
          const news = told().filter(isOf(condition));
          if (!isNews(news)) continue;
          left.delete(condition);
          const after = Math.round((Date.now() - since) / 1000);
          seen.set(condition, { ...(seen.get(condition) as SeenAlert), [figure]: after });
          say(`after ${after} s: ${news.at(-1)?.text}`);
        }
        if (Date.now() - since > STEP_WITHIN_MS) throw new FaultError(`nobody was told: ${[...left].join(', ')}`);
        await pause(POLL_MS, undefined, { signal });
      }
    };
    let over: Promise<void> = Promise.resolve();
    await fault.run({
      ...options,
      fixture,
      moments,
      say,
      untilHealthy: () => pause(LOOKS_MS, undefined, { signal }),
      async endure() {
        await each('toldAfter', (news) => news.some(({ change }) => change === 'opened'));
        // From now on, because the load takes its time to end.
        over = each('overAfter', (news) => news.at(-1)?.change === 'over');
        over.catch(() => {});
      },
      settle: () => over,
    });
    await pause(LOOKS_MS, undefined, { signal });
    for (const condition of conditions) expectOnce(condition, told().filter(isOf(condition)));
    return { seen: [...seen.values()] };
  } catch (error) {
    signal.throwIfAborted();
    say(`FAILED: ${(error as Error).message}`);
    return { seen: [...seen.values()], problem: `${outage}: ${(error as Error).message}` };
  }
}

/** Recognizes news of a condition, or of what it has become, such as 429 that turns into no answer. */
function isOf(name: ConditionName): (told: Told) => boolean {
  const { family } = factsOf(name);
  return ({ condition }) => condition === name || (family !== undefined && factsOf(condition).family === family);
}

/** Throws unless people were told once for each place, and once of its end there; what has grown or become something else may come between. */
function expectOnce(condition: ConditionName, all: readonly Told[]): void {
  for (const [place, news] of Map.groupBy(all, (it) => it.place)) {
    const changes = news.map(({ change }) => change);
    if (changes.filter((change) => change !== 'grew' && change !== 'changed').join() !== 'opened,over')
      throw new FaultError(`people were told of ${condition} at ${place}: ${changes.join(', ')}`);
  }
}

/** Formats the outcomes as a table, and the verdict as the last line. */
export function reportAlerts(outcomes: readonly AlertsOutcome[]): string {
  const time = (seconds: number | undefined) => (seconds === undefined ? 'never' : `${seconds} s`);
  const rows = outcomes
    .flatMap(({ seen }) => seen)
    .map((it) => [it.condition, it.outage, time(it.toldAfter), time(it.overAfter)]);
  const problems = outcomes.flatMap(({ problem }) => problem ?? []);
  const verdict =
    problems.length === 0
      ? 'People were told of everything once, and once of its end.'
      : `FAILED: ${problems.join('; ')}`;
  return [formatTable([['condition', 'outage', 'told after', 'over after'], ...rows]), '', verdict].join('\n');
}
