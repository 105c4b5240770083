import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import type { Person } from '../terminal.ts';
import { addCallCommands, groups } from './call-commands.ts';
import type { AdminClient } from './client.ts';
import { addEraseCommand } from './erase.ts';
import type { Show } from './show.ts';
import { describeAlerts, describeDestination, describeHealth, describeNames, describeStatus } from './status.ts';
import { describeNote, describeSubject } from './subject.ts';

/** Without a person, nothing is asked. */
export function createAdminCommand(client: AdminClient, output: Writable, person?: Person): Command {
  const admin = createCommand('dockline admin', 'Inspects and controls a running Dockline.')
    .usage('<command> [options]')
    .addHelpText(
      'after',
      `
Lists contain no bodies. A single event or announcement is shown with its body, which may contain personal data.
ADMIN_URL sets the address of Dockline (default http://127.0.0.1:ADMIN_PORT), ADMIN_TOKEN its token.
Exits with 0 on success, 1 on failure and 2 if the command line is invalid.`,
    );
  const print = (answer: unknown, describe: (answer: unknown) => string) =>
    void output.write(`${admin.opts().json ? JSON.stringify(answer) : describe(answer)}\n`);
  const pass = (bytes: AsyncIterable<Uint8Array>) => pipeline(bytes, output, { end: false });
  const show: Show = Object.assign(print, { pass });
  admin
    .command('bulk')
    .description('Refreshes, resends, repeats or replays everything that a filter names')
    .helpGroup(groups.act)
    .helpCommand(false);
  addCallCommands(admin, {
    client,
    show,
    formats: {
      getStatus: describeStatus,
      getSubject: describeSubject,
      addNote: describeNote,
      getHealth: describeHealth,
      getDestination: describeDestination,
      listAlerts: describeAlerts,
      getEventNames: describeNames,
    },
  });
  addEraseCommand(admin, client, show, person);
  return admin;
}
