import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findTemporal, temporalKinds } from '../../proving/faults/fixture/temporal-kinds.ts';
import type { TemporalProcess } from '../../proving/faults/fixture/temporal-process.ts';
import { createFolder } from './temporal-server.ts';

/** Kind of Temporal of a whole test run: `TEST_TEMPORAL=cluster` is a cluster. */
export const temporalKind = temporalKinds.find((kind) => kind === process.env.TEST_TEMPORAL) ?? 'development';

/** Starts a Temporal server of that kind, which can be stopped and lose its database. */
export async function openOwnTemporal(): Promise<TemporalProcess> {
  const create = await findTemporal(temporalKind, console.log);
  const { path, remove } = await createFolder();
  const temporal = await create(join(path, 'temporal'), { between: randomInt });
  await temporal.start();
  const close = async () => {
    await temporal.close();
    await remove();
  };
  return { ...temporal, close };
}

/** Starts a Temporal server that closes when the test ends. */
export async function startOwnTemporal(): Promise<TemporalProcess> {
  const temporal = await openOwnTemporal();
  onTestFinished(temporal.close);
  return temporal;
}
