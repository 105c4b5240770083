import type { Command } from 'commander';

/** Summary for the help, module (loaded when the command runs), and the line that a terminal shows meanwhile. */
export const commands: Readonly<
  Record<string, readonly [summary: string, load: () => Promise<{ readonly command: Command }>, begins?: string]>
> = {
  start: ['run Dockline', () => import('./start.ts'), 'Starting Dockline…'],
  demo: [
    'run Dockline with a simulated warehouse, ignoring any configuration',
    () => import('./start.ts').then(({ demo: command }) => ({ command })),
    'Starting Dockline with a Temporal server and a simulated warehouse…',
  ],
  init: ['ask for the settings of a real warehouse, check them, and write .env', () => import('./init.ts')],
  doctor: ['check everything that Dockline needs', () => import('./doctor.ts')],
  admin: ['inspect and control a running Dockline', () => import('./admin/commands.ts')],
  reconcile: [
    'find what no webhook has reported',
    () => import('./sweep.ts').then(({ reconcile: command }) => ({ command })),
  ],
  backfill: [
    'import what the warehouse already has',
    () => import('./sweep.ts').then(({ backfill: command }) => ({ command })),
  ],
  replay: ['check that running workflows replay, before you deploy a version', () => import('./replay.ts')],
  backup: ['copy the SQLite store to a file', () => import('./backup.ts')],
  'move-store': ['copy the SQLite store to PostgreSQL', () => import('./move-store.ts')],
  simulator: ['run only the simulated warehouse', () => import('./simulator.ts')],
  temporal: ["run Temporal's CLI on the server that Dockline uses", () => import('./temporal.ts')],
};
