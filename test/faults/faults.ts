import { diskFault, diskFull, fsyncFails } from './disk.ts';
import type { Fault } from './fault.ts';
import { everythingOf, killing } from './kills.ts';
import { meddling } from './meddling.ts';
import { changeNamespace } from './namespaces.ts';
import {
  destinationFails,
  destinationRedirects,
  namesFail,
  outage,
  postgresRestarts,
  temporalIsAway,
  warehouseFails,
} from './outages.ts';
import { standstill } from './standstill.ts';
import { tamperWithFileSizes, tamperWithFsync, tamperWithLookups } from './tampering.ts';
import { deleteDatabase, restoreDatabase } from './temporal-database.ts';
import { secondTermination, termination } from './termination.ts';
import { cancel, remove, reset, signalGarbage, terminate, toWorkflows } from './workflows.ts';

/** More than anybody waits, in milliseconds. */
const FOR_EVER_MS = 3_600_000;

/** Everything that is made to go wrong; a new fault is a new row. */
export const faults: readonly Fault[] = [
  killing('kill-service', {
    says: 'the process that takes webhooks in is killed',
    choose: ({ world }) => [world.service],
  }),
  killing('kill-worker', {
    says: 'one of two workers is killed',
    needs: 'postgres',
    choose: ({ world, moments }) => world.workers.slice(moments.between(0, 1)).slice(0, 1),
  }),
  killing('kill-temporal', {
    says: 'the Temporal server is killed',
    choose: ({ world }) => [world.temporal],
  }),
  killing('kill-everything', {
    says: 'everything is killed at once',
    choose: ({ world }) => everythingOf(world),
  }),
  standstill,
  outage('temporal-down', { says: 'Temporal is down', fail: temporalIsAway }),
  outage('warehouse-503', { says: 'the warehouse answers 503', fail: warehouseFails({ down: true }) }),
  outage('warehouse-429', { says: 'the warehouse answers 429', fail: warehouseFails({ rateLimitRate: 1 }) }),
  outage('warehouse-401', { says: 'the warehouse answers 401', fail: warehouseFails({ unauthenticated: true }) }),
  outage('warehouse-silent', {
    says: 'the warehouse answers nothing',
    fail: warehouseFails({ latencyMs: FOR_EVER_MS }),
  }),
  outage('destination-down', { says: 'the destination is down', fail: destinationFails(() => 'closed') }),
  outage('destination-slow', {
    says: 'the destination answers late or too late',
    mayRepeat: true,
    fail: destinationFails(({ moments }) => ({ delayMs: () => moments.between(0, 3_000) })),
  }),
  outage('destination-resetting', {
    says: 'the destination resets connections instead of answering',
    mayRepeat: true,
    fail: destinationFails(() => 'resetting'),
  }),
  outage('destination-redirecting', { says: 'the destination redirects', fail: destinationRedirects }),
  outage('postgres-restarted', {
    says: 'PostgreSQL ends all sessions and takes no new ones for a second, again and again',
    needs: 'postgres',
    mayRepeat: true,
    fail: postgresRestarts,
  }),
  outage('dns-failing', {
    says: 'the look-up of names fails within the process',
    tamper: tamperWithLookups,
    mayRepeat: true,
    fail: namesFail,
  }),
  diskFault('disk-full', {
    says: 'the disk takes nothing more (a limit to the size of files)',
    tamper: tamperWithFileSizes,
    harm: diskFull,
  }),
  diskFault('fsync-failing', {
    says: 'fsync fails (a library before the system one)',
    tamper: tamperWithFsync,
    harm: fsyncFails,
  }),
  termination,
  secondTermination,
  meddling('workflows-terminated', {
    says: 'running workflows are terminated',
    meddle: toWorkflows('terminated', terminate),
  }),
  meddling('workflows-canceled', {
    says: 'running workflows are canceled',
    meddle: toWorkflows('canceled', cancel),
  }),
  meddling('workflows-reset', {
    says: 'running workflows are reset, to their first or to a later task',
    meddle: toWorkflows('reset', reset),
  }),
  meddling('workflows-deleted', {
    says: 'running workflows are deleted',
    meddle: toWorkflows('deleted', remove),
  }),
  meddling('signals-by-hand', {
    says: 'running workflows get signals that mean nothing',
    meddle: toWorkflows('sent garbage to', signalGarbage),
  }),
  meddling('temporal-database-deleted', {
    says: 'Temporal is stopped, loses its database and is started',
    meddle: deleteDatabase,
  }),
  meddling('temporal-database-restored', {
    says: 'Temporal is stopped and started on its database of some seconds ago',
    meddle: restoreDatabase,
  }),
  meddling('temporal-namespace-changed', {
    says: 'Dockline is stopped and started with another namespace of Temporal',
    meddle: changeNamespace,
  }),
];
