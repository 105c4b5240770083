import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Meddle } from './meddling.ts';

/** How old a copy is that is put back, in milliseconds. */
const YOUNGEST_MS = 1_000;
const OLDEST_MS = 5_000;

/** Takes Temporal's database away from it. */
export const deleteDatabase: Meddle = async ({ world: { temporal } }) => {
  await temporal.stop();
  await temporal.replaceDatabase();
  await temporal.start();
  return `deleted Temporal's database`;
};

/** Puts an older copy in the place of Temporal's database. */
export const restoreDatabase: Meddle = async ({ world: { temporal, folder }, moments, signal }, round) => {
  const copy = join(folder, `temporal-${round}.db`);
  await temporal.copyDatabase(copy);
  const copiedAt = Date.now();
  await pause(moments.between(YOUNGEST_MS, OLDEST_MS), undefined, { signal });
  await temporal.stop();
  const ageMs = Date.now() - copiedAt;
  await temporal.replaceDatabase(copy);
  await temporal.start();
  return `took Temporal's database back by ${ageMs} ms`;
};
