import { engines, type Fault } from './fault.ts';
import { injectDisk, injectFileSizeLimit, injectFsync, injectLookups } from './injection/injection.ts';
import { destinationGone, severalDestinations } from './kinds/destinations.ts';
import { diskFault, diskFull, fsyncFails } from './kinds/disk.ts';
import { cutOff, lostHost } from './kinds/hosts.ts';
import { interference } from './kinds/interference.ts';
import { kill, standstill } from './kinds/kill.ts';
import {
  destinationFails,
  destinationIsDown,
  destinationRedirects,
  diskIsNearlyFull,
  docklineIsDown,
  eventsAreRenamed,
  lookupsFail,
  outage,
  postgresIsDown,
  postgresRestarts,
  temporalIsDown,
  warehouseFails,
  workerIsDown,
} from './kinds/outage.ts';
import { killDuringPage } from './kinds/page.ts';
import { rolling } from './kinds/rolling.ts';
import { changeNamespace, deleteDatabase, restoreDatabase } from './kinds/temporal-state.ts';
import { secondTermination, termination } from './kinds/termination.ts';
import { cancel, remove, reset, signalGarbage, terminate, toWorkflows } from './kinds/workflows.ts';

/** Beyond every timeout, in milliseconds. */
const FOREVER_MS = 3_600_000;

/** Every fault; a new one is a new row. */
export const faults: readonly Fault[] = [
  kill('kill-service', {
    description: 'the process that accepts webhooks is killed',
    needs: [...engines, 'pgbouncer'],
    choose: ({ fixture }) => [fixture.service],
  }),
  kill('kill-worker', {
    description: 'one of two workers is killed',
    needs: ['postgres'],
    choose: ({ fixture, moments }) => fixture.workers.slice(moments.between(0, 1)).slice(0, 1),
  }),
  kill('kill-postgres', {
    description: 'PostgreSQL is killed, and forgets what was not made durable',
    needs: ['pgbouncer'],
    choose: ({ fixture }) => (fixture.postgres ? [fixture.postgres] : []),
  }),
  kill('kill-broker', {
    description: 'RabbitMQ, which gets the announcements, is killed',
    hasBroker: true,
    choose: ({ fixture }) => (fixture.broker ? [fixture.broker] : []),
  }),
  kill('kill-temporal', {
    description: 'the Temporal server is killed',
    choose: ({ fixture }) => [fixture.temporal],
  }),
  kill('kill-everything', {
    description: 'everything is killed at the same time',
    choose: ({ fixture: { temporal, service, workers } }) => [temporal, service, ...workers],
  }),
  killDuringPage,
  standstill,
  outage('worker-down', {
    description: 'one of two workers is down',
    needs: ['postgres'],
    mayRepeat: true,
    alerts: ['DocklineDown'],
    fail: workerIsDown,
  }),
  outage('temporal-down', {
    description: 'Temporal is down',
    told: ['temporal-away'],
    fail: temporalIsDown,
  }),
  outage('warehouse-503', {
    description: 'the warehouse answers 503',
    told: ['warehouse-failing', 'reconciliation-failing'],
    fail: warehouseFails({ down: true }),
  }),
  outage('warehouse-429', {
    description: 'the warehouse answers 429',
    told: ['warehouse-limiting'],
    fail: warehouseFails({ rateLimitRate: 1 }),
  }),
  outage('warehouse-401', {
    description: 'the warehouse answers 401',
    told: ['credential-refused'],
    fail: warehouseFails({ unauthenticated: true }),
  }),
  outage('warehouse-silent', {
    description: 'the warehouse never answers',
    fail: warehouseFails({ latencyMs: FOREVER_MS }),
  }),
  outage('destination-down', {
    description: 'the destination is down',
    told: ['destination-failing', 'dead-letters'],
    fail: destinationIsDown,
  }),
  outage('destination-slow', {
    description: 'the destination answers late or too late',
    mayRepeat: true,
    fail: destinationFails(({ moments }) => ({ delayMs: () => moments.between(0, 3_000) })),
  }),
  outage('destination-resetting', {
    description: 'the destination resets connections without an answer',
    mayRepeat: true,
    fail: destinationFails(() => 'resetting'),
  }),
  destinationGone,
  outage('destination-redirecting', { description: 'the destination redirects', fail: destinationRedirects }),
  severalDestinations,
  outage('events-renamed', {
    description: 'the warehouse gives its events names that nobody knows',
    mayRepeat: true,
    told: ['quarantine'],
    fail: eventsAreRenamed,
  }),
  outage('dockline-down', {
    description: 'no process of Dockline runs',
    needs: engines,
    mayRepeat: true,
    told: ['dockline-away'],
    fail: docklineIsDown,
  }),
  outage('postgres-down', {
    description: 'PostgreSQL is down',
    needs: ['postgres'],
    mayRepeat: true,
    alerts: ['DocklineStoreAway', 'DocklineDeliveriesNotAccepted'],
    fail: postgresIsDown,
  }),
  outage('postgres-restarted', {
    description: 'PostgreSQL ends all sessions and refuses new ones for a second, again and again',
    needs: ['postgres'],
    mayRepeat: true,
    fail: postgresRestarts,
  }),
  outage('dns-failing', {
    description: 'DNS lookups fail within the process',
    inject: injectLookups,
    mayRepeat: true,
    fail: lookupsFail,
  }),
  outage('disk-nearly-full', {
    description: 'the disk has little room left (another size of a tmpfs)',
    inject: injectDisk,
    told: ['disk-nearly-full'],
    fail: diskIsNearlyFull,
  }),
  diskFault('disk-full', {
    description: 'the disk is full (a limit to the size of files)',
    inject: injectFileSizeLimit,
    failure: diskFull,
  }),
  diskFault('fsync-failing', {
    description: 'fsync fails (a preloaded library)',
    inject: injectFsync,
    failure: fsyncFails,
  }),
  termination,
  rolling,
  secondTermination,
  cutOff,
  lostHost,
  interference('workflows-terminated', {
    description: 'running workflows are terminated',
    interfere: toWorkflows('terminated', terminate),
  }),
  interference('workflows-canceled', {
    description: 'running workflows are canceled',
    interfere: toWorkflows('canceled', cancel),
  }),
  interference('workflows-reset', {
    description: 'running workflows are reset, to their first or to a later task',
    interfere: toWorkflows('reset', reset),
  }),
  interference('workflows-deleted', {
    description: 'running workflows are deleted',
    interfere: toWorkflows('deleted', remove),
  }),
  interference('signals-by-hand', {
    description: 'running workflows receive meaningless signals',
    interfere: toWorkflows('sent garbage to', signalGarbage),
  }),
  interference('temporal-database-deleted', {
    description: 'Temporal is stopped, loses its database and is started',
    interfere: deleteDatabase,
  }),
  interference('temporal-database-restored', {
    description: 'Temporal is stopped and started with its database as of some seconds ago',
    interfere: restoreDatabase,
  }),
  interference('temporal-namespace-changed', {
    description: 'Dockline is restarted with another namespace of Temporal',
    interfere: changeNamespace,
  }),
];
