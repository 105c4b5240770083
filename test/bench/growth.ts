import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../src/store/store.ts';
import { command, createDatabase, whyNoPostgres } from '../faults/database.ts';
import { entriesAfter } from './growth-entries.ts';
import { observe, perSecond, takeIn } from './inbox-speed.ts';
import type { GrowthResult } from './results.ts';
import { median } from './statistics.ts';

/** What growth is measured with. */
export interface GrowthOptions {
  readonly postgresServer: string;
  /** How many rows wait. */
  readonly small: number;
  readonly large: number;
  readonly say: (line: string) => void;
  /** How many rows are taken in, and about how many are observed, for one figure. */
  readonly sample?: number;
  /** How often each is measured, after once that does not count; the medians count. */
  readonly rounds?: number;
}

type Ratios = GrowthResult['sqlite'];

/** A store with rows that wait, and how many rows it was given and has observed. */
interface Filled {
  readonly name: string;
  readonly store: Store;
  /** In rows a second, of each round. */
  readonly speeds: Ratios[];
  written: number;
  observed: number;
}

const BATCH_ROWS = 1000;
const TELL_EVERY = 100_000;

/**
 * Measures taking in and observing beside a small and a large backlog, in turn, so that what else the machine does meets both.
 * Rejects if a row is missing afterwards.
 */
export async function measureGrowth(options: GrowthOptions): Promise<GrowthResult> {
  const { small, large, postgresServer, say } = options;
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'dockline-growth-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const sqlite = await compare('SQLite', options, async (rows, stack) => {
    const store = await openStore({ file: join(folder, `${rows}.db`) });
    return fill(
      stack.adopt(store, (it) => it.close()),
      { name: 'SQLite', rows, say },
    );
  });
  const reason = await whyNoPostgres(postgresServer);
  if (reason !== undefined) say(`growth on PostgreSQL is left out: ${reason}`);
  const postgres =
    reason === undefined
      ? await compare('PostgreSQL', options, (rows, stack) => fillPostgres({ postgresServer, rows, say }, stack))
      : null;
  return { rows: { small, large }, sqlite, postgres };
}

async function fillPostgres(
  {
    postgresServer,
    rows,
    say,
  }: { readonly postgresServer: string; readonly rows: number; readonly say: (line: string) => void },
  stack: AsyncDisposableStack,
): Promise<Filled> {
  const database = stack.adopt(await createDatabase(postgresServer), (it) => it.drop());
  // Not through its gate, whose work would be measured as well.
  const url = new URL(postgresServer);
  url.pathname = new URL(database.url).pathname;
  const store = stack.adopt(await openStore({ url: url.href }), (it) => it.close());
  const filled = await fill(store, { name: 'PostgreSQL', rows, say });
  // As autovacuum does by itself a little later.
  await command(url.href, 'vacuum analyze inbox');
  return filled;
}

async function fill(
  store: Store,
  { name, rows, say }: { readonly name: string; readonly rows: number; readonly say: (line: string) => void },
): Promise<Filled> {
  for (let written = 0; written < rows; written += BATCH_ROWS) {
    if (written > 0 && written % TELL_EVERY === 0) say(`growth on ${name}: ${written} of ${rows} rows written`);
    await store.inbox.add(entriesAfter(written, Math.min(BATCH_ROWS, rows - written)));
  }
  return { name, store, speeds: [], written: rows, observed: 0 };
}

async function compare(
  name: string,
  { small, large, sample = 10_000, rounds = 4, say }: GrowthOptions,
  open: (rows: number, stack: AsyncDisposableStack) => Promise<Filled>,
): Promise<Ratios> {
  await using stack = new AsyncDisposableStack();
  const few = await open(small, stack);
  const many = await open(large, stack);
  for (let round = 0; round <= rounds; round += 1) {
    // Whoever comes first finds what the other left unwritten.
    for (const filled of round % 2 === 0 ? [few, many] : [many, few]) await measureOnce(filled, sample);
  }
  for (const filled of [few, many]) await assertWhole(filled);
  const ratioOf = (what: keyof Ratios) => {
    const [alone, beside] = [medianOf(few, what), medianOf(many, what)];
    say(`growth on ${name}, ${what}: ${alone.toFixed()} rows/s at ${small} rows, ${beside.toFixed()} at ${large}`);
    return beside / alone;
  };
  return { intake: ratioOf('intake'), observing: ratioOf('observing') };
}

async function measureOnce(filled: Filled, sample: number): Promise<void> {
  const { inbox } = filled.store;
  const intake = await takeIn(inbox, entriesAfter(filled.written, sample));
  const observing = await observe(filled.store, sample);
  filled.written += intake.rows;
  filled.observed += observing.rows;
  filled.speeds.push({ intake: perSecond(intake), observing: perSecond(observing) });
}

/** Without the first round, in which code is compiled and caches are filled. */
const medianOf = ({ speeds }: Filled, what: keyof Ratios): number =>
  median(speeds.slice(1).map((speed) => speed[what]));

async function assertWhole({ name, store, written, observed }: Filled): Promise<void> {
  const { all, done } = await store.db
    .selectFrom('inbox')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('observed_at').as('done')])
    .executeTakeFirstOrThrow();
  if (all === written && done === observed) return;
  throw new Error(`${name} has ${all} of ${written} rows, and ${done} of ${observed} are observed`);
}
