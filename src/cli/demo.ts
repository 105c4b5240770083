import { join } from 'node:path';
import { roles } from '../app/service-options.ts';
import type { Environment } from '../forms/forms.ts';
import { createCommand } from './command.ts';
import type { StartOptions } from './run.ts';
import { start, withDemonstration } from './start.ts';

export const command = withDemonstration(
  createCommand(
    'dockline demo',
    'Runs Dockline with a simulated warehouse, a receiver, a mailbox and a Temporal server, all embedded. Of the configuration it ' +
      'takes only ports, logging and the simulator; its data is in the folder demo of DATA_FOLDER.',
  ),
).action((options: StartOptions) => start(environmentOf(process.env), { ...options, role: roles }));

const KEPT = /^((WEBHOOK|ADMIN|METRICS|MAILBOX|ANNOUNCE|WAREHOUSE|TEMPORAL|TEMPORAL_UI)_PORT|LOG_.+|SIMULATOR_.+)$/;

function environmentOf(environment: Environment): Environment {
  const kept = Object.entries(environment).filter(([name]) => KEPT.test(name));
  return { ...Object.fromEntries(kept), DATA_FOLDER: join(environment.DATA_FOLDER || '.dockline', 'demo') };
}
