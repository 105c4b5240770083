import { sql } from 'kysely';
import type { Outbox } from '../../activities/ports/announcing.ts';
import type { Troubles } from '../../activities/ports/deps.ts';
import type { Subjects } from '../../activities/ports/recording.ts';
import type { Resources } from '../../activities/ports/retrieval.ts';
import type { KnownSubjects } from '../../activities/ports/sweep.ts';
import type { AuditLog } from '../admin/audit.ts';
import type { BulkActions, BulkQueue } from '../admin/bulk/ports.ts';
import type { Erasures } from '../admin/ports.ts';
import type { PatrolDeps } from '../inbox/patrol.ts';
import type { InboxRows } from '../inbox/rows.ts';
import { type Connections, connectToPostgres, connectToSqlite } from './engines/connections.ts';
import { isPostgres } from './engines/dialect.ts';
import { createErasures } from './erasures.ts';
import { createSummary, type Summary } from './listings/summary.ts';
import { createPurge, type Purge } from './purge.ts';
import type { ListingDeps, StoreDeps } from './schema.ts';
import { createAuditLog } from './tables/audit.ts';
import { createBulkActions } from './tables/bulk-actions.ts';
import { createBulkQueue } from './tables/bulk-queue.ts';
import { createInboxRows } from './tables/inbox-rows.ts';
import { createOutbox } from './tables/outbox.ts';
import { createProcesses, type Processes } from './tables/processes.ts';
import { createResources } from './tables/resources.ts';
import { createSubjectSearch, createTenantSearch } from './tables/subject-search.ts';
import { createSubjects } from './tables/subjects.ts';
import { createTroubles } from './tables/troubles.ts';
import { countWaiting, createWaitingCount } from './tables/waiting.ts';

/** Everything that Dockline stores, behind the ports of its users. */
export interface Store extends StoreDeps, ListingDeps {
  readonly inbox: InboxRows;
  readonly subjects: Subjects;
  readonly known: KnownSubjects & { readonly overdueLooks: PatrolDeps['overdueLooks'] };
  readonly outbox: Outbox & { readonly overdue: PatrolDeps['unsent'] };
  readonly processes: Processes;
  /** Returns the tenants of stored subjects: none, the only one, or the lowest and the highest of several ids. */
  readonly tenants: () => Promise<readonly string[]>;
  readonly troubles: Troubles;
  readonly resources: Resources;
  readonly summary: Summary;
  readonly purge: Purge;
  readonly erasures: Erasures;
  readonly audit: AuditLog;
  /** Copies the database to a new file while it is in use; undefined for PostgreSQL. */
  readonly backUp: Connections['backUp'];
  readonly bulk: BulkActions & BulkQueue;
  /** Reports whether the database answers. */
  readonly answers: () => Promise<boolean>;
  close(): Promise<void>;
}

/** SQLite file for one process, or connection string of a PostgreSQL database for several. */
export type StoreLocation = { readonly file: string } | { readonly url: string };

/**
 * Opens the store; creates and migrates it as needed.
 *
 * @throws DocklineError `ERR_STORE_UNAVAILABLE` if it cannot be reached or opened, if another process has the file open, or if a
 * newer version wrote it
 */
export async function openStore({
  now = Date.now,
  ...location
}: StoreLocation & { readonly now?: () => number }): Promise<Store> {
  const connections = await ('url' in location ? connectToPostgres(location.url) : connectToSqlite(location.file));
  const { db, reads } = connections;
  try {
    const waiting = await createWaitingCount({ count: () => countWaiting(db), isShared: isPostgres(db) });
    return {
      ...{ db, reads, now },
      inbox: createInboxRows({ ...connections, now, waiting }),
      subjects: createSubjects({ ...connections, now, waiting }),
      known: createSubjectSearch({ db, now }),
      outbox: createOutbox({ db, now }),
      processes: createProcesses({ db, now }),
      tenants: createTenantSearch({ db }),
      troubles: createTroubles({ db, now }),
      resources: createResources({ db, now }),
      summary: createSummary({ reads }),
      purge: createPurge(connections),
      erasures: createErasures({ ...connections, now }),
      audit: createAuditLog({ ...connections, now }),
      backUp: connections.backUp,
      bulk: { ...createBulkActions({ ...connections, now }), ...createBulkQueue({ ...connections, now }) },
      answers: () =>
        sql`select 1`.execute(db).then(
          () => true,
          () => false,
        ),
      close: connections.close,
    };
  } catch (error) {
    await connections.close();
    throw error;
  }
}
