import { engines, type Fault } from './fault.ts';
import { FOREVER_MS } from './fixture/gate.ts';
import { injectFileSizeLimit, injectFsync } from './injection/injection.ts';
import { severalDestinations } from './kinds/destinations.ts';
import { diskFault, diskFull, fsyncFails } from './kinds/disk.ts';
import { cutOff, lostHost } from './kinds/hosts.ts';
import { kill, standstill } from './kinds/kill.ts';
import {
  destinationFails,
  docklineIsDown,
  outage,
  postgresIsDown,
  temporalIsDown,
  warehouseFails,
} from './kinds/outage.ts';
import { rolling } from './kinds/rolling.ts';
import { secondTermination, termination } from './kinds/termination.ts';
import { disturbance } from './kinds/workflows.ts';

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
    needs: ['postgres', 'pgbouncer'],
    choose: ({ fixture }) => (fixture.postgres ? [fixture.postgres] : []),
  }),
  kill('kill-temporal', {
    description: 'the Temporal server is killed',
    choose: ({ fixture }) => [fixture.temporal],
  }),
  kill('kill-everything', {
    description: 'everything is killed at the same time',
    choose: ({ fixture: { temporal, service, workers } }) => [temporal, service, ...workers],
  }),
  standstill,
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
    told: ['destination-failing'],
    fail: destinationFails(() => 'closed'),
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
  severalDestinations,
  outage('dockline-down', {
    description: 'no process of Dockline runs',
    needs: engines,
    mayRepeat: true,
    fail: docklineIsDown,
  }),
  outage('postgres-down', {
    description: 'PostgreSQL is down',
    needs: ['postgres'],
    mayRepeat: true,
    fail: postgresIsDown,
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
  disturbance,
];
