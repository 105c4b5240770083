import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { openSystem } from '../comparison/system.ts';
import type { Environment } from '../fixture.ts';
import { type Measured, summarize } from '../statistics.ts';
import { steps, TENANT } from '../workload.ts';
import { type Conduct, type StubReceivers, startStubReceivers } from './stub-receivers.ts';

/** Receivers beside the usual one: of forty a fifth refuses every attempt, and a tenth is slow. */
const NAMES = Array.from({ length: 39 }, (_, index) => `receiver-${index + 1}`);
const FAILING = 8;
const SLOW = 4;

/** Announcements to healthy receivers per second, with sick ones beside them and without. */
export interface ReceiversRow {
  readonly database: 'sqlite' | 'postgres';
  readonly without: Measured;
  readonly beside: Measured;
  /** Ratios within each round. */
  readonly ratio: Measured;
}

/** Measures how sick receivers slow the healthy ones, each round on fresh systems. */
export async function measureReceivers(
  { orders, rounds }: { readonly orders: number; readonly rounds: number },
  environment: Environment,
): Promise<readonly ReceiversRow[]> {
  const databases =
    environment.postgresServer === undefined ? (['sqlite'] as const) : (['sqlite', 'postgres'] as const);
  const rows: ReceiversRow[] = [];
  for (const database of databases) {
    const rates: Record<'without' | 'beside', number[]> = { without: [], beside: [] };
    for (let round = 1; round <= rounds; round += 1)
      for (const kind of round % 2 === 1 ? (['without', 'beside'] as const) : (['beside', 'without'] as const)) {
        const rate = await measureOnce({ database, orders, areSick: kind === 'beside' }, environment);
        environment.say(
          `forty receivers on ${database}, ${kind} sick ones, round ${round} of ${rounds}: ${Math.round(rate)} a second`,
        );
        rates[kind].push(rate);
      }
    const ratio = summarize(rates.beside.map((rate, round) => rate / (rates.without[round] ?? Number.NaN)));
    rows.push({ database, without: summarize(rates.without), beside: summarize(rates.beside), ratio });
  }
  return rows;
}

async function measureOnce(
  {
    database,
    orders,
    areSick,
  }: { readonly database: 'sqlite' | 'postgres'; readonly orders: number; readonly areSick: boolean },
  environment: Environment,
): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const receivers = opened.adopt(await startStubReceivers(), (it) => it.close());
  const env = { DESTINATION_KEYS: `first:${randomBytes(32).toString('base64')}` };
  const system = await openSystem({ database, env }, environment, opened);
  for (const name of NAMES) await add(system.adminUrl, name, receivers);
  await system.load('16', Math.ceil(orders * 0.3));
  const conductOf = (index: number): Conduct =>
    index < FAILING ? 'failing' : index < FAILING + SLOW ? 'slow' : 'healthy';
  const sick = NAMES.slice(0, FAILING + SLOW);
  if (areSick) for (const [index, name] of sick.entries()) receivers.setConduct(name, conductOf(index));
  const healthy = NAMES.slice(sick.length);
  const taken = () => healthy.map(receivers.taken);
  const before = taken();
  const expected = orders * steps.length;
  const startedAt = performance.now();
  const sent = system.load('16', orders);
  while (taken().some((count, index) => count - (before[index] ?? 0) < expected))
    await pause(20, undefined, { signal: environment.signal });
  const seconds = (performance.now() - startedAt) / 1000;
  await sent;
  return (healthy.length * expected) / seconds;
}

async function add(adminUrl: string, name: string, { url }: Pick<StubReceivers, 'url'>): Promise<void> {
  const answer = await fetch(`${adminUrl}/destinations/${TENANT}/${name}/add`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${url}/${name}` }),
  });
  if (answer.status !== 201) throw new Error(`${name} was not added: ${await answer.text()}`);
}
