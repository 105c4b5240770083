import { join } from 'node:path';
import { sql } from 'kysely';
import { createAuditLog } from '../admin/tables/audit.ts';
import { createBulkActions } from '../admin/tables/bulk-actions.ts';
import { createAlerts } from '../alerts/tables/alerts.ts';
import type { Config } from '../config/config.ts';
import { createDestinations } from '../destinations/tables/destinations.ts';
import { createOutbox } from '../destinations/tables/outbox.ts';
import { createAcknowledgements } from '../health/acknowledgements.ts';
import { createDue } from '../inbox/tables/due.ts';
import { createEventNames } from '../inbox/tables/event-names.ts';
import { createInboxRows } from '../inbox/tables/inbox-rows.ts';
import { countWaiting, createWaitingCount } from '../inbox/tables/waiting.ts';
import { type Connections, connectToPostgres, connectToSqlite } from '../store/engines/connections.ts';
import { createClock, isPostgres } from '../store/engines/dialect.ts';
import { createProcesses, forgetHolders, openInstallation } from '../store/processes.ts';
import { createPurge } from '../store/retention.ts';
import { createNotes } from '../subjects/note-actions.ts';
import { createActivityFailures } from '../subjects/tables/activity-failures.ts';
import { createErasures } from '../subjects/tables/erasures.ts';
import { createResources } from '../subjects/tables/resources.ts';
import { createSubjectSearch } from '../subjects/tables/subject-search.ts';
import { createSubjects } from '../subjects/tables/subjects.ts';
import { createTaking } from '../subjects/tables/taking.ts';
import { createAnswers, createPageLimits } from '../warehouse/tables/answers.ts';
import { createRateSlots } from '../warehouse/tables/rate-slots.ts';
import { createTokenShelf } from '../warehouse/tables/tokens.ts';

export type Store = Awaited<ReturnType<typeof openStore>>;

/** A SQLite file serves one process, PostgreSQL several. */
export type StoreLocation = { readonly file: string } | { readonly url: string };

export const storeLocation = ({
  DATABASE_URL: url,
  DATA_FOLDER,
}: Pick<Config, 'DATABASE_URL' | 'DATA_FOLDER'>): StoreLocation =>
  url ? { url } : { file: join(DATA_FOLDER, 'dockline.db') };

/** @throws DocklineError `ERR_STORE_UNAVAILABLE`: it cannot be opened, another process has the file open, or its schema is unknown */
export async function openStore({ now, ...location }: StoreLocation & { readonly now?: () => number }) {
  const connections = await ('url' in location ? connectToPostgres(location.url) : connectToSqlite(location.file));
  try {
    return await createStore(connections, now);
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/** For a migrated database. Closes the connections. `given` replaces the clocks of process and database. */
export async function createStore(connections: Connections, given?: () => number) {
  const { db, reads } = connections;
  const now = given ?? Date.now;
  const clock = createClock(db, given);
  const processes = createProcesses({ db, clock });
  const holder = processes.id;
  // No holder survives the process. If the disk is full, leases expire by themselves.
  if (!isPostgres(db)) await forgetHolders(db).catch(() => undefined);
  const waiting = await createWaitingCount({ count: () => countWaiting(db), isShared: isPostgres(db) });
  return {
    db,
    reads,
    now,
    clock,
    processes,
    installation: await openInstallation({ db, now }),
    rateSlotsOf: isPostgres(db) ? createRateSlots({ db, clock, processes }) : undefined,
    eventNames: createEventNames({ ...connections, now }),
    inbox: createInboxRows({ ...connections, clock, waiting }),
    due: createDue({ db, clock }),
    subjects: createSubjects({ ...connections, now, clock, holder, waiting }),
    known: createSubjectSearch({ db, now }),
    outbox: createOutbox({ ...connections, now, clock, holder }),
    destinations: createDestinations({ db, now, clock }),
    tokens: createTokenShelf({ db, now }),
    activityFailures: createActivityFailures({ db, now }),
    warehouseAnswers: createAnswers({ db }),
    pageLimits: createPageLimits({ db, now }),
    resources: createResources({ db, now }),
    purge: createPurge(connections),
    erasures: createErasures({ ...connections, now }),
    alerts: createAlerts({ db, now, clock, holder }),
    acknowledgements: createAcknowledgements({ db, now }),
    audit: createAuditLog({ ...connections, now }),
    notes: createNotes({ ...connections, now }),
    taking: createTaking({ db, now }),
    bulk: createBulkActions({ ...connections, now, clock }),
    async time() {
      const { at } = await db.selectNoFrom(clock().as('at')).executeTakeFirstOrThrow();
      return at;
    },
    /** On the connections of the webhook, which nothing slow holds. */
    whyUnusable: () =>
      connections
        .intake((writer) => sql`select 1`.execute(writer))
        .then(
          () => undefined,
          () => 'The store is unavailable.',
        ),
    close: connections.close,
  };
}
