import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createStream } from '../../../src/sandbox/simulator/random.ts';
import { type FaultContext, FaultError } from '../fault.ts';
import { type Fixture, openFixture } from '../fixture/fixture.ts';
import { findPorts } from '../fixture/ports.ts';
import type { FaultRun, FaultRunOptions } from '../run-fault.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';
import { readRules, rulesFile, scaleRules } from './rules.ts';

/** Alert as it was seen in an outage. */
export interface SeenAlert {
  readonly alert: string;
  readonly outage: string;
  /** Seconds from the begin of the outage until it fired, and from the end until it had cleared. */
  readonly firedAfter?: number;
  readonly clearedAfter?: number;
  /** Summary of the alert that fired. */
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
  const { alerts = [], name } = fault;
  const say = (line: string) => options.say(`${name} on ${database}: ${line}`);
  const moments = createStream(options.seed, `alerts of ${name} on ${database}`);
  const seen = new Map<string, SeenAlert>(alerts.map((alert) => [alert, { alert, outage: name }]));
  await using opened = new AsyncDisposableStack();
  try {
    say('starting');
    const given = { ...options, fault, database, moments, settings, retryIntervalMs: RETRY_INTERVAL_MS };
    const fixture = await openFixture(given, opened);
    const prometheus = opened.adopt(await watch(fixture, moments), (it) => it.stop());
    const phases = createPhases({ prometheus, seen, say, signal: options.signal });
    await fault.run({ ...options, ...phases, fixture, moments, say });
    return { seen: [...seen.values()] };
  } catch (error) {
    options.signal.throwIfAborted();
    say(`FAILED: ${(error as Error).message}`);
    return { seen: [...seen.values()], problem: (error as Error).message };
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
  /** Changed with what is seen. */
  readonly seen: Map<string, SeenAlert>;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Creates the phases of an outage as Prometheus sees them. */
function createPhases({ prometheus, seen, say, signal }: Watched) {
  const names = [...seen.keys()];
  const metrics = readRules().flatMap(({ alert, expr }) =>
    seen.has(alert) ? (expr.match(/dockline_\w+/g) ?? []) : [],
  );
  let cleared = Promise.resolve();
  const note = (alert: string, what: Partial<SeenAlert>) =>
    seen.set(alert, { ...(seen.get(alert) as SeenAlert), ...what });
  const until = (what: string, isSo: () => Promise<boolean>) => waitUntil(what, isSo, signal);
  const each = async (
    state: 'firing' | 'inactive',
    see: (alert: string, afterS: number, summaries: readonly string[]) => void,
  ) => {
    const since = Date.now();
    const open = new Set(names);
    await until(`${names.join(', ')} ${state === 'firing' ? 'fires' : 'clears'}`, async () => {
      const states = await prometheus.alerts();
      for (const alert of open) {
        if (states.get(alert)?.state !== state) continue;
        open.delete(alert);
        see(alert, Math.round((Date.now() - since) / 1000), states.get(alert)?.summaries ?? []);
      }
      return open.size === 0;
    });
  };
  return {
    /** Waits until each metric has a series, and none of the alerts is near. */
    untilHealthy: () =>
      until('every metric is scraped and no alert is near', async () => {
        const counts = await Promise.all(['up == 1', ...metrics].map((metric) => prometheus.count(metric)));
        const states = await prometheus.alerts();
        return counts.every((count) => count > 0) && names.every((name) => states.get(name)?.state === 'inactive');
      }),
    async endure() {
      await each('firing', (alert, firedAfter, [summary = '']) => {
        note(alert, { firedAfter, summary });
        say(`${alert} fires after ${firedAfter} s: ${summary}`);
      });
      // From now on, because the load takes its time to end.
      cleared = each('inactive', (alert, clearedAfter) => {
        note(alert, { clearedAfter });
        say(`${alert} has cleared after ${clearedAfter} s`);
      });
      cleared.catch(() => {});
    },
    settle: () => cleared,
  };
}

async function waitUntil(what: string, isSo: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + STEP_WITHIN_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new FaultError(`not seen within ${STEP_WITHIN_MS / 1000} s: ${what}`);
    await pause(POLL_MS, undefined, { signal });
  }
}
