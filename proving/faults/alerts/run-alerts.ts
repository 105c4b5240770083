import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createStream } from '../../../sandbox/simulator/random.ts';
import { factsOf } from '../../../src/domain/health/condition.ts';
import { ruleOf } from '../../../tools/rules/rules.ts';
import { type FaultContext, FaultError } from '../fault.ts';
import { type Fixture, openFixture } from '../fixture/fixture.ts';
import { AWAY_MS } from '../fixture/people.ts';
import { findPorts } from '../fixture/ports.ts';
import type { FaultRun, FaultRunOptions } from '../run-fault.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';
import { readRules, rulesFile, scaleRules } from './rules.ts';
import { expectNoMore, isEvent, type Signal, signalOfPeople, signalOfPrometheus } from './signals.ts';

/** Alert as it was seen in an outage: of Prometheus, or a condition that people were told of. */
export interface SeenAlert {
  readonly alert: string;
  readonly outage: string;
  /** Seconds from the begin of the outage until it fired, and from the end until it had cleared. */
  readonly firedAfter?: number;
  readonly clearedAfter?: number;
  /** Summary of the alert that fired, or what people were told. */
  readonly summary?: string;
}

/** Result of an outage: what was seen of its alerts, and why it failed. */
export interface AlertsOutcome {
  readonly seen: readonly SeenAlert[];
  readonly problem?: string;
}

/** Settings that make hours seconds, as the scaled rules expect: the interval of sweeps, and how long announcements are retried. */
const settings = { RECONCILE_EVERY_MS: '20000', ANNOUNCE_FOR_MS: '30000' };

/** Time for each step: the slowest alert needs three scaled hours and the age of what the process has read. */
const STEP_WITHIN_MS = 360_000;
const POLL_MS = 500;
const RETRY_INTERVAL_MS = 2_000;

/** Runs an outage until its alerts fire, ends it, and waits until they have cleared. Rejects only if the signal is aborted. */
export async function runAlerts({ fault, database }: FaultRun, options: FaultRunOptions): Promise<AlertsOutcome> {
  const { told = [], name } = fault;
  // Each condition that people are told of has a rule of Prometheus, too.
  const lasting = told.filter((condition) => !factsOf(condition).isEvent);
  const alerts = [...(fault.alerts ?? []), ...lasting.map(ruleOf)];
  const outage = `${name}/${database}`;
  const say = (line: string) => options.say(`${name} on ${database}: ${line}`);
  const moments = createStream(options.seed, `alerts of ${name} on ${database}`);
  const seen = new Map<string, SeenAlert>([...alerts, ...told].map((alert) => [alert, { alert, outage }]));
  await using opened = new AsyncDisposableStack();
  try {
    say('starting');
    const given = { ...options, fault, database, moments, settings, retryIntervalMs: RETRY_INTERVAL_MS };
    const fixture = await openFixture(given, opened);
    const prometheus = opened.adopt(await watch(fixture, moments), (it) => it.stop());
    const { people } = fixture;
    const signals = [
      ...alerts.map((alert) => signalOfPrometheus(prometheus, alert)),
      ...(people ? told.map((condition) => signalOfPeople(people, condition)) : []),
    ];
    const phases = createPhases({ prometheus, signals, seen, say, signal: options.signal });
    await fault.run({ ...options, ...phases, fixture, moments, say });
    if (people) await expectNoMore(people, told, options.signal);
    return { seen: [...seen.values()] };
  } catch (error) {
    options.signal.throwIfAborted();
    say(`FAILED: ${(error as Error).message}`);
    return { seen: [...seen.values()], problem: `${outage}: ${(error as Error).message}` };
  }
}

async function watch({ folder, metricsAddresses }: Fixture, { between }: FaultContext['moments']): Promise<Prometheus> {
  const own = join(folder, 'prometheus');
  await mkdir(own);
  const [port = 0] = await findPorts(1, between);
  const rules = scaleRules(readFileSync(rulesFile, 'utf8'));
  return await startPrometheus({ folder: own, port, rules, targets: metricsAddresses });
}

interface Watched {
  readonly prometheus: Prometheus;
  readonly signals: readonly Signal[];
  /** Changed with what is seen. */
  readonly seen: Map<string, SeenAlert>;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Creates the phases of an outage as Prometheus and people see them. */
function createPhases({ prometheus, signals, seen, say, signal }: Watched) {
  const metrics = readRules().flatMap(({ alert, expr }) =>
    // That of an incident has no series while all is well.
    seen.has(alert) ? (expr.match(/dockline_(?!incident)\w+/g) ?? []) : [],
  );
  const [events, lasting] = [signals.filter(isEvent), signals.filter((it) => !isEvent(it))];
  let cleared: Promise<unknown> = Promise.resolve();
  const note = (alert: string, what: Partial<SeenAlert>) =>
    seen.set(alert, { ...(seen.get(alert) as SeenAlert), ...what });
  const until = (what: string, isSo: () => Promise<boolean>) => waitUntil(what, isSo, signal);
  /** Waits until each signal returns something, and passes it on with the seconds that it took. */
  const each = async <T>(
    of: readonly Signal[],
    verb: string,
    look: (it: Signal) => Promise<T | undefined>,
    see: (name: string, afterS: number, found: T) => void,
  ) => {
    const since = Date.now();
    const open = new Set(of);
    await until(`${of.map(({ name }) => name).join(', ')} ${verb}`, async () => {
      for (const it of open) {
        const found = await look(it);
        if (found === undefined) continue;
        open.delete(it);
        see(it.name, Math.round((Date.now() - since) / 1000), found);
      }
      return open.size === 0;
    });
  };
  const eachFires = (of: readonly Signal[], andClears: boolean) =>
    each(
      of,
      'fires',
      (it) => it.fired(),
      (name, firedAfter, summary) => {
        note(name, { firedAfter, summary, ...(andClears && { clearedAfter: firedAfter }) });
        say(`${name} fires after ${firedAfter} s: ${summary}`);
      },
    );
  const eachClears = (of: readonly Signal[]) =>
    each(
      of,
      'clears',
      async (it) => (await it.isClear()) || undefined,
      (name, clearedAfter) => {
        note(name, { clearedAfter });
        say(`${name} has cleared after ${clearedAfter} s`);
      },
    );
  return {
    /** Waits until each metric has a series, and none of the alerts is near. */
    untilHealthy: () =>
      until('every metric is scraped and no alert is near', async () => {
        const counts = await Promise.all(['up == 1', ...metrics].map((metric) => prometheus.count(metric)));
        const areClear = await Promise.all(lasting.map((it) => it.isClear()));
        return counts.every((count) => count > 0) && areClear.every(Boolean);
      }),
    async endure() {
      await eachFires(lasting, false);
      if (events.length > 0) await pause(AWAY_MS, undefined, { signal });
      // From now on, because the load takes its time to end. What is an event is told once it is over.
      cleared = Promise.all([eachClears(lasting), eachFires(events, true)]);
      cleared.catch(() => {});
    },
    settle: async () => void (await cleared),
  };
}

async function waitUntil(what: string, isSo: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + STEP_WITHIN_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new FaultError(`not seen within ${STEP_WITHIN_MS / 1000} s: ${what}`);
    await pause(POLL_MS, undefined, { signal });
  }
}
