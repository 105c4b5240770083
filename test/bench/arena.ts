import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchAttributes } from '../../src/domain/search-attributes.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/sandbox/temporal-server/embedded-server.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type StubDestination, startStubDestination } from './stub-destination.ts';
import { type StubWarehouse, startStubWarehouse } from './stub-warehouse.ts';

/** What a contender stands between and on, all of it its own. */
export interface Arena {
  readonly folder: string;
  readonly warehouse: StubWarehouse;
  readonly destination: StubDestination;
  /** What the destination was told. */
  readonly ledger: Ledger;
  /** Absent where nothing is followed. */
  readonly temporal?: EmbeddedServer;
}

/** Starts it; it is closed with the given stack. Without a program of Temporal's there is no Temporal. */
export async function openArena(opened: AsyncDisposableStack, temporalBinary?: string): Promise<Arena> {
  const folder = await mkdtemp(join(tmpdir(), 'dockline-bench-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const ledger = createLedger();
  const warehouse = opened.adopt(await startStubWarehouse(), (it) => it.close());
  const destination = opened.adopt(await startStubDestination(ledger.add), (it) => it.close());
  if (!temporalBinary) return { folder, ledger, warehouse, destination };
  const options = { port: 0, uiPort: 0, namespace: 'default', searchAttributes, log: () => {} };
  const temporal = await startEmbeddedServer({ ...options, binary: temporalBinary, folder: join(folder, 'temporal') });
  opened.defer(() => temporal.stop());
  return { folder, ledger, warehouse, destination, temporal };
}
