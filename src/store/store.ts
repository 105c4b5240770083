import { createClock } from './engines/clock.ts';
import { type Connections, connectToPostgres, connectToSqlite } from './engines/connections.ts';
import { isPostgres } from './engines/dialect.ts';
import { createErasures } from './erasures.ts';
import { createProbe } from './probe.ts';
import { createPurge } from './purge.ts';
import { createActivityFailures } from './tables/activity-failures.ts';
import { createAlerts } from './tables/alerts.ts';
import { createAnswers } from './tables/answers.ts';
import { createAuditLog } from './tables/audit.ts';
import { createBulkActions } from './tables/bulk-actions.ts';
import { createDeadlineRows } from './tables/deadlines.ts';
import { createDestinations } from './tables/destinations.ts';
import { createDue } from './tables/due.ts';
import { createEventNames } from './tables/event-names.ts';
import { createInboxRows } from './tables/inbox-rows.ts';
import { forgetHolders } from './tables/leases.ts';
import { createLeftOut } from './tables/left-out.ts';
import { createNotes } from './tables/notes.ts';
import { createOutbox } from './tables/outbox.ts';
import { createPageLimits } from './tables/page-limits.ts';
import { createProcesses } from './tables/processes.ts';
import { createRateSlots } from './tables/rate-slots.ts';
import { createResources } from './tables/resources.ts';
import { createSubjectSearch, createTenantSearch } from './tables/subject-search.ts';
import { createSubjects } from './tables/subjects.ts';
import { createTaking } from './tables/taking.ts';
import { createTokenShelf } from './tables/tokens.ts';
import { countWaiting, createWaitingCount } from './tables/waiting.ts';

/** Everything that Dockline stores, behind the ports of its users. */
export type Store = Awaited<ReturnType<typeof openStore>>;

/** SQLite file for one process, or connection string of a PostgreSQL database for several. */
export type StoreLocation = { readonly file: string } | { readonly url: string };

/**
 * Opens the store; creates and migrates it as needed.
 *
 * @throws DocklineError `ERR_STORE_UNAVAILABLE` if it cannot be reached or opened, if another process has the file open, or if its
 * schema is not one that this version knows
 */
export async function openStore({ now, ...location }: StoreLocation & { readonly now?: () => number }) {
  const connections = await ('url' in location ? connectToPostgres(location.url) : connectToSqlite(location.file));
  try {
    return await createStore(connections, now);
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/**
 * Creates a store on the connections to a migrated database, which it closes. A given clock replaces those of this process and of the
 * database. Rejects with `ERR_STORE_UNAVAILABLE` if they fail.
 */
export async function createStore(connections: Connections, given?: () => number) {
  const { db, reads } = connections;
  const now = given ?? Date.now;
  const clock = createClock(db, given);
  const processes = createProcesses({ db, clock });
  const holder = processes.id;
  // Whoever held something is gone. If the disk is full, leases end by themselves.
  if (!isPostgres(db)) await forgetHolders(db).catch(() => undefined);
  const waiting = await createWaitingCount({ count: () => countWaiting(db), isShared: isPostgres(db) });
  return {
    db,
    reads,
    now,
    clock,
    processes,
    /** Absent on SQLite, which one process uses. */
    rateSlotsOf: isPostgres(db) ? createRateSlots({ db, clock, processes }) : undefined,
    eventNames: createEventNames({ ...connections, now }),
    inbox: createInboxRows({ ...connections, clock, waiting }),
    due: createDue({ db, clock }),
    subjects: createSubjects({ ...connections, now, clock, holder, waiting }),
    known: createSubjectSearch({ db, now }),
    deadlineRows: createDeadlineRows(connections),
    outbox: createOutbox({ ...connections, now, clock, holder }),
    leftOut: createLeftOut({ reads }),
    destinations: createDestinations({ db, now, clock }),
    tokens: createTokenShelf({ db, now }),
    tenants: createTenantSearch({ db }),
    activityFailures: createActivityFailures({ db, now }),
    warehouseAnswers: createAnswers({ db }),
    pageLimits: createPageLimits({ db, now }),
    resources: createResources({ db, now }),
    purge: createPurge(connections),
    erasures: createErasures({ ...connections, now }),
    alerts: createAlerts({ db, now, clock, holder }),
    audit: createAuditLog({ ...connections, now }),
    backUp: connections.backUp,
    notes: createNotes({ ...connections, now }),
    taking: createTaking({ db, now }),
    bulk: createBulkActions({ ...connections, now }),
    /** Returns the time in milliseconds since the epoch, by the clock that its processes share. */
    async time() {
      const { at } = await db.selectNoFrom(clock().as('at')).executeTakeFirstOrThrow();
      return at;
    },
    whyUnusable: createProbe(connections),
    close: connections.close,
  };
}
