import type { Command } from 'commander';

/** Each command of `dockline`: what its help says in a line, and its module, which is loaded when it is run. */
export const commands: Readonly<
  Record<string, readonly [summary: string, load: () => Promise<{ readonly command: Command }>]>
> = {
  start: ['run Dockline', () => import('./start.ts')],
  demo: ['run Dockline with a simulated warehouse, apart from any configuration', () => import('./demo.ts')],
  init: ['ask what a real warehouse needs, try it, and write .env', () => import('./init.ts')],
  doctor: ['check everything that Dockline needs', () => import('./doctor.ts')],
  admin: ['inspect and control a running Dockline', () => import('./admin.ts')],
  reconcile: ['compare the lists of the warehouse with the records', () => import('./reconcile.ts')],
  backfill: ['make known what the warehouse already has', () => import('./backfill.ts')],
  replay: ['replay running workflows before a new version is deployed', () => import('./replay.ts')],
  backup: ['copy the SQLite store to a file', () => import('./backup.ts')],
  'move-store': ['copy the SQLite store to PostgreSQL', () => import('./move-store.ts')],
  simulator: ['run the simulated warehouse alone', () => import('./simulator.ts')],
  temporal: ["run Temporal's CLI on the server that Dockline uses", () => import('./temporal.ts')],
};
