import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../src/app/store.ts';
import { collectionOf, isRow, subjectKey, subjectKinds } from '../../src/domain/catalogue/subject.ts';
import type { Receiver } from '../receiver/receiver.ts';
import { kindOf } from '../simulator/kinds/kinds.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { everyWebhookRecord } from '../simulator/webhooks/record.ts';
import { countQuantities, findFalsehoods } from './falsehoods.ts';
import { backdate, playDay } from './history.ts';
import { leaveOpen, trickle } from './open-orders.ts';
import { rememberWeeks } from './past.ts';
import { brief, report } from './report.ts';
import { createSummary, type StoredSubject } from './stored.ts';
import { type Evidence, isWell, type Summary, summarize } from './summary.ts';

/** Service that is demonstrated. */
interface Service {
  readonly store: Store;
  readonly webhook: { readonly url: string; isIdle(): boolean; counts(): Evidence['inbox'] };
  readonly worker: { readonly started: Promise<unknown>; calls(): number };
}

/** Where a demonstration prints: its result, messages on the way, and progress. */
interface Output {
  readonly paint: (color: 'green', text: string) => string;
  readonly print: (text: string) => void;
  readonly say: (text: string) => void;
  readonly progress: { readonly show: (line: string) => void };
}

/** Dependencies and options of a demonstration. */
export interface Demonstration {
  readonly options: {
    readonly orders: number;
    readonly json?: boolean;
    readonly untilDone?: boolean;
    readonly report?: boolean;
  };
  readonly simulator: Simulator;
  readonly receiver: Receiver | undefined;
  readonly service: Service;
  readonly signal: AbortSignal;
  readonly output: Output;
}

/** Orders of the day before, for each that is played, and at most. */
const DAY_FOR_EACH = 10;
const DAY_ORDERS = 40;

/** Runs the demonstration on the simulated warehouse and prints its report. Reports whether the result is correct. */
export async function runDemonstration(demonstration: Demonstration): Promise<boolean> {
  const { options, simulator, service, signal, output } = demonstration;
  const progress = output.progress.show;
  progress('waiting for the workers');
  await service.worker.started;
  const startedAt = Date.now();
  simulator.setWebhooks(everyWebhookRecord(service.webhook.url));
  const day = options.untilDone
    ? undefined
    : await playDay(simulator, Math.min(options.orders * DAY_FOR_EACH, DAY_ORDERS), signal);
  await playAll(simulator, options.orders, progress);
  const summary = await settle({
    collect: () => collectEvidence(demonstration, startedAt),
    isIdle: async () => service.webhook.isIdle() && (await createSummary(service.store).announcements()).unsent === 0,
    progress,
    signal,
  });
  if (day) {
    await backdate(service.store.db, day);
    await rememberWeeks(service.store.db, [...day.keys()]);
  }
  const isWhole = options.report || options.untilDone || !isWell(summary);
  output.say(
    isWhole
      ? `\n${report(await subjectsOf(keysOf(simulator.truth()), service), summary)}`
      : `\n${output.paint('green', '✓')} ${brief(summary)}`,
  );
  if (options.json) output.print(JSON.stringify(summary));
  if (options.orders > 0 && !options.untilDone) {
    const orders = await leaveOpen(simulator, signal);
    output.say(
      `${orders.length} more orders keep moving, and one is stuck because its GET fails. The first of their trucks leaves in half an hour without three that nobody works on: the first page and an alert say so within two minutes.`,
    );
    void trickle(simulator, orders, signal);
  }
  return isWell(summary);
}

/** Takes orders, and subjects of every other kind beside them, through their lifecycles. */
function playAll(simulator: Simulator, orders: number, progress: (line: string) => void): Promise<void> {
  return simulator.play({
    ...Object.fromEntries(subjectKinds.map((kind) => [collectionOf[kind], Math.ceil(orders / kindOf(kind).orders)])),
    onProgress: (done) => progress(done === 1 ? '1 scenario played' : `${done} scenarios played`),
  });
}

/** Collects the evidence as it is now. Without a receiver, the store says what the destination acknowledged. */
export async function collectEvidence(
  { simulator, receiver, service }: Pick<Demonstration, 'simulator' | 'receiver' | 'service'>,
  startedAt: number,
): Promise<Evidence> {
  const truth = simulator.truth();
  const keys = keysOf(truth);
  const { sent, undelivered } = simulator.counts();
  const received = receiver?.received().map(({ id }) => id) ?? (await createSummary(service.store).acknowledged());
  const subjects = await subjectsOf(keys, service);
  return {
    truth,
    sent,
    undelivered,
    inbox: service.webhook.counts(),
    subjects: await Promise.all(subjects.map((subject) => withLevels(service, subject))),
    received: received.filter((id) => keys.has(id.split('/')[0] ?? '')),
    duplicates: receiver?.tally().duplicates ?? 0,
    outOfOrder: receiver?.tally().outOfOrder ?? 0,
    lies: simulator.counts().lies,
    falsehoods: receiver ? findFalsehoods({ simulator, receiver }) : [],
    quantities: receiver ? countQuantities({ receiver }) : 0,
    warehouseCalls: service.worker.calls(),
    elapsedMs: Date.now() - startedAt,
  };
}

const keysOf = (truth: Evidence['truth']): ReadonlySet<string> => new Set(truth.map(subjectKey));

/** Lists the subjects of this run; the store may hold those of earlier ones. */
async function subjectsOf(keys: ReadonlySet<string>, { store }: Service): Promise<StoredSubject[]> {
  return (await createSummary(store).subjects()).filter((subject) => keys.has(subjectKey(subject)));
}

async function withLevels({ store }: Service, subject: StoredSubject): Promise<Evidence['subjects'][number]> {
  const known = isRow(subject.kind) ? await store.subjects.load(subject, 0) : undefined;
  const levels = known?.saved?.lifecycle.snapshot?.levels;
  return { ...subject, key: subjectKey(subject), ...(levels && { levels }) };
}

/** Conditions of a settled demonstration. */
interface Settling {
  readonly collect: () => Promise<Evidence>;
  /** Reports whether no work is in progress. */
  readonly isIdle: () => Promise<boolean>;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
  /** Maximum time without any change, in milliseconds. Default: 60,000. */
  readonly patienceMs?: number;
}

const POLL_MS = 250;

/** Waits until the result is correct and nothing is in progress, or until nothing has changed for too long. */
export async function settle({ collect, isIdle, progress, signal, patienceMs = 60_000 }: Settling): Promise<Summary> {
  let last = '';
  let changedAt = Date.now();
  for (;;) {
    const summary = summarize(await collect());
    if (isWell(summary) && (await isIdle())) return summary;

    const state = JSON.stringify({ ...summary, elapsedMs: 0 });
    if (state !== last) changedAt = Date.now();
    last = state;
    const { received, expected } = summary.announcements;
    progress(`${received} of ${expected} announcements received`);
    if (Date.now() - changedAt > patienceMs) return summary;
    await pause(POLL_MS, undefined, { signal });
  }
}
